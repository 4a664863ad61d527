import type { Made } from './authorisation.ts'
import type { Balance } from './balance.ts'
import { authorisationKey, balanceKey, type Books } from './books.ts'
import type { Authorisation, Instruction, Outcome, Posted } from './instruction.ts'
import { decide } from './posting.ts'

/** Changes that are not in the books yet, and the books as they would be with them. */
export class Draft implements Books {
  /** What was looked at in the books below. */
  readonly seen = new Map<string, Balance>()
  readonly balances = new Map<string, Balance>()
  readonly authorisations = new Map<string, Authorisation>()
  readonly posts = new Map<string, Posted>()
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  balance(accountId: string, address: string): Balance | null {
    const key = balanceKey(accountId, address)
    const drafted = this.balances.get(key)
    if (drafted) return drafted
    const balance = this.#books.balance(accountId, address)
    if (balance) this.seen.set(key, balance)
    return balance
  }

  authorisation(clientId: string, clientTransactionId: string): Authorisation | null {
    const key = authorisationKey(clientId, clientTransactionId)
    return this.authorisations.get(key) ?? this.#books.authorisation(clientId, clientTransactionId)
  }

  posted(postingInstructionId: string): Posted | null {
    return this.posts.get(postingInstructionId) ?? this.#books.posted(postingInstructionId)
  }

  /** Takes over what was accepted. */
  put(asked: Instruction, outcome: Outcome, { postingInstructionId }: Made): void {
    if (outcome.status === 'rejected') return
    const { touched, entries, authorisation } = outcome
    for (const balance of touched) {
      if (balance.account.policy === 'deferred') continue
      this.balances.set(balanceKey(balance.account.accountId, balance.address), balance)
    }
    if (authorisation) {
      const { clientId, clientTransactionId } = authorisation
      this.authorisations.set(authorisationKey(clientId, clientTransactionId), authorisation)
    }
    const { type } = asked
    this.posts.set(postingInstructionId, {
      postingInstructionId,
      type,
      legs: entries,
      reversedBy: null,
    })
    if (type === 'reversal') {
      const original = this.posted(asked.reversesId)!
      this.posts.set(asked.reversesId, { ...original, reversedBy: postingInstructionId })
    }
  }

  /** Takes over everything another draft on top of this one holds. */
  merge(draft: Draft): void {
    for (const [key, value] of draft.balances) this.balances.set(key, value)
    for (const [key, value] of draft.authorisations) this.authorisations.set(key, value)
    for (const [key, value] of draft.posts) this.posts.set(key, value)
  }
}

/**
 * Decides instructions in their order, each on the books the one before it left: all of them or
 * none. When one is rejected, every one is, and only those at fault have violations.
 */
export function decideAll(
  draft: Draft,
  asked: readonly Instruction[],
  made: readonly Made[],
): Outcome[] {
  if (asked.length === 1) {
    const outcome = decide(draft, asked[0]!, made[0]!)
    draft.put(asked[0]!, outcome, made[0]!)
    return [outcome]
  }
  const trial = new Draft(draft)
  const outcomes = asked.map((instruction, index) => {
    const outcome = decide(trial, instruction, made[index]!)
    trial.put(instruction, outcome, made[index]!)
    return outcome
  })
  if (outcomes.every(({ status }) => status === 'accepted')) {
    draft.merge(trial)
    return outcomes
  }
  return outcomes.map((outcome) =>
    outcome.status === 'rejected' ? outcome : { status: 'rejected', violations: [] },
  )
}
