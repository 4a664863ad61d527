import type { PostingOrigin } from './authorization.ts'
import type { Balance } from './balance.ts'
import { authorizationKey, balanceKey, type Books } from './books.ts'
import type { Authorization, Instruction, Outcome, PostedInstruction } from './instruction.ts'
import { decide } from './posting.ts'

/** Books with uncommitted changes on top of other books. */
export class Draft implements Books {
  /** The balances that were read from the underlying books. */
  readonly readBalances = new Map<string, Balance>()
  readonly balances = new Map<string, Balance>()
  readonly authorizations = new Map<string, Authorization>()
  readonly posts = new Map<string, PostedInstruction>()
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  balance(accountId: string, address: string): Balance | null {
    const key = balanceKey(accountId, address)
    const drafted = this.balances.get(key)
    if (drafted) return drafted
    const balance = this.#books.balance(accountId, address)
    if (balance) this.readBalances.set(key, balance)
    return balance
  }

  authorization(clientId: string, clientTransactionId: string): Authorization | null {
    const key = authorizationKey(clientId, clientTransactionId)
    return this.authorizations.get(key) ?? this.#books.authorization(clientId, clientTransactionId)
  }

  posted(postingInstructionId: string): PostedInstruction | null {
    return this.posts.get(postingInstructionId) ?? this.#books.posted(postingInstructionId)
  }

  /** Adds the changes of an outcome; none if the instruction was rejected. */
  put(instruction: Instruction, outcome: Outcome, { postingInstructionId }: PostingOrigin): void {
    if (outcome.status === 'rejected') return
    const { touched, entries, authorization } = outcome
    for (const balance of touched) {
      if (balance.account.policy === 'deferred') continue
      this.balances.set(balanceKey(balance.account.accountId, balance.address), balance)
    }
    if (authorization) {
      const { clientId, clientTransactionId } = authorization
      this.authorizations.set(authorizationKey(clientId, clientTransactionId), authorization)
    }
    const { type } = instruction
    this.posts.set(postingInstructionId, {
      postingInstructionId,
      type,
      legs: entries,
      reversedBy: null,
    })
    if (type === 'reversal') {
      const original = this.posted(instruction.reversesId)!
      this.posts.set(instruction.reversesId, { ...original, reversedBy: postingInstructionId })
    }
  }

  /** Adds all changes of another draft, which is based on this draft. */
  merge(draft: Draft): void {
    for (const [key, value] of draft.balances) this.balances.set(key, value)
    for (const [key, value] of draft.authorizations) this.authorizations.set(key, value)
    for (const [key, value] of draft.posts) this.posts.set(key, value)
  }
}

/**
 * Decides instructions in their order, each on the books after the previous one. Either all are
 * accepted or all are rejected. Only the outcomes of instructions that cause the rejection have
 * violations.
 */
export function decideAll(
  draft: Draft,
  instructions: readonly Instruction[],
  origins: readonly PostingOrigin[],
): Outcome[] {
  if (instructions.length === 1) {
    const outcome = decide(draft, instructions[0]!, origins[0]!)
    draft.put(instructions[0]!, outcome, origins[0]!)
    return [outcome]
  }
  const trial = new Draft(draft)
  const outcomes = instructions.map((instruction, index) => {
    const outcome = decide(trial, instruction, origins[index]!)
    trial.put(instruction, outcome, origins[index]!)
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
