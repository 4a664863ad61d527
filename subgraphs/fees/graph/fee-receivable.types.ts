import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import { feeReceivableStatuses, type FeeReceivableStatus } from '../domain/fee-receivable.ts'

export const FeeReceivableStatusEnum = wireEnum(
  'FeeReceivableStatus',
  feeReceivableStatuses,
  'The status of a fee receivable.',
  {
    open: 'At least a part of the fee has not been collected yet.',
    collected: 'The fee was collected in full.',
    waived: 'The bank waived the amount that was outstanding.',
    reversed:
      'The fee run was reversed, and the parts already collected were refunded. This status is ' +
      'final.',
  },
)
export const FeeMovementKindEnum = wireEnum(
  'FeeMovementKind',
  ['collection', 'waiver'] as const,
  'Whether a part of a fee receivable was collected or waived.',
  {
    collection: 'All or part of the outstanding fee was collected from the account.',
    waiver: 'The bank waived the outstanding part of the fee.',
  },
)

@ObjectType({ description: 'A part of a fee receivable that was collected or waived.' })
export class FeeReceivableMovement {
  @Field(() => ID, { description: 'The ID of the posting instruction that booked the movement.' })
  postingInstructionId: string

  @Field(() => FeeMovementKindEnum, { description: 'Whether the part was collected or waived.' })
  kind: 'collection' | 'waiver'

  @Field(() => MoneyType, { description: 'The amount that was collected or waived.' })
  amount: MoneyType

  @Field(() => DateTimeScalar, { description: 'When the movement was booked, in UTC.' })
  bookedAt: Date
}

@ObjectType({
  description:
    'A fee that the account could not pay when it was charged. It is collected when the account ' +
    'is credited or unblocked, in parts if necessary. Older fees are collected first.',
})
@Directive('@key(fields: "feeReceivableId")')
export class FeeReceivable {
  @Field(() => ID, { description: 'The ID of the fee receivable.' })
  feeReceivableId: string

  @Field(() => ID, { description: 'The ID of the account that owes the fee.' })
  arrangementId: string

  @Field(() => LabelScalar, { description: 'The code of the fee in the product.' })
  feeCode: string

  @Field(() => String, { description: 'The name of the fee, as it appears on statements.' })
  feeName: string

  @Field(() => LocalDateScalar, { description: 'The first day of the fee period.' })
  periodStart: string

  @Field(() => LocalDateScalar, { description: 'The last day of the fee period, inclusive.' })
  periodEnd: string

  @Field(() => FeeReceivableStatusEnum, { description: 'The status of the fee receivable.' })
  status: FeeReceivableStatus

  @Field(() => DateTimeScalar, {
    description: 'When the fee was charged and could not be collected, in UTC.',
  })
  dueSince: Date

  @Field(() => String, {
    description:
      'The problem code of the rejected posting, which is the reason why the fee could not be ' +
      'collected when it was charged.',
  })
  reasonCode: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the fee was collected in full, waived or reversed, in UTC; null while the fee ' +
      'receivable is `OPEN`.',
  })
  settledAt: Date | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The reason why the bank waived the outstanding amount; null if the bank did not waive it.',
  })
  waiverReason: string | null
}

export const FeeReceivableConnection = connectionOf('FeeReceivable', () => FeeReceivable)
