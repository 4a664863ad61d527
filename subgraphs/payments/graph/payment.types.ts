import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyInput, MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import type { IncomingAsked, OrderAsked } from '../domain/order.ts'
import {
  paymentStates,
  railNames,
  type Payment as PaymentRecord,
  type PaymentState,
  type RailName,
} from '../domain/payment.ts'
import { ArrangementStub, DirectionEnum } from './posting.types.ts'

export const PaymentStateEnum = wireEnum('PaymentState', paymentStates, 'How far a payment is.')
export const RailEnum = wireEnum(
  'Rail',
  railNames,
  'How money gets there: inside the bank at once, or by SEPA credit transfer, which only the sandbox has, as a simulation.',
)

@ObjectType({ description: 'The exchange rate of a transfer. The bank takes no margin.' })
export class TransferExchange {
  @Field(() => ID, { description: 'The rate in the rate table.' })
  exchangeRateId: string

  @Field(() => CurrencyScalar)
  baseCurrency: string

  @Field(() => CurrencyScalar)
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description: 'Units of the quote currency for one unit of the base currency.',
  })
  rate: string

  @Field(() => String, { description: 'Where the rate comes from.' })
  source: string

  @Field(() => DateTimeScalar, { description: 'The time of the rate.' })
  asOf: Date
}

@ObjectType({ description: 'What an exchange between two accounts of one customer comes to now.' })
export class ExchangeQuote {
  @Field(() => MoneyType, { description: 'The amount that leaves the debtor account.' })
  sold: MoneyType

  @Field(() => MoneyType, { description: 'The amount that arrives on the creditor account.' })
  bought: MoneyType

  @Field(() => TransferExchange)
  exchange: TransferExchange
}

@InputType({ description: 'An exchange to quote, between two accounts of one customer.' })
export class ExchangeQuoteInput {
  @Field(() => ID, { description: 'The account that is debited.' })
  debtorArrangementId: string

  @Field(() => ID, {
    nullable: true,
    description: 'The account that is credited; else `creditorIban`.',
  })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The IBAN of the account that is credited.',
  })
  creditorIban?: string | null

  @Field(() => MoneyInput, {
    description: 'The amount to sell or to buy, in the currency of either account.',
  })
  amount: MoneyInput
}

@ObjectType({ description: 'A payment from an account of the bank, or to one from outside.' })
@Directive('@key(fields: "paymentId")')
export class Payment {
  @Field(() => ID)
  paymentId: string

  @Field(() => DirectionEnum, { description: 'Out of an account of the bank, or in from outside.' })
  direction: PaymentRecord['direction']

  @Field(() => RailEnum)
  rail: RailName

  @Field(() => Boolean, {
    description:
      'Whether the rail simulates the other bank, so that no money leaves. Only the sandbox does.',
  })
  isSimulated: boolean

  @Field(() => PaymentStateEnum)
  state: PaymentState

  @Field(() => MoneyType)
  amount: MoneyType

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The amount that arrives, where that is another currency than `amount`; null otherwise.',
  })
  creditedAmount: MoneyType | null

  @Field(() => TransferExchange, {
    nullable: true,
    description: 'The exchange rate between `amount` and `creditedAmount`; null in one currency.',
  })
  exchange: TransferExchange | null

  @Field(() => ArrangementStub, { nullable: true, description: 'The payer’s, if yours to see.' })
  debtorArrangement: ArrangementStub | null

  @Field(() => String, { nullable: true, description: 'Of a payer outside.' })
  debtorIban: string | null

  @Field(() => String, { nullable: true })
  debtorName: string | null

  @Field(() => ArrangementStub, { nullable: true, description: 'The receiver’s, if yours to see.' })
  creditorArrangement: ArrangementStub | null

  @Field(() => String, { nullable: true })
  creditorIban: string | null

  @Field(() => String, { nullable: true })
  creditorName: string | null

  @Field(() => LocalDateScalar, { description: 'The day it is made.' })
  executionDate: string

  @Field(() => LabelScalar, { nullable: true })
  endToEndId: string | null

  @Field(() => TextScalar, { nullable: true })
  remittanceInformation: string | null

  @Field(() => ID, { nullable: true, description: 'The batch it went out with.' })
  batchId: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the rail sends it.' })
  cutOffAt: Date | null

  @Field(() => DateTimeScalar, { nullable: true })
  settledAt: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'Why it was rejected (a code of the bank), or returned (an ISO 20022 reason).',
  })
  reasonCode: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const PaymentConnection = connectionOf('Payment', () => Payment)

/** Who is paid what: the part that a transfer and a standing order share. */
@InputType()
export class OrderInput implements OrderAsked {
  @Field(() => ID)
  debtorArrangementId: string

  @Field(() => ID, { nullable: true, description: 'Of the bank; else `creditorIban`.' })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'Of this bank or another one.' })
  creditorIban?: string | null

  @Field(() => TextScalar, { nullable: true, description: 'Needed outside the bank.' })
  creditorName?: string | null

  @Field(() => MoneyInput)
  amount: MoneyInput

  @Field(() => LabelScalar, { nullable: true, description: 'At most 35 characters.' })
  endToEndId?: string | null

  @Field(() => TextScalar, { nullable: true, description: 'At most 140 characters.' })
  remittanceInformation?: string | null
}

@InputType({ description: 'A payment to make, to an account of this bank or another one.' })
export class CreateTransferInput extends OrderInput {
  @Field(() => ID, { nullable: true })
  paymentId?: string | null

  @Field(() => LocalDateScalar, { nullable: true, description: 'Today, if left out.' })
  executionDate?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The rate of a quote, for an exchange between two accounts of one customer. The transfer is rejected with ' +
      'FX_QUOTE_OUTDATED when another rate is in force. The rate in force is used when absent.',
  })
  exchangeRateId?: string | null
}

@InputType({ description: 'A payment that another bank is to have sent. Only in the sandbox.' })
export class SimulateIncomingPaymentInput implements IncomingAsked {
  @Field(() => LabelScalar, { description: 'Of an account of this bank.' })
  creditorIban: string

  @Field(() => LabelScalar, { description: 'Of an account elsewhere.' })
  debtorIban: string

  @Field(() => LabelScalar)
  debtorName: string

  @Field(() => MoneyInput)
  amount: MoneyInput

  @Field(() => LabelScalar, { nullable: true })
  endToEndId?: string | null

  @Field(() => TextScalar, { nullable: true, description: 'At most 140 characters.' })
  remittanceInformation?: string | null
}
