import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { AmountScalar, DateTimeScalar, TextScalar, type AmountSent } from '../../_kernel/scalars.ts'
import {
  lossActions,
  lossProposalStates,
  type LossAction,
  type LossProposalState,
} from '../domain/loss-proposal.ts'
import type { LossProposalRequest } from '../loss-proposals.ts'
import { Facility } from './facility.types.ts'

const LossActionEnum = wireEnum(
  'LossAction',
  lossActions,
  'How a loss is recognized: CHARGE_OFF takes the receivable off the books while recovery goes on, WRITE_OFF ends recovery.',
)
export const LossProposalStateEnum = wireEnum(
  'LossProposalState',
  lossProposalStates,
  'Whether a proposal is undecided, approved or rejected.',
)

@ObjectType({
  description: 'A charge-off or write-off that is booked when a second person approves it.',
})
export class LossProposal {
  @Field(() => ID, { description: 'The id of the proposal.' })
  lossProposalId: string

  @Field(() => Facility, { description: 'The facility whose loss is proposed.' })
  facility: { facilityId: string }

  @Field(() => LossActionEnum, { description: 'How the loss is recognized.' })
  action: LossAction

  @Field(() => LossProposalStateEnum, { description: 'Whether the proposal has been decided.' })
  state: LossProposalState

  @Field(() => TextScalar, { description: 'The reason given for the loss.' })
  reason: string

  @Field(() => MoneyType, {
    description: 'The amount of the loss: as of the proposal, and as booked once approved.',
  })
  amount: MoneyType

  @Field(() => String, { description: 'The subject of the person who made the proposal.' })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the proposal was made, in UTC.' })
  createdAt: Date

  @Field(() => String, {
    nullable: true,
    description: 'The subject of the person who decided; null while undecided.',
  })
  decidedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the proposal was decided, in UTC; null while undecided.',
  })
  decidedAt: Date | null
}

export const LossProposalConnection = connectionOf('LossProposal', () => LossProposal)

@InputType({ description: 'The facility to charge off or write off, how, and why.' })
export class ProposeFacilityLossInput implements LossProposalRequest {
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the new proposal; generated when absent.',
  })
  lossProposalId?: string | null

  @Field(() => ID, { description: 'The facility whose loss is proposed.' })
  facilityId: string

  @Field(() => LossActionEnum, { description: 'How the loss is recognized.' })
  action: LossAction

  @Field(() => TextScalar, { description: 'Why the bank expects no full repayment.' })
  reason: string
}

@InputType({ description: 'A payment received on a charged-off facility.' })
export class RecoverFacilityInput {
  @Field(() => ID, { description: 'The charged-off facility.' })
  facilityId: string

  @Field(() => AmountScalar, {
    description: 'The amount received, at most what has not been recovered.',
  })
  amount: AmountSent

  @Field(() => ID, {
    nullable: true,
    description: 'The account the money is taken from; null when it came from outside the bank.',
  })
  sourceArrangementId?: string | null
}
