import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import {
  frequencies,
  standingOrderStates,
  type Frequency,
  type StandingOrderState,
} from '../domain/standing-order.ts'
import { OrderInput } from './payment.inputs.ts'
import { RailEnum } from './payment.types.ts'
import { ArrangementStub } from './posting.types.ts'

const StateEnum = wireEnum(
  'StandingOrderState',
  standingOrderStates,
  'The lifecycle state of a standing order.',
  {
    active: 'Payments are made as scheduled.',
    paused: 'The standing order makes no payments until it is resumed.',
    completed: 'No further payment dates remain. This state is final.',
    cancelled: 'The standing order was cancelled. This state is final.',
  },
)
const FrequencyEnum = wireEnum(
  'StandingOrderFrequency',
  frequencies,
  'How often a standing order makes a payment.',
  {
    weekly: 'Every 7 days.',
    monthly:
      'Every month, on the day of the month of the first payment, or on the last day of a ' +
      'shorter month.',
    quarterly:
      'Every three months, on the day of the month of the first payment, or on the last day of a ' +
      'shorter month.',
  },
)

@ObjectType({ description: 'An instruction to pay the same amount at regular intervals.' })
@Directive('@key(fields: "standingOrderId")')
export class StandingOrder {
  @Field(() => ID, { description: 'The ID of the standing order.' })
  standingOrderId: string

  @Field(() => StateEnum, { description: 'The lifecycle state of the standing order.' })
  state: StandingOrderState

  @Field(() => RailEnum, { description: 'The rail on which the payments are made.' })
  rail: string

  @Field(() => MoneyType, { description: 'The amount of each payment.' })
  amount: MoneyType

  @Field(() => ArrangementStub, { description: 'The account that is debited.' })
  debtorArrangement: ArrangementStub

  @Field(() => String, {
    nullable: true,
    description: 'The IBAN of the creditor; null if the account was specified by its ID.',
  })
  creditorIban: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The name of the creditor; null if none was given.',
  })
  creditorName: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The end-to-end ID of the payments; null if none was given.',
  })
  endToEndId: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information for the creditor; null if none was given.',
  })
  remittanceInformation: string | null

  @Field(() => FrequencyEnum, { description: 'How often the standing order makes a payment.' })
  frequency: Frequency

  @Field(() => LocalDateScalar, { description: 'The date of the first payment.' })
  startsOn: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The last possible date of a payment; null if there is no end date.',
  })
  endsOn: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'The maximum number of payments; null if there is no maximum.',
  })
  maxExecutions: number | null

  @Field(() => Int, {
    description:
      'The number of days during which a payment is retried if the account has insufficient funds.',
  })
  retryDays: number

  @Field(() => Int, { description: 'The number of payments made.' })
  executions: number

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The date of the next payment; null if there is no further payment.',
  })
  nextOn: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The day of the next payment attempt, which is `nextOn` or, if the payment is being ' +
      'retried, a later day; null if there is no further payment.',
  })
  attemptOn: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The problem code of the latest attempt; null if it succeeded or if no attempt was made.',
  })
  reasonCode: string | null

  @Field(() => DateTimeScalar, { description: 'When the standing order was created, in UTC.' })
  createdAt: Date
}

export const StandingOrderConnection = connectionOf('StandingOrder', () => StandingOrder)

@InputType({
  description:
    'A standing order to create. It ends on a date, after a number of payments, or never.',
})
export class CreateStandingOrderInput extends OrderInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new standing order; generated if omitted. A repeated request with the same ' +
      'ID and content returns the existing standing order.',
  })
  standingOrderId?: string | null

  @Field(() => FrequencyEnum, { description: 'How often the standing order makes a payment.' })
  frequency: Frequency

  @Field(() => LocalDateScalar, {
    description:
      'The date of the first payment, from today to 365 days ahead. Later monthly and ' +
      'quarterly payments fall on the same day of the month, or on the last day of a shorter ' +
      'month.',
  })
  startsOn: string

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last possible date of a payment, not before `startsOn`. If omitted, the standing ' +
      'order has no end date.',
  })
  endsOn?: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'The maximum number of payments, at least 1. If omitted, there is no maximum.',
  })
  maxExecutions?: number | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of days during which a payment is retried if the account has insufficient ' +
      'funds, from 0 to 10. Defaults to 3.',
  })
  retryDays?: number | null
}
