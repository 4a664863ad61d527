import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import { feeReceivableStatuses, type FeeReceivableStatus } from '../domain/fee-receivable.ts'

export const FeeReceivableStatusEnum = wireEnum(
  'FeeReceivableStatus',
  feeReceivableStatuses,
  'The status of a fee receivable. Reversed: the fee run was reversed and collected parts were refunded.',
)
export const FeeMovementKindEnum = wireEnum(
  'FeeMovementKind',
  ['collection', 'waiver'] as const,
  'Whether a part of a fee receivable was collected from the account or waived by the bank.',
)

@ObjectType({ description: 'A part of a fee receivable that was collected or waived.' })
export class FeeReceivableMovement {
  @Field(() => ID, { description: 'The posting that booked it.' })
  postingInstructionId: string

  @Field(() => FeeMovementKindEnum)
  kind: 'collection' | 'waiver'

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => DateTimeScalar)
  bookedAt: Date
}

@ObjectType({
  description:
    'A fee that was due when the account could not pay it. It is collected, in parts if need be and the oldest ' +
    'first, when money comes to the account.',
})
@Directive('@key(fields: "feeReceivableId")')
export class FeeReceivable {
  @Field(() => ID)
  feeReceivableId: string

  @Field(() => ID)
  arrangementId: string

  @Field(() => LabelScalar, { description: 'The fee of the product.' })
  feeCode: string

  @Field(() => String, { description: 'The name of the fee, as statements show it.' })
  feeName: string

  @Field(() => LocalDateScalar, { description: 'The first day of the period it was charged for.' })
  periodStart: string

  @Field(() => LocalDateScalar, { description: 'The last day of the period, included.' })
  periodEnd: string

  @Field(() => FeeReceivableStatusEnum)
  status: FeeReceivableStatus

  @Field(() => DateTimeScalar, {
    description: 'When the fee was charged and could not be collected.',
  })
  dueSince: Date

  @Field(() => String, {
    description: 'Why it was not collected then: the problem code of the rejected posting.',
  })
  reasonCode: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When nothing was left to collect; null while the fee is owed.',
  })
  settledAt: Date | null

  @Field(() => TextScalar, { nullable: true, description: 'Why the bank waived what was left.' })
  waiverReason: string | null
}

export const FeeReceivableConnection = connectionOf('FeeReceivable', () => FeeReceivable)
