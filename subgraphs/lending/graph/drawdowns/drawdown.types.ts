import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  AmountScalar,
  CurrencyScalar,
  DateTimeScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
  type AmountSent,
} from '../../../../kernel/graph/scalars.ts'
import { drawdownStates, type DrawdownState } from '../../domain/drawdowns/drawdown.ts'
import { NextInstallment, ScheduleFigures } from '../schedules/facility-schedule.types.ts'
import { Installment } from '../schedules/schedule.types.ts'
import { AccountArrangementStub } from '../facilities/stubs.types.ts'

const DrawdownStateEnum = wireEnum(
  'DrawdownState',
  drawdownStates,
  'The lifecycle state of a drawdown.',
  {
    requested:
      "The drawdown waits for the bank's approval. Its amount is reserved against the limit.",
    approved:
      'The drawdown will be paid out on its value date. Its amount is reserved against the limit.',
    disbursed: 'The drawdown was paid out.',
    reversed: 'The drawdown was paid out and reversed. This state is final.',
    declined: 'The bank declined the drawdown. This state is final.',
    cancelled: 'The drawdown was cancelled before it was paid out. This state is final.',
  },
)

@ObjectType({ description: 'A payout from a facility.' })
@Directive('@key(fields: "drawdownId")')
export class Drawdown {
  @Field(() => ID, { description: 'The ID of the drawdown.' })
  drawdownId: string

  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => MoneyType, { description: 'The amount drawn, including the upfront fees.' })
  amount: MoneyType

  @Field(() => MoneyType, {
    description: 'The upfront fees deducted from the payout; zero until the drawdown is paid out.',
  })
  fee: MoneyType

  @Field(() => DrawdownStateEnum, { description: 'The lifecycle state of the drawdown.' })
  status: DrawdownState

  @Field(() => LocalDateScalar, {
    description: 'The date of the payout, from which interest accrues.',
  })
  valueDate: string

  @Field(() => AccountArrangementStub, {
    nullable: true,
    description:
      'The account at this bank that receives the payout; null if the payout goes to another bank.',
  })
  destination: AccountArrangementStub | null

  @Field(() => String, {
    nullable: true,
    description:
      'The IBAN that receives the payout; null if the account was specified by its ID or is the ' +
      "facility's settlement account.",
  })
  destinationIban: string | null

  @Field(() => Boolean, {
    description:
      'Whether the payout goes to an account at another bank. This is possible only in the ' +
      'sandbox, where such a payout is simulated and no money leaves the bank.',
  })
  isSimulated: boolean

  @Field(() => String, {
    nullable: true,
    description: 'The name of the recipient; null if none was given.',
  })
  destinationName: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The purpose stated in the request; null if none was given.',
  })
  purpose: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference; null if none was given.",
  })
  reference: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      "The client's name for the tranche that the drawdown belongs to; null if none was given.",
  })
  trancheId: string | null

  @Field(() => MoneyType, {
    description:
      'The amount that could be drawn before the drawdown, calculated when the drawdown was ' +
      'requested.',
  })
  availableLimitBefore: MoneyType

  @Field(() => MoneyType, {
    description:
      'The amount that can be drawn after the drawdown, calculated when the drawdown was ' +
      'requested.',
  })
  availableLimitAfter: MoneyType

  @Field(() => MoneyType, {
    description:
      'The outstanding principal after the drawdown: the expected amount until the drawdown is ' +
      'paid out, then the actual amount at the payout.',
  })
  outstandingPrincipal: MoneyType

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the schedule version that the payout created; null until the drawdown is ' +
      'paid out.',
  })
  scheduleVersion: number | null

  @Field(() => NextInstallment, {
    nullable: true,
    description:
      'The next installment under the schedule version in `scheduleVersion`, as of the payout; ' +
      'null until the drawdown is paid out.',
  })
  nextInstallment: NextInstallment | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the posting instruction that booked the payout; null until the drawdown is ' +
      'paid out.',
  })
  postingInstructionId: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The reason given for declining the drawdown, or the problem code because of which the ' +
      'drawdown was cancelled when it was to be paid out; null in all other cases.',
  })
  reasonCode: string | null

  @Field(() => DateTimeScalar, { description: 'When the drawdown was requested, in UTC.' })
  createdAt: Date
}

