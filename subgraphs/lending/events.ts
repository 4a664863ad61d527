import { declareEvents } from '../_kernel/events.ts'
import {
  amountMinor,
  currency,
  day,
  decimal,
  flag,
  id,
  oneOf,
  orNull,
  record,
  text,
  whole,
} from '../_kernel/event-data.ts'
import { delinquencyStages } from './domain/delinquency.ts'
import { drawdownStates } from './domain/drawdown.ts'
import { lossActions, lossProposalStates } from './domain/loss-proposal.ts'
import { repaymentStates } from './domain/repayment.ts'
import { facilityKinds, facilityStates } from './domain/facility.ts'
import { amendmentKinds } from './domain/version.ts'

const facilityData = record({
  facilityId: id,
  customerId: id,
  partyId: id,
  kind: oneOf(facilityKinds),
  state: oneOf(facilityStates),
  currency,
  limitMinor: amountMinor,
  outstandingMinor: amountMinor,
  availableMinor: amountMinor,
  requiredCoveragePct: orNull(decimal),
  maturityDate: orNull(day),
  productId: orNull(id),
  settlementArrangementId: orNull(id),
  delinquencyStage: oneOf(delinquencyStages),
})

export const facilityEvents = declareEvents(
  {
    'lending.facility.opened': 'There is a new facility; nothing is drawn yet.',
    'lending.facility.activated': 'A facility was drawn for the first time.',
    'lending.facility.in-arrears': 'An instalment of a facility is late.',
    'lending.facility.delinquency-changed': 'A facility is later than before, or less late.',
    'lending.facility.cured': 'Nothing of a facility is late any more.',
    'lending.facility.matured': 'The time of a limit is over, and nothing is owed.',
    'lending.facility.paid-off': 'A loan is repaid.',
    'lending.facility.charged-off': 'The bank does not expect to see the money again.',
    'lending.facility.recovery-received': 'A payment on a charged-off facility was booked.',
    'lending.facility.recovered': 'Everything that was charged off has been recovered.',
    'lending.facility.written-off': 'A charged-off facility was written off.',
    'lending.facility.cancelled': 'A facility was cancelled before anything was drawn.',
  },
  facilityData,
)

const figures = record({
  instalmentMinor: amountMinor,
  maturityDate: day,
  totalInterestMinor: amountMinor,
})

declareEvents(
  {
    'lending.facility.schedule-changed': 'A facility is repaid by a new schedule.',
  },
  record({
    facilityId: id,
    currency,
    scheduleVersion: whole,
    cause: oneOf(amendmentKinds),
    before: orNull(figures),
    after: figures,
  }),
)

export const drawdownEvents = declareEvents(
  {
    'lending.drawdown.requested': 'Somebody wants to draw from a facility.',
    'lending.drawdown.approved': 'A drawdown will be paid out on its day.',
    'lending.drawdown.disbursed': 'A drawdown was paid out.',
    'lending.drawdown.declined': 'The bank does not pay a drawdown out.',
    'lending.drawdown.cancelled': 'A drawdown was given up before it was paid out.',
    'lending.drawdown.reversed': 'A drawdown was taken back.',
  },
  record({
    drawdownId: id,
    facilityId: id,
    state: oneOf(drawdownStates),
    amountMinor,
    currency,
    valueDate: day,
    scheduleVersion: orNull(whole),
    reasonCode: orNull(text),
  }),
)

export const repaymentEvents = declareEvents(
  {
    'lending.repayment.applied': 'Money was paid back.',
    'lending.repayment.reversed': 'A repayment was taken back.',
  },
  record({
    repaymentId: id,
    facilityId: id,
    state: oneOf(repaymentStates),
    isCollected: flag,
    amountMinor,
    currency,
    paymentDate: day,
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
    action: oneOf(lossActions),
    state: oneOf(lossProposalStates),
    amountMinor,
    currency,
    reason: text,
    proposedBy: text,
    decidedBy: orNull(text),
  }),
)

declareEvents(
  {
    'lending.end-of-day.started': 'The end of a business day is worked through.',
    'lending.end-of-day.completed': 'The end of a business day is worked through for all.',
  },
  record({ businessDate: day, total: whole, done: whole }),
)

export type RepaymentEvent = keyof typeof repaymentEvents
export type FacilityEvent = keyof typeof facilityEvents
export type DrawdownEvent = keyof typeof drawdownEvents
export type LossProposalEvent = keyof typeof lossProposalEvents
