import { LossAction, LossProposalState } from './enumerations.ts'
import {
  amount,
  id,
  input,
  instant,
  money,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { Facility } from '../facilities/facility.ts'

export const LossProposal = shape(
  'LossProposal',
  'A charge-off or write-off that is booked when a second person approves it.',
  {
    lossProposalId: id('The ID of the loss proposal.'),
    facility: object(Facility, 'The facility that is to be charged off or written off.').as<{
      facilityId: string
    }>(),
    action: oneOf(LossAction, 'How the loss is recognized.'),
    state: oneOf(LossProposalState, 'Whether the proposal is undecided, approved or rejected.'),
    reason: text('The reason given for the loss.'),
    amount: money(
      'The amount of the loss: the amount at the time of the proposal or, once the proposal is ' +
        'approved, the amount that was booked.',
    ),
    proposedBy: string('The access token subject of the person who made the proposal.'),
    createdAt: instant('When the proposal was made, in UTC.'),
    decidedBy: string(
      'The access token subject of the person who decided; null while the proposal is undecided.',
    ).orNull(),
    decidedAt: instant(
      'When the proposal was decided, in UTC; null while it is undecided.',
    ).orNull(),
  },
)
export type LossProposal = TypeOf<typeof LossProposal>

export const ProposeFacilityLossInput = input(
  'ProposeFacilityLossInput',
  'The charge-off or write-off to propose.',
  {
    lossProposalId: id('The ID of the new proposal; generated if omitted.').orNull(),
    facilityId: id('The ID of the facility to charge off or write off.'),
    action: oneOf(LossAction, 'How the loss is recognized.'),
    reason: text('The reason why the bank does not expect full repayment.'),
  },
)
export type ProposeFacilityLossInput = TypeOf<typeof ProposeFacilityLossInput>

export const RecoverFacilityInput = input(
  'RecoverFacilityInput',
  'A payment received on a charged-off facility.',
  {
    facilityId: id('The ID of the charged-off facility.'),
    amount: amount(
      'The amount received, greater than zero and at most the charged-off amount that has not ' +
        'been recovered yet.',
    ),
    sourceArrangementId: id(
      'The ID of the account to debit. If omitted, the money came from outside the bank.',
    ).orNull(),
  },
)
export type RecoverFacilityInput = TypeOf<typeof RecoverFacilityInput>
