import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import { DateTimeScalar, LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import type { RailName } from '../domain/payment.ts'
import {
  frequencies,
  standingOrderStates,
  type Frequency,
  type StandingOrderState,
} from '../domain/standing-order.ts'
import { OrderInput, RailEnum } from './payment.types.ts'
import { ArrangementStub } from './posting.types.ts'

const StateEnum = wireEnum(
  'StandingOrderState',
  standingOrderStates,
  'Whether a standing order pays.',
)
const FrequencyEnum = wireEnum('StandingOrderFrequency', frequencies, 'How often it pays.')

@ObjectType({ description: 'A payment that repeats.' })
@Directive('@key(fields: "standingOrderId")')
export class StandingOrder {
  @Field(() => ID)
  standingOrderId: string

  @Field(() => StateEnum)
  state: StandingOrderState

  @Field(() => RailEnum)
  rail: RailName

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => ArrangementStub)
  debtorArrangement: ArrangementStub

  @Field(() => String, { nullable: true })
  creditorIban: string | null

  @Field(() => String, { nullable: true })
  creditorName: string | null

  @Field(() => LabelScalar, { nullable: true })
  endToEndId: string | null

  @Field(() => TextScalar, { nullable: true })
  remittanceInformation: string | null

  @Field(() => FrequencyEnum)
  frequency: Frequency

  @Field(() => LocalDateScalar)
  startsOn: string

  @Field(() => LocalDateScalar, { nullable: true })
  endsOn: string | null

  @Field(() => Int, { nullable: true })
  mostExecutions: number | null

  @Field(() => Int, { description: 'Days that a date is tried again for without the money.' })
  retryDays: number

  @Field(() => Int, { description: 'How often it has paid.' })
  executions: number

  @Field(() => LocalDateScalar, { nullable: true, description: 'The date it pays next.' })
  nextOn: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day that date is tried: a later one when the money was not there.',
  })
  attemptOn: string | null

  @Field(() => String, { nullable: true, description: 'Why the last attempt did not pay.' })
  reasonCode: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const StandingOrderConnection = connectionOf('StandingOrder', () => StandingOrder)

@InputType({ description: 'A payment to repeat, without end, to a day, or a number of times.' })
export class CreateStandingOrderInput extends OrderInput {
  @Field(() => ID, { nullable: true })
  standingOrderId?: string | null

  @Field(() => FrequencyEnum)
  frequency: Frequency

  @Field(() => LocalDateScalar, {
    description: 'Its first date; the others keep its day of the month, or the last of a shorter.',
  })
  startsOn: string

  @Field(() => LocalDateScalar, { nullable: true, description: 'No date after it is paid.' })
  endsOn?: string | null

  @Field(() => Int, { nullable: true })
  mostExecutions?: number | null

  @Field(() => Int, { nullable: true, description: '3 if left out, at most 10.' })
  retryDays?: number | null
}
