import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  type AmountSent,
} from '../../_kernel/scalars.ts'
import { dueParts, type DuePart } from '../domain/allocation.ts'
import { repaymentStates, type RepaymentState } from '../domain/repayment.ts'
import { AccountArrangementStub } from './stubs.types.ts'

const RepaymentStateEnum = wireEnum('RepaymentState', repaymentStates, 'Whether it stands.')
const DuePartEnum = wireEnum('DuePart', dueParts, 'What an instalment is made of.')

@ObjectType({ description: 'What a repayment paid of an instalment.' })
class RepaymentAllocation {
  @Field(() => Int)
  instalment: number

  @Field(() => DuePartEnum)
  part: DuePart

  @Field(() => DecimalScalar)
  amount: string
}

@ObjectType({ description: 'Money that was paid back, and what it paid.' })
@Directive('@key(fields: "repaymentId")')
export class Repayment {
  @Field(() => ID)
  repaymentId: string

  @Field(() => ID)
  facilityId: string

  @Field(() => RepaymentStateEnum)
  status: RepaymentState

  @Field(() => Boolean, { description: 'Taken from the settlement account by itself.' })
  isCollected: boolean

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => LocalDateScalar)
  paymentDate: string

  @Field(() => AccountArrangementStub, {
    nullable: true,
    description: 'Null for money that came from outside.',
  })
  source: AccountArrangementStub | null

  @Field(() => LabelScalar, { nullable: true })
  reference: string | null

  @Field(() => [RepaymentAllocation])
  allocations: RepaymentAllocation[]

  @Field(() => MoneyType, { description: 'Interest to date that was paid before it was due.' })
  extraInterest: MoneyType

  @Field(() => MoneyType, { description: 'Principal that was paid before it was due.' })
  extraPrincipal: MoneyType

  @Field(() => ID)
  postingInstructionId: string

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const RepaymentConnection = connectionOf('Repayment', () => Repayment)

@InputType({ description: 'Money that is paid back: what is due first, the rest in advance.' })
export class RecordRepaymentInput {
  @Field(() => ID, { nullable: true })
  repaymentId?: string | null

  @Field(() => ID)
  facilityId: string

  @Field(() => AmountScalar)
  amount: AmountSent

  @Field(() => CurrencyScalar, { nullable: true, description: 'That of the facility.' })
  currency?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Today when absent; up to 30 days back, for the bank.',
  })
  paymentDate?: string | null

  @Field(() => ID, { nullable: true, description: 'Absent when the money came from outside.' })
  sourceArrangementId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  reference?: string | null
}
