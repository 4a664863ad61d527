import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import {
  paymentStates,
  type Payment as PaymentRecord,
  type PaymentState,
} from '../domain/payment.ts'
import { railNames, rails } from '../rails/registry.ts'
import { ArrangementStub, DirectionEnum } from './posting.types.ts'

export const PaymentStateEnum = wireEnum(
  'PaymentState',
  paymentStates,
  'The lifecycle state of a payment.',
  {
    scheduled: 'The payment waits for its execution date.',
    accepted:
      'The amount is reserved on the account, and the payment waits for the cut-off of its rail.',
    submitted: 'The rail sent the payment to the other bank.',
    acknowledged: 'The other bank acknowledged the payment.',
    settled: 'The payment is complete. A payment to another bank can still be returned.',
    returned: 'The other bank sent the payment back. This state is final.',
    rejected: 'The payment could not be executed on its execution date. This state is final.',
    cancelled: 'The payment was cancelled before it was sent. This state is final.',
  },
)
export const RailEnum = wireEnum(
  'Rail',
  railNames,
  'The payment system that carries a payment to the creditor.',
  Object.fromEntries(rails.map(({ name, description }) => [name, description])),
)

@ObjectType({ description: 'The exchange rate of a transfer. The bank takes no margin.' })
export class TransferExchange {
  @Field(() => ID, { description: 'The ID of the exchange rate.' })
  exchangeRateId: string

  @Field(() => CurrencyScalar, {
    description: 'The base currency. The rate is the price of one unit of this currency.',
  })
  baseCurrency: string

  @Field(() => CurrencyScalar, {
    description: 'The quote currency, in which the rate is expressed.',
  })
  quoteCurrency: string

  @Field(() => DecimalScalar, {
    description: 'The number of units of the quote currency for one unit of the base currency.',
  })
  rate: string

  @Field(() => String, { description: 'The source of the rate, such as `ECB`.' })
  source: string

  @Field(() => DateTimeScalar, { description: 'The time to which the rate applies, in UTC.' })
  asOf: Date
}

@ObjectType({
  description:
    'The amounts of an exchange between two accounts of one customer at the rate in force.',
})
export class ExchangeQuote {
  @Field(() => MoneyType, { description: 'The amount debited from the debtor account.' })
  sold: MoneyType

  @Field(() => MoneyType, { description: 'The amount credited to the creditor account.' })
  bought: MoneyType

  @Field(() => TransferExchange, { description: 'The exchange rate.' })
  exchange: TransferExchange
}

@ObjectType({
  description: 'A payment from an account at this bank, or an incoming payment from another bank.',
})
@Directive('@key(fields: "paymentId")')
export class Payment {
  @Field(() => ID, { description: 'The ID of the payment.' })
  paymentId: string

  @Field(() => DirectionEnum, {
    description:
      '`OUT` if the payment debits an account at this bank, or `IN` if it comes from another bank.',
  })
  direction: PaymentRecord['direction']

  @Field(() => RailEnum, { description: 'The rail on which the payment is made.' })
  rail: string

  @Field(() => Boolean, {
    description:
      'Whether the rail simulates the other bank, so that no money leaves this bank. True only ' +
      'in the sandbox.',
  })
  isSimulated: boolean

  @Field(() => PaymentStateEnum, { description: 'The lifecycle state of the payment.' })
  state: PaymentState

  @Field(() => MoneyType, { description: 'The amount debited from the debtor.' })
  amount: MoneyType

  @Field(() => MoneyType, {
    nullable: true,
    description:
      'The amount credited to the creditor if its currency differs from that of `amount`; null ' +
      'otherwise.',
  })
  creditedAmount: MoneyType | null

  @Field(() => TransferExchange, {
    nullable: true,
    description:
      'The exchange rate between `amount` and `creditedAmount`; null if there is no exchange.',
  })
  exchange: TransferExchange | null

  @Field(() => ArrangementStub, {
    nullable: true,
    description:
      'The account that is debited; null if it is at another bank or is not visible to the caller.',
  })
  debtorArrangement: ArrangementStub | null

  @Field(() => String, {
    nullable: true,
    description:
      'The IBAN of a debtor at another bank; null if the debtor account is at this bank.',
  })
  debtorIban: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The name of a debtor at another bank; null if the debtor account is at this bank.',
  })
  debtorName: string | null

  @Field(() => ArrangementStub, {
    nullable: true,
    description:
      'The account that is credited; null if it is at another bank or is not visible to the ' +
      'caller.',
  })
  creditorArrangement: ArrangementStub | null

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

  @Field(() => LocalDateScalar, { description: 'The date on which the payment is executed.' })
  executionDate: string

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The end-to-end ID from the debtor; null if none was given.',
  })
  endToEndId: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information for the creditor; null if none was given.',
  })
  remittanceInformation: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the batch in which the rail sent the payment; null if the payment was not sent ' +
      'in a batch.',
  })
  batchId: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The cut-off time at which the rail sends the payment, in UTC; null if the payment was not ' +
      'accepted for a cut-off or was cancelled.',
  })
  cutOffAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the payment was settled, in UTC; null before that.',
  })
  settledAt: Date | null

  @Field(() => String, {
    nullable: true,
    description:
      'The problem code of the rejection or cancellation by the bank, or the ISO 20022 reason ' +
      'code of the return; null otherwise.',
  })
  reasonCode: string | null

  @Field(() => DateTimeScalar, { description: 'When the payment was created, in UTC.' })
  createdAt: Date
}

export const PaymentConnection = connectionOf('Payment', () => Payment)
