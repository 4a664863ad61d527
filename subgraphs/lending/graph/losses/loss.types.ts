import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  AmountScalar,
  DateTimeScalar,
  TextScalar,
  type AmountSent,
} from '../../../../kernel/graph/scalars.ts'
import {
  lossActions,
  lossProposalStates,
  type LossAction,
  type LossProposalState,
} from '../../domain/losses/loss-proposal.ts'
import type { LossProposalRequest } from '../../commands/losses/loss-proposal.ts'
import { Facility } from '../facilities/facility.types.ts'

const LossActionEnum = wireEnum(
  'LossAction',
  lossActions,
  'How a loss is recognized in the books.',
  {
    'charge-off':
      'The receivable is removed from the books as a loss. The debt still exists and can be ' +
      'recovered.',
    'write-off':
      'The debt of a charged-off facility is removed from the books, and can no longer be ' +
      'recovered.',
  },
)
export const LossProposalStateEnum = wireEnum(
  'LossProposalState',
  lossProposalStates,
  'The state of a loss proposal.',
  {
    proposed: 'The proposal has not been decided.',
    approved: 'The proposal was approved and the loss is booked. This state is final.',
    rejected: 'The proposal was rejected and nothing was booked. This state is final.',
  },
)

@ObjectType({
  description: 'A charge-off or write-off that is booked when a second person approves it.',
})
export class LossProposal {
  @Field(() => ID, { description: 'The ID of the loss proposal.' })
  lossProposalId: string

  @Field(() => Facility, { description: 'The facility that is to be charged off or written off.' })
  facility: { facilityId: string }

  @Field(() => LossActionEnum, { description: 'How the loss is recognized.' })
  action: LossAction

  @Field(() => LossProposalStateEnum, {
    description: 'Whether the proposal is undecided, approved or rejected.',
  })
  state: LossProposalState

  @Field(() => TextScalar, { description: 'The reason given for the loss.' })
  reason: string

  @Field(() => MoneyType, {
    description:
      'The amount of the loss: the amount at the time of the proposal or, once the proposal is ' +
      'approved, the amount that was booked.',
  })
  amount: MoneyType

  @Field(() => String, {
    description: 'The access token subject of the person who made the proposal.',
  })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the proposal was made, in UTC.' })
  createdAt: Date

  @Field(() => String, {
    nullable: true,
    description:
      'The access token subject of the person who decided; null while the proposal is undecided.',
  })
  decidedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the proposal was decided, in UTC; null while it is undecided.',
  })
  decidedAt: Date | null
}

export const LossProposalConnection = connectionOf('LossProposal', () => LossProposal)

@InputType({ description: 'The charge-off or write-off to propose.' })
export class ProposeFacilityLossInput implements LossProposalRequest {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the new proposal; generated if omitted.',
  })
  lossProposalId?: string | null

  @Field(() => ID, { description: 'The ID of the facility to charge off or write off.' })
  facilityId: string

  @Field(() => LossActionEnum, { description: 'How the loss is recognized.' })
  action: LossAction

  @Field(() => TextScalar, {
    description: 'The reason why the bank does not expect full repayment.',
  })
  reason: string
}

@InputType({ description: 'A payment received on a charged-off facility.' })
export class RecoverFacilityInput {
  @Field(() => ID, { description: 'The ID of the charged-off facility.' })
  facilityId: string

  @Field(() => AmountScalar, {
    description:
      'The amount received, greater than zero and at most the charged-off amount that has not ' +
      'been recovered yet.',
  })
  amount: AmountSent

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account to debit. If omitted, the money came from outside the bank.',
  })
  sourceArrangementId?: string | null
}
