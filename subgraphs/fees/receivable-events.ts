import { FeeReceivableStatus } from './model/enumerations.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { formatAmount } from '../../kernel/domain/money.ts'
import {
  currency,
  date,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import type { PublishedFact } from '../../kernel/writing/facts.ts'
import { outstandingOf } from './domain/fee-receivable.ts'
import { FeeReceivable, feeReceivableStates } from './model/fee-receivable.ts'

declareSubject('fee-receivable', FeeReceivable)

const receivableData = record({
  feeReceivableId: id,
  arrangementId: id,
  /** The ID of the fee run or, if no run charged the fee, of the fee charge. */
  feeRunId: id,
  /** The ID of the fee charge; null if a fee run charged the fee. */
  feeChargeId: orNull(id),
  feeCode: text,
  periodStart: date,
  periodEnd: date,
  amount: decimal,
  collected: decimal,
  waived: decimal,
  outstanding: decimal,
  currency,
  status: oneOf(FeeReceivableStatus.values),
  dueSince: instant,
  reasonCode: text,
  postingInstructionId: id,
  waiverReason: orNull(text),
})

const receivableEvents = declareEvents(
  {
    'pricing.fee-receivable.opened':
      'A fee could not be collected from the account when it was charged. It remains outstanding.',
    'pricing.fee-receivable.partially-collected':
      'A part of an outstanding fee was collected from the account.',
    'pricing.fee-receivable.collected':
      'An outstanding fee was collected in full from the account.',
    ...eventsOf(feeReceivableStates),
    'pricing.fee-receivable.reversed':
      'A fee receivable was reversed with its fee run, or because the fee was refunded. Collected ' +
      'amounts were refunded.',
  },
  receivableData,
)

type ReceivableEventName<Type> = Type extends `pricing.fee-receivable.${infer Name}` ? Name : never

/**
 * Creates the event of a change to a receivable, and the published state (fact) that other areas
 * read. Both must be committed with the change.
 */
export function publishReceivable(
  receivable: FeeReceivable,
  eventName: ReceivableEventName<keyof typeof receivableEvents>,
  /** The ID of the posting that booked the change. */
  postingInstructionId: string,
): { events: DomainEvent[]; facts: PublishedFact[] } {
  const { feeReceivableId, arrangementId, partyId, status, version } = receivable
  const money = (amountMinor: bigint) => formatAmount(amountMinor, receivable.currency)
  const data: Static<typeof receivableData> = {
    feeReceivableId,
    arrangementId,
    feeRunId: receivable.feeRunId,
    feeChargeId: receivable.feeChargeId,
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
  const lifecycle = status === 'open' ? 'open' : 'ended'
  const subject = `fee-receivable/${feeReceivableId}`
  const type = `pricing.fee-receivable.${eventName}` as const
  return {
    events: [{ type, subject, version, data, parties: [partyId] }],
    facts: [
      {
        subject,
        data: { feeReceivableId, chargedArrangementId: arrangementId, status, lifecycle },
      },
    ],
  }
}
