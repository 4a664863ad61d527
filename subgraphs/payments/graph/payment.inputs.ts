import { Field, ID, InputType } from 'type-graphql'
import { MoneyInput } from '../../../kernel/graph/money.types.ts'
import { LabelScalar, LocalDateScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import type { IncomingRequest, OrderRequest } from '../domain/order.ts'

@InputType({ description: 'The exchange to quote, between two accounts of one customer.' })
export class ExchangeQuoteInput {
  @Field(() => ID, { description: 'The ID of the account to debit.' })
  debtorArrangementId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account to credit. Send either `creditorArrangementId` or `creditorIban`.',
  })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The IBAN of the account to credit. Send either `creditorIban` or `creditorArrangementId`.',
  })
  creditorIban?: string | null

  @Field(() => MoneyInput, {
    description: 'The amount to sell or to buy, in the currency of either account.',
  })
  amount: MoneyInput
}

/** The fields that transfers and standing orders have in common. */
@InputType()
export class OrderInput implements OrderRequest {
  @Field(() => ID, { description: 'The ID of the account to debit.' })
  debtorArrangementId: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account at this bank to credit. Send either `creditorArrangementId` or ' +
      '`creditorIban`.',
  })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The IBAN of the account to credit, at this bank or another bank. Send either ' +
      '`creditorIban` or `creditorArrangementId`.',
  })
  creditorIban?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The name of the creditor, at most 70 characters. Required for accounts at other banks.',
  })
  creditorName?: string | null

  @Field(() => MoneyInput, { description: 'The amount to pay, greater than zero.' })
  amount: MoneyInput

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The end-to-end ID, at most 35 characters. It is passed on to the creditor.',
  })
  endToEndId?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information: a text for the creditor, at most 140 characters.',
  })
  remittanceInformation?: string | null
}

@InputType({ description: 'A payment to make, to an account at this bank or another bank.' })
export class CreateTransferInput extends OrderInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the new payment; generated if omitted. A repeated request with the same ID and ' +
      'content returns the existing payment.',
  })
  paymentId?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date on which to execute the payment, at most 365 days ahead. Defaults to today.',
  })
  executionDate?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the exchange rate from an `exchangeQuote`, for an exchange between two accounts ' +
      'of one customer. The transfer fails with `FX_QUOTE_OUTDATED` if another rate is in force. ' +
      'If omitted, the rate in force applies.',
  })
  exchangeRateId?: string | null
}

@InputType({
  description:
    'An incoming payment to simulate, as if another bank had sent it. Available only in the ' +
    'sandbox.',
})
export class SimulateIncomingPaymentInput implements IncomingRequest {
  @Field(() => LabelScalar, { description: 'The IBAN of the account at this bank to credit.' })
  creditorIban: string

  @Field(() => LabelScalar, { description: 'The IBAN of the debtor at another bank.' })
  debtorIban: string

  @Field(() => LabelScalar, { description: 'The name of the debtor, at most 70 characters.' })
  debtorName: string

  @Field(() => MoneyInput, { description: 'The amount, greater than zero, in EUR.' })
  amount: MoneyInput

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The end-to-end ID from the debtor, at most 35 characters.',
  })
  endToEndId?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information: a text for the creditor, at most 140 characters.',
  })
  remittanceInformation?: string | null
}
