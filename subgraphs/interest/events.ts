import { formatAmount } from '../../kernel/domain/money.ts'
import { MaturityInstruction } from '../../kernel/domain/maturity-instruction.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  currency,
  date,
  decimal,
  id,
  integer,
  listOf,
  oneOf,
  orNull,
  record,
  type Static,
} from '../../kernel/events/event-data.ts'
import { declareEvents, type DomainEvent } from '../../kernel/events/events.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import type { InterestPosition } from './domain/position.ts'
import { CapitalizationReasonEnum, TermDepositState } from './model/enumerations.ts'
import { RateOverride, rateOverrideStates } from './model/rate-override.ts'
import { AccountArrangementStub } from './model/references.ts'
import { TaxExemption, taxExemptionStates } from './model/tax-exemption.ts'
import { TermDeposit } from './model/term-deposit.ts'
import type { BookedAdjustment, BookedCapitalization } from './domain/booked.ts'

// Interest that was paid or corrected is an event of its account.
declareSubject('interest', AccountArrangementStub)

const capitalizedData = record({
  capitalizationId: id,
  arrangementId: id,
  reason: oneOf(CapitalizationReasonEnum.values),
  periodStart: date,
  periodEnd: date,
  effectiveOn: date,
  gross: decimal,
  taxWithheld: decimal,
  net: decimal,
  currency,
  paidToArrangementId: id,
  postingInstructionId: id,
})

/** The data of a correction. */
export const adjustedData = record({
  adjustmentId: id,
  arrangementId: id,
  firstDay: date,
  lastDay: date,
  amount: decimal,
  currency,
  causedBy: listOf(id),
})

declareEvents({ 'accounts.interest.capitalized': 'Accrued interest was paid.' }, capitalizedData)
declareEvents(
  {
    'accounts.interest.adjusted':
      'Interest that was accrued before was corrected, because of back-dated postings.',
  },
  adjustedData,
)

const payoutData = record({ arrangementId: id, payoutArrangementId: orNull(id) })

declareEvents(
  {
    'accounts.interest.payout-changed':
      'The account that receives the interest of an account was chosen. Null is the account itself.',
  },
  payoutData,
)

export const rateOverrideEvents = declareRecordEvents('interest-rate-override', RateOverride, {
  'accounts.interest-rate-override.proposed': 'An interest rate for one account was proposed.',
  ...eventsOf(rateOverrideStates),
})
export type RateOverrideEvent = EventTypeOf<typeof rateOverrideEvents>

export const taxExemptionEvents = declareRecordEvents('interest-tax-exemption', TaxExemption, {
  'accounts.interest-tax-exemption.granted': 'An exemption from withholding tax was granted.',
  ...eventsOf(taxExemptionStates),
})
export type TaxExemptionEvent = EventTypeOf<typeof taxExemptionEvents>

const termDepositData = record({
  termDepositId: id,
  arrangementId: id,
  settlementArrangementId: id,
  state: oneOf(TermDepositState.values),
  principal: decimal,
  currency,
  months: integer,
  annualRatePct: decimal,
  startsOn: date,
  maturesOn: date,
  endsOn: date,
  endedOn: orNull(date),
  maturityInstruction: oneOf(MaturityInstruction.values),
  interest: orNull(decimal),
  penalty: orNull(decimal),
  paidOut: orNull(decimal),
  previousTermDepositId: orNull(id),
})

const termDepositEvents = declareEvents(
  {
    'accounts.term-deposit.opened': 'A term deposit began, by a request or by a renewal.',
    'accounts.term-deposit.instruction-changed':
      'What happens at the maturity of a term deposit was changed.',
    'accounts.term-deposit.notice-given':
      'The early withdrawal of a term deposit was requested; it ends after the days of notice.',
    'accounts.term-deposit.matured': 'A term deposit ended at its maturity and was paid out.',
    'accounts.term-deposit.renewed':
      'A term deposit ended at its maturity and was deposited for another term.',
    'accounts.term-deposit.withdrawn': 'A term deposit was paid out before its maturity.',
  },
  termDepositData,
)
declareSubject('term-deposit', TermDeposit)
export type TermDepositEvent = keyof typeof termDepositEvents

/** Returns the data of a term deposit for its events. */
export function termDepositSnapshot(deposit: TermDeposit): Static<typeof termDepositData> {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, deposit.currency)
  const moneyOrNull = (amountMinor: bigint | null) =>
    amountMinor === null ? null : money(amountMinor)
  return {
    termDepositId: deposit.termDepositId,
    arrangementId: deposit.arrangementId,
    settlementArrangementId: deposit.settlementArrangementId,
    state: deposit.state,
    principal: money(deposit.principalMinor),
    currency: deposit.currency,
    months: deposit.months,
    annualRatePct: deposit.annualRatePct,
    startsOn: deposit.startsOn,
    maturesOn: deposit.maturesOn,
    endsOn: deposit.endsOn,
    endedOn: deposit.endedOn,
    maturityInstruction: deposit.maturityInstruction,
    interest: moneyOrNull(deposit.interestMinor),
    penalty: moneyOrNull(deposit.penaltyMinor),
    paidOut: moneyOrNull(deposit.paidOutMinor),
    previousTermDepositId: deposit.previousTermDepositId,
  }
}

function interestEvent(
  position: InterestPosition,
  eventName: 'capitalized' | 'adjusted' | 'payout-changed',
  data: DomainEvent['data'],
): DomainEvent {
  return {
    type: `accounts.interest.${eventName}`,
    subject: `interest/${position.arrangementId}`,
    version: position.version,
    data,
    parties: [position.partyId],
  }
}

/** Returns the event of paid interest, for the owner of the account. */
export function capitalizedEvent(
  position: InterestPosition,
  payment: BookedCapitalization,
): DomainEvent {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, payment.currency)
  const data: Static<typeof capitalizedData> = {
    capitalizationId: payment.capitalizationId,
    arrangementId: payment.arrangementId,
    reason: payment.reason,
    periodStart: payment.periodStart,
    periodEnd: payment.periodEnd,
    effectiveOn: payment.effectiveOn,
    gross: money(payment.grossMinor),
    taxWithheld: money(payment.taxMinor),
    net: money(payment.grossMinor - payment.taxMinor),
    currency: payment.currency,
    paidToArrangementId: payment.paidToArrangementId,
    postingInstructionId: payment.postingInstructionId,
  }
  return interestEvent(position, 'capitalized', data)
}

/** Returns the event of corrected interest, for the owner of the account. */
export function adjustedEvent(
  position: InterestPosition,
  adjustment: BookedAdjustment,
): DomainEvent {
  return interestEvent(position, 'adjusted', adjustmentData(adjustment))
}

/** Returns the data of a correction for its event. */
export function adjustmentData(adjustment: BookedAdjustment): Static<typeof adjustedData> {
  return {
    adjustmentId: adjustment.adjustmentId,
    arrangementId: adjustment.arrangementId,
    firstDay: adjustment.firstDay,
    lastDay: adjustment.lastDay,
    amount: formatAmount(adjustment.amountMinor, adjustment.currency),
    currency: adjustment.currency,
    causedBy: [...adjustment.causedBy],
  }
}

/** Returns the event of a chosen payout account, for the owner of the account. */
export function payoutChangedEvent(position: InterestPosition): DomainEvent {
  const { arrangementId, payoutArrangementId } = position
  const data: Static<typeof payoutData> = { arrangementId, payoutArrangementId }
  return interestEvent(position, 'payout-changed', data)
}