export const DrawdownConnection = connectionOf('Drawdown', () => Drawdown)

@ObjectType({ description: 'The effects that a drawdown would have. Nothing is stored.' })
export class DrawdownPreview {
  @Field(() => MoneyType, { description: 'The amount to be drawn, including the upfront fees.' })
  amount: MoneyType

  @Field(() => MoneyType, {
    description: 'The upfront fees that would be deducted from the payout.',
  })
  fee: MoneyType

  @Field(() => LocalDateScalar, {
    description: 'The date of the payout, from which interest would accrue.',
  })
  valueDate: string

  @Field(() => MoneyType, { description: 'The amount that can be drawn now.' })
  availableLimitBefore: MoneyType

  @Field(() => MoneyType, { description: 'The amount that could be drawn after the drawdown.' })
  availableLimitAfter: MoneyType

  @Field(() => MoneyType, { description: 'The outstanding principal after the drawdown.' })
  outstandingPrincipal: MoneyType

  @Field(() => Int, {
    description: 'The number of the schedule version that the payout would create.',
  })
  scheduleVersion: number

  @Field(() => NextInstallment, {
    nullable: true,
    description: 'The next installment under the new schedule version; null if none is left.',
  })
  nextInstallment: NextInstallment | null

  @Field(() => ScheduleFigures, {
    nullable: true,
    description:
      'The key figures of the current schedule; null for a loan without earlier drawdowns.',
  })
  before: ScheduleFigures | null

  @Field(() => ScheduleFigures, {
    description: 'The key figures of the schedule after the drawdown.',
  })
  after: ScheduleFigures

  @Field(() => [Installment], {
    description: 'The installments of the schedule after the drawdown.',
  })
  installments: Installment[]
}

@InputType({ description: 'An account at this bank or another bank, identified by its IBAN.' })
class ExternalAccountInput {
  @Field(() => String, { description: 'The IBAN of the account. Spaces are ignored.' })
  iban: string

  @Field(() => LabelScalar, { nullable: true, description: 'The name of the account holder.' })
  name?: string | null
}

@InputType({ description: 'The account that receives the payout. Send exactly one of the fields.' })
class DrawdownDestinationInput {
  @Field(() => ID, { nullable: true, description: 'The ID of an account at this bank.' })
  arrangementId?: string | null

  @Field(() => ExternalAccountInput, {
    nullable: true,
    description: 'An account identified by its IBAN.',
  })
  externalAccount?: ExternalAccountInput | null
}

@InputType({ description: 'A drawdown to request or to preview.' })
export class CreateDrawdownInput {
  @Field(() => ID, { description: 'The ID of the facility to draw from.' })
  facilityId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new drawdown; generated if omitted. A repeated request with the same ID ' +
      'and content returns the existing drawdown.',
  })
  drawdownId?: string | null

  @Field(() => AmountScalar, { description: 'The amount to draw, greater than zero.' })
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
      'The date on which the drawdown is paid out, at most 366 days ahead. Defaults to today. ' +
      'Only the bank can send a past date, at most 30 days back.',
  })
  valueDate?: string | null

  @Field(() => DrawdownDestinationInput, {
    nullable: true,
    description:
      "The account that receives the payout. Defaults to the facility's settlement account.",
  })
  destination?: DrawdownDestinationInput | null

  @Field(() => TextScalar, { nullable: true, description: 'The purpose of the drawdown.' })
  purpose?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's name for the tranche that the drawdown belongs to.",
  })
  trancheId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's own reference. It is stored and returned.",
  })
  reference?: string | null
}
