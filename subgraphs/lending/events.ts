import { FacilityKind, FacilityState } from './model/facilities/enumerations.ts'
import { DelinquencyStage } from './model/schedules/enumerations.ts'
import { DrawdownState } from './model/drawdowns/enumerations.ts'
import { RepaymentState } from './model/repayments/enumerations.ts'
import { LossAction, LossProposalState } from './model/losses/enumerations.ts'
import { LateChargePauseReason, LateChargeWaiverReason } from './model/late-charges/enumerations.ts'
import { Drawdown } from './model/drawdowns/drawdown.ts'
import { Facility } from './model/facilities/facility.ts'
import { Repayment } from './model/repayments/repayment.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import {
  amountMinor,
  currency,
  date,
  decimal,
  boolean,
  id,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { amendmentKinds } from './domain/schedules/version.ts'

declareSubject('facility', Facility)

const facilityData = record({
  facilityId: id,
  customerId: id,
  partyId: id,
  kind: oneOf(FacilityKind.values),
  state: oneOf(FacilityState.values),
  currency,
  limitMinor: amountMinor,
  outstandingMinor: amountMinor,
  availableMinor: amountMinor,
  requiredCoveragePct: orNull(decimal),
  maturityDate: orNull(date),
  productId: orNull(id),
  settlementArrangementId: orNull(id),
  delinquencyStage: oneOf(DelinquencyStage.values),
  delinquencyBucket: orNull(text),
})

export const facilityEvents = declareEvents(
  {
    'lending.facility.opened':
      'A facility was opened. Its state shows whether it was paid out at the same time.',
    'lending.facility.activated': 'The first drawdown of a facility was paid out.',
    'lending.facility.in-arrears': 'An installment of a facility became past due.',
    'lending.facility.delinquency-changed': 'The delinquency stage of a facility changed.',
    'lending.facility.delinquency-bucket-changed':
      'A facility entered another delinquency bucket, or left the last one it was in.',
    'lending.facility.late-fee-charged': 'A facility was charged a fee for a late installment.',
    'lending.facility.cured': 'A facility is no longer in arrears.',
    'lending.facility.matured':
      'A revolving facility reached its maturity date and nothing is owed on it.',
    'lending.facility.paid-off': 'A loan was repaid in full.',
    'lending.facility.charged-off': 'A facility was charged off.',
    'lending.facility.recovery-received': 'A recovery on a charged-off facility was booked.',
    'lending.facility.recovered': 'The whole charged-off amount of a facility was recovered.',
    'lending.facility.written-off':
      'The remaining charged-off amount of a facility was written off.',
    'lending.facility.cancelled': 'A facility was cancelled before anything was drawn.',
    'lending.facility.settlement-account-changed':
      'The account for the payouts and collections of a facility changed.',
  },
  facilityData,
)

const scheduleFigures = record({
  installmentMinor: amountMinor,
  maturityDate: date,
  totalInterestMinor: amountMinor,
})

declareEvents(
  {
    'lending.facility.schedule-changed': 'A facility has a new schedule version.',
  },
  record({
    facilityId: id,
    currency,
    scheduleVersion: integer,
    cause: oneOf(amendmentKinds),
    before: orNull(scheduleFigures),
    after: scheduleFigures,
  }),
)

declareEvents(
  {
    'lending.facility.late-charges-waived':
      'The bank waived the unpaid late charges of an installment.',
  },
  record({
    facilityId: id,
    currency,
    installment: integer,
    lateFeeMinor: amountMinor,
    defaultInterestMinor: amountMinor,
    reason: oneOf(LateChargeWaiverReason.values),
  }),
)

declareEvents(
  {
    'lending.facility.late-charges-paused': 'The late charges of a facility were paused.',
    'lending.facility.late-charge-pause-ended':
      'The pause of the late charges of a facility was ended early.',
  },
  record({
    facilityId: id,
    from: date,
    until: date,
    endedOn: orNull(date),
    reason: oneOf(LateChargePauseReason.values),
  }),
)

declareEvents(
  {
    'lending.facility.rate-reset':
      'The rate of a facility was reset with a reference rate. It can have stayed the same.',
  },
  record({
    facilityId: id,
    resetOn: date,
    effectiveFrom: date,
    referenceRateId: id,
    fixedOn: date,
    fixingPct: decimal,
    previousRatePct: decimal,
    ratePct: decimal,
    scheduleVersion: orNull(integer),
  }),
)

declareSubject('drawdown', Drawdown)

export const drawdownEvents = declareEvents(
  {
    'lending.drawdown.requested': 'A drawdown was requested.',
    'lending.drawdown.approved': 'A drawdown was approved and will be paid out on its value date.',
    'lending.drawdown.disbursed': 'A drawdown was paid out.',
    'lending.drawdown.declined': 'The bank declined a drawdown.',
    'lending.drawdown.cancelled': 'A drawdown was cancelled before it was paid out.',
    'lending.drawdown.reversed': 'A drawdown was reversed.',
  },
  record({
    drawdownId: id,
    facilityId: id,
    state: oneOf(DrawdownState.values),
    amountMinor,
    currency,
    valueDate: date,
    scheduleVersion: orNull(integer),
    reasonCode: orNull(text),
  }),
)

declareSubject('repayment', Repayment)

export const repaymentEvents = declareEvents(
  {
    'lending.repayment.applied': 'A repayment was booked.',
    'lending.repayment.reversed': 'A repayment was reversed.',
  },
  record({
    repaymentId: id,
    facilityId: id,
    state: oneOf(RepaymentState.values),
    isCollected: boolean,
    amountMinor,
    currency,
    paymentDate: date,
    lateChargesMinor: amountMinor,
    interestMinor: amountMinor,
    principalMinor: amountMinor,
  }),
)

export const lossProposalEvents = declareEvents(
  {
    'lending.loss-proposal.proposed': 'A charge-off or write-off was proposed for approval.',
    'lending.loss-proposal.approved': 'A second person approved a charge-off or write-off.',
    'lending.loss-proposal.rejected': 'A proposed charge-off or write-off was rejected.',
  },
  record({
    lossProposalId: id,
    facilityId: id,
    action: oneOf(LossAction.values),
    state: oneOf(LossProposalState.values),
    amountMinor,
    currency,
    reason: text,
    proposedBy: text,
    decidedBy: orNull(text),
  }),
)

declareEvents(
  {
    'lending.end-of-day.started': 'The end-of-day run of a business date started.',
    'lending.end-of-day.completed':
      'The end-of-day run of a business date was completed. Facilities that the run could not process are retried.',
  },
  record({ businessDate: date, total: integer, done: integer }),
)

export type RepaymentEvent = keyof typeof repaymentEvents
export type FacilityEvent = keyof typeof facilityEvents
export type DrawdownEvent = keyof typeof drawdownEvents
export type LossProposalEvent = keyof typeof lossProposalEvents
