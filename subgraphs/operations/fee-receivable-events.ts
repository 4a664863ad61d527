import { formatAmount } from '../_kernel/domain/money.ts'
import {
  currency,
  day,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../_kernel/event-data.ts'
import { declareEvents, type Told } from '../_kernel/events.ts'
import type { PublishedFact } from '../_kernel/command.ts'
import {
  feeReceivableStatuses,
  outstandingOf,
  type FeeReceivable,
} from './domain/fee-receivable.ts'

const receivableData = record({
  feeReceivableId: id,
  arrangementId: id,
  feeRunId: id,
  feeCode: text,
  periodStart: day,
  periodEnd: day,
  amount: decimal,
  collected: decimal,
  waived: decimal,
  outstanding: decimal,
  currency,
  status: oneOf(feeReceivableStatuses),
  dueSince: instant,
  reasonCode: text,
  postingInstructionId: id,
  waiverReason: orNull(text),
})

const receivableEvents = declareEvents(
  {
    'pricing.fee-receivable.opened':
      'A fee was due and could not be collected from the account; it remains owed.',
    'pricing.fee-receivable.partially-collected':
      'A part of an owed fee was collected from the account.',
    'pricing.fee-receivable.collected': 'The rest of an owed fee was collected from the account.',
    'pricing.fee-receivable.waived': 'The bank waived what was left of an owed fee.',
    'pricing.fee-receivable.reversed':
      'The fee run was reversed: nothing is owed, and what had been collected was refunded.',
  },
  receivableData,
)

type ReceivableFact<Type> = Type extends `pricing.fee-receivable.${infer Fact}` ? Fact : never

/** The event of a receivable that changed, and the fact that other areas read, as part of the commit. */
export function publishReceivable(
  receivable: FeeReceivable,
  fact: ReceivableFact<keyof typeof receivableEvents>,
  /** The posting of the change. */
  postingInstructionId: string,
): { events: Told[]; facts: PublishedFact[] } {
  const { feeReceivableId, arrangementId, partyId, status, version } = receivable
  const money = (amountMinor: bigint) => formatAmount(amountMinor, receivable.currency)
  const data: Static<typeof receivableData> = {
    feeReceivableId,
    arrangementId,
    feeRunId: receivable.feeRunId,
    feeCode: receivable.feeCode,
    periodStart: receivable.periodStart,
    periodEnd: receivable.periodEnd,
    amount: money(receivable.amountMinor),
    collected: money(receivable.collectedMinor),
    waived: money(receivable.waivedMinor),
    outstanding: money(outstandingOf(receivable)),
    currency: receivable.currency,
    status,
    dueSince: receivable.dueSince,
    reasonCode: receivable.reasonCode,
    postingInstructionId,
    waiverReason: receivable.waiverReason,
  }
  const subject = `fee-receivable/${feeReceivableId}`
  const type = `pricing.fee-receivable.${fact}` as const
  return {
    events: [{ type, subject, version, data, parties: [partyId] }],
    facts: [{ subject, data: { feeReceivableId, chargedArrangementId: arrangementId, status } }],
  }
}
