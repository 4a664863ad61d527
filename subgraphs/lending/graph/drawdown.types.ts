import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../_kernel/scalars.ts'
import { drawdownStates, type DrawdownState } from '../domain/drawdown.ts'
import { NextInstalment, ScheduleFigures } from './facility-schedule.types.ts'
import { Instalment } from './schedule.types.ts'
import { AccountArrangementStub } from './stubs.types.ts'

const DrawdownStateEnum = wireEnum('DrawdownState', drawdownStates, 'How far a drawdown is.')

@ObjectType({ description: 'Money drawn from a facility.' })
@Directive('@key(fields: "drawdownId")')
export class Drawdown {
  @Field(() => ID)
  drawdownId: string

  @Field(() => ID)
  facilityId: string

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => MoneyType, {
    description: 'Upfront fees deducted from the payment; zero until it is paid out.',
  })
  fee: MoneyType

  @Field(() => DrawdownStateEnum)
  status: DrawdownState

  @Field(() => LocalDateScalar)
  valueDate: string

  @Field(() => AccountArrangementStub, { nullable: true, description: 'Where it went.' })
  destination: AccountArrangementStub | null

  @Field(() => String, { nullable: true, description: 'Where it went, by account number.' })
  destinationIban: string | null

  @Field(() => Boolean, {
    description:
      'Whether the payment to another bank was simulated, so that no money left. Only the sandbox ' +
      'simulates; false for an account of this bank.',
  })
  isSimulated: boolean

  @Field(() => String, { nullable: true })
  destinationName: string | null

  @Field(() => TextScalar, { nullable: true })
  purpose: string | null

  @Field(() => LabelScalar, { nullable: true })
  reference: string | null

  @Field(() => LabelScalar, { nullable: true })
  trancheId: string | null

  @Field(() => MoneyType, { description: 'When it was asked for.' })
  availableLimitBefore: MoneyType

  @Field(() => MoneyType)
  availableLimitAfter: MoneyType

  @Field(() => MoneyType, { description: 'With it.' })
  outstandingPrincipal: MoneyType

  @Field(() => Int, { nullable: true, description: 'That of the schedule it made.' })
  scheduleVersion: number | null

  @Field(() => NextInstalment, { nullable: true, description: 'By that schedule.' })
  nextInstalment: NextInstalment | null

  @Field(() => ID, { nullable: true })
  postingInstructionId: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Why it was not paid out.' })
  reasonCode: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const DrawdownConnection = connectionOf('Drawdown', () => Drawdown)

@ObjectType({ description: 'What a drawdown would do. Nothing is stored.' })
export class DrawdownPreview {
  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => MoneyType, { description: 'Upfront fees that would be deducted from the payment.' })
  fee: MoneyType

  @Field(() => LocalDateScalar)
  valueDate: string

  @Field(() => MoneyType)
  availableLimitBefore: MoneyType

  @Field(() => MoneyType)
  availableLimitAfter: MoneyType

  @Field(() => MoneyType)
  outstandingPrincipal: MoneyType

  @Field(() => Int)
  scheduleVersion: number

  @Field(() => NextInstalment, { nullable: true })
  nextInstalment: NextInstalment | null

  @Field(() => ScheduleFigures, { nullable: true, description: 'Null before the first drawdown.' })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures)
  after: ScheduleFigures

  @Field(() => [Instalment])
  instalments: Instalment[]
}

@InputType({ description: 'An account of another bank, or of this one by its number.' })
class ExternalAccountInput {
  @Field(() => String, { description: 'An IBAN.' })
  iban: string

  @Field(() => LabelScalar, { nullable: true })
  name?: string | null
}

@InputType({ description: 'Either an arrangement or an external account.' })
class DrawdownDestinationInput {
  @Field(() => ID, { nullable: true })
  arrangementId?: string | null

  @Field(() => ExternalAccountInput, { nullable: true })
  externalAccount?: ExternalAccountInput | null
}

@InputType({ description: 'A drawdown.' })
export class CreateDrawdownInput {
  @Field(() => ID)
  facilityId: string

  @Field(() => ID, { nullable: true })
  drawdownId?: string | null

  @Field(() => AmountScalar)
  amount: AmountSent

  @Field(() => CurrencyScalar, { nullable: true, description: 'That of the facility.' })
  currency?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Today when absent; it is paid out on that day.',
  })
  valueDate?: string | null

  @Field(() => DrawdownDestinationInput, {
    nullable: true,
    description: 'The settlement account of the facility when absent.',
  })
  destination?: DrawdownDestinationInput | null

  @Field(() => TextScalar, { nullable: true })
  purpose?: string | null

  @Field(() => LabelScalar, { nullable: true })
  trancheId?: string | null

  @Field(() => LabelScalar, { nullable: true })
  reference?: string | null
}
