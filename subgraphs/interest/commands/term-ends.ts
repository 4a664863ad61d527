import { pastValueDate } from '../../../ledger/domain/posting.ts'
import { bookedLeg } from '../../../ledger/domain/balance.ts'
import { blockOf } from '../../../ledger/domain/block.ts'
import { internalAccountId } from '../../../ledger/domain/account.ts'
import type { NewBlocks } from '../../../ledger/book.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { isRunning } from '../domain/term-deposit.ts'
import type { TermEnd } from '../domain/term-end.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import type { TermDepositEvent } from '../events.ts'
import { termDepositFact } from '../facts.ts'
import { insertDeposits, termDepositKind, updateDeposits } from '../store/term-deposit.ts'
import { readHeldAccounts } from './read-facts.ts'

/**
 * Returns the posting that pays out a term deposit; null if nothing is paid. It is an advice, because
 * the account is blocked for postings until its deposit has ended.
 */
export function payoutPosting(now: Date, { ended }: TermEnd): Posting | null {
  const { arrangementId, settlementArrangementId, currency, state, termDepositId } = ended
  const [paidOutMinor, penaltyMinor] = [ended.paidOutMinor!, ended.penaltyMinor!]
  if (paidOutMinor + penaltyMinor === 0n) return null
  const feeIncomeId = internalAccountId('fee-income', currency)
  const legs = [
    bookedLeg(arrangementId, 'debit', paidOutMinor + penaltyMinor, currency),
    ...(paidOutMinor === 0n
      ? []
      : [bookedLeg(settlementArrangementId, 'credit', paidOutMinor, currency)]),
    ...(penaltyMinor === 0n ? [] : [bookedLeg(feeIncomeId, 'credit', penaltyMinor, currency)]),
  ]
  const penalty =
    penaltyMinor === 0n ? '' : `, less ${formatAmount(penaltyMinor, currency)} ${currency} penalty`
  return {
    instruction: {
      ...termsAt(now),
      valueDate: pastValueDate(ended.endedOn!, now),
      isAdvice: true,
      type: 'custom',
      legs,
    },
    narrative: {
      ...noNarrative,
      remittanceInformation: `Term deposit ${termDepositId} ${state}${penalty}`,
      metadata: { termDepositId },
    },
  }
}

/**
 * Returns the new blocks of accounts whose term deposits ended: the one that the bank has set, or a
 * block for all postings if the deposit was renewed. If the bank blocks or unblocks an account in the
 * meantime, the command is decided again.
 */
export async function blocksAfter(context: Context, ends: readonly TermEnd[]): Promise<NewBlocks> {
  const latest = latestOf(ends)
  const accounts = await readHeldAccounts(context, [...latest.keys()])
  return new Map(
    accounts.map((account) => {
      const { arrangementId } = account
      return [arrangementId, blockOf(account, isRunning(latest.get(arrangementId)!))]
    }),
  )
}

/** Returns the last deposit of each account after its deposits ended. */
function latestOf(ends: readonly TermEnd[]): Map<string, TermDeposit> {
  return new Map(ends.map(({ ended, renewed }) => [ended.arrangementId, renewed ?? ended] as const))
}

/** Term deposits in their final states, with the writes, events and facts of their ends. */
interface PublishedEnds {
  ended: readonly TermDeposit[]
  writes: Write[]
  events: DomainEvent[]
  facts: PublishedFact[]
}

/**
 * Returns the final states, writes, events and facts of term deposits that ended. `postingIds` has
 * the postings that paid them out.
 */
export function publishEnds(
  now: Date,
  ends: readonly TermEnd[],
  postingIds: ReadonlyMap<string, string>,
): PublishedEnds {
  const ended = ends.map((end): TermDeposit => ({
    ...end.ended,
    settlementPostingId: postingIds.get(end.ended.termDepositId) ?? null,
    updatedAt: now,
  }))
  const renewed = ends.flatMap((end) => end.renewed ?? [])
  // A deposit that was renewed and has ended in the same commit is stored in its final state.
  const createdIds = new Set(renewed.map(({ termDepositId }) => termDepositId))
  const finalStates = new Map(
    [...renewed, ...ended].map((deposit) => [deposit.termDepositId, deposit]),
  )
  const isCreated = ({ termDepositId }: TermDeposit) => createdIds.has(termDepositId)
  const deposits = [...finalStates.values()]
  const events = ended.flatMap((deposit, index) => {
    const next = ends[index]!.renewed
    return [
      eventOf(deposit, `accounts.term-deposit.${deposit.state as EndState}`),
      ...(next ? [eventOf(next, 'accounts.term-deposit.opened')] : []),
    ]
  })
  return {
    ended,
    writes: [
      ...insertDeposits(deposits.filter(isCreated)),
      ...updateDeposits(deposits.filter((deposit) => !isCreated(deposit))),
    ],
    events,
    facts: [...latestOf(ends).values()].map(termDepositFact),
  }
}

type EndState = 'matured' | 'renewed' | 'withdrawn'

const eventOf = (deposit: TermDeposit, type: TermDepositEvent): DomainEvent =>
  publicationOf(termDepositKind, deposit, type).events[0]!
