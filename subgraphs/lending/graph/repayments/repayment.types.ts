import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  type AmountSent,
} from '../../../../kernel/graph/scalars.ts'
import { dueParts, type DuePart } from '../../domain/repayments/allocation.ts'
import { repaymentStates, type RepaymentState } from '../../domain/repayments/repayment.ts'
import { AccountArrangementStub } from '../facilities/stubs.types.ts'

const RepaymentStateEnum = wireEnum(
  'RepaymentState',
  repaymentStates,
  'The lifecycle state of a repayment.',
  {
    applied: 'The repayment was booked.',
    reversed: 'The repayment was booked and reversed. This state is final.',
  },
)
const DuePartEnum = wireEnum(
  'DuePart',
  dueParts,
  'The part of an installment that a payment covers.',
  {
    fees: 'The fees of the installment.',
    penalties: 'The penalties charged for late payment of the installment.',
    interest: 'The interest of the installment.',
    principal: 'The principal of the installment.',
  },
)

@ObjectType({
  description:
    'The part of a repayment that covers principal, interest, fees or penalties of one ' +
    'installment.',
})
class RepaymentAllocation {
  @Field(() => Int, { description: 'The number of the installment.' })
  installment: number

  @Field(() => DuePartEnum, {
    description: 'Whether the amount covers principal, interest, fees or penalties.',
  })
  part: DuePart

  @Field(() => DecimalScalar, { description: 'The amount, in the currency of the facility.' })
  amount: string
}

@ObjectType({ description: 'A payment by the borrower, with its allocation to installments.' })
@Directive('@key(fields: "repaymentId")')
export class Repayment {
  @Field(() => ID, { description: 'The ID of the repayment.' })
  repaymentId: string

  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => RepaymentStateEnum, { description: 'The lifecycle state of the repayment.' })
  status: RepaymentState

  @Field(() => Boolean, {
    description:
      'Whether the bank collected the repayment from the settlement account. If not, the ' +
      'borrower paid it.',
  })
  isCollected: boolean

  @Field(() => MoneyType, { description: 'The amount of the repayment.' })
  amount: MoneyType

  @Field(() => LocalDateScalar, { description: 'The date of the payment.' })
  paymentDate: string

  @Field(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account that was debited; null if the money came from outside the bank.',
  })
  source: AccountArrangementStub | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference; null if none was given.",
  })
  reference: string | null

  @Field(() => [RepaymentAllocation], {
    description: 'The allocations of the repayment to installments that were already due.',
  })
  allocations: RepaymentAllocation[]

  @Field(() => MoneyType, {
    description: 'The part of the repayment that covers accrued interest before it is due.',
  })
  extraInterest: MoneyType

  @Field(() => MoneyType, {
    description: 'The part of the repayment that covers principal before it is due.',
  })
  extraPrincipal: MoneyType

  @Field(() => ID, { description: 'The ID of the posting instruction that booked the repayment.' })
  postingInstructionId: string

  @Field(() => DateTimeScalar, { description: 'When the repayment was recorded, in UTC.' })
  createdAt: Date
}

export const RepaymentConnection = connectionOf('Repayment', () => Repayment)

@InputType({
  description:
    'A repayment to record. It covers the amount due first, oldest installment first. The rest ' +
    'is a prepayment.',
})
export class RecordRepaymentInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new repayment; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing repayment.',
  })
  repaymentId?: string | null

  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => AmountScalar, {
    description: 'The amount, greater than zero and at most the payoff amount.',
  })
  amount: AmountSent

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "The currency of the amount. It must be the facility's currency, which is the default.",
  })
  currency?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date of the payment, not after today. Defaults to today. Only the bank can send a ' +
      'past date, at most 30 days back.',
  })
  paymentDate?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account to debit. If omitted, the money came from outside the bank. ' +
      'Required for delegated users.',
  })
  sourceArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference. It is stored and returned.",
  })
  reference?: string | null
}
