import { date, id, input, label, money, text, type TypeOf } from '../../../kernel/domain/model.ts'

export const ExchangeQuoteInput = input(
  'ExchangeQuoteInput',
  'The exchange to quote, between two accounts of one customer.',
  {
    debtorArrangementId: id('The ID of the account to debit.'),
    creditorArrangementId: id(
      'The ID of the account to credit. Send either `creditorArrangementId` or `creditorIban`.',
    ).orNull(),
    creditorIban: label(
      'The IBAN of the account to credit. Send either `creditorIban` or `creditorArrangementId`.',
    ).orNull(),
    amount: money('The amount to sell or to buy, in the currency of either account.'),
  },
)
export type ExchangeQuoteInput = TypeOf<typeof ExchangeQuoteInput>

/** The fields that transfers and standing orders have in common. */
export const OrderRequest = input('OrderInput', '', {
  debtorArrangementId: id('The ID of the account to debit.'),
  creditorArrangementId: id(
    'The ID of the account at this bank to credit. Send either `creditorArrangementId` or ' +
      '`creditorIban`.',
  ).orNull(),
  creditorIban: label(
    'The IBAN of the account to credit, at this bank or another bank. Send either ' +
      '`creditorIban` or `creditorArrangementId`.',
  ).orNull(),
  creditorName: text(
    'The name of the creditor, at most 70 characters. Required for accounts at other banks.',
  ).orNull(),
  amount: money('The amount to pay, greater than zero.'),
  endToEndId: label(
    'The end-to-end ID, at most 35 characters. It is passed on to the creditor.',
  ).orNull(),
  remittanceInformation: text(
    'The remittance information: a text for the creditor, at most 140 characters.',
  ).orNull(),
})
export type OrderRequest = TypeOf<typeof OrderRequest>

export const CreateTransferInput = input(
  'CreateTransferInput',
  'A payment to make, to an account at this bank or another bank.',
  {
    ...OrderRequest.fields,
    paymentId: id(
      'The ID of the new payment; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing payment.',
    ).orNull(),
    executionDate: date(
      'The date on which to execute the payment, at most 365 days ahead. Defaults to today.',
    ).orNull(),
    exchangeRateId: id(
      'The ID of the exchange rate from an `exchangeQuote`, for an exchange between two accounts ' +
        'of one customer. The transfer fails with `FX_QUOTE_OUTDATED` if another rate is in force. ' +
        'If omitted, the rate in force applies.',
    ).orNull(),
  },
)
export type CreateTransferInput = TypeOf<typeof CreateTransferInput>

export const IncomingRequest = input(
  'SimulateIncomingPaymentInput',
  'An incoming payment to simulate, as if another bank had sent it. Available only in the ' +
    'sandbox.',
  {
    creditorIban: label('The IBAN of the account at this bank to credit.'),
    debtorIban: label('The IBAN of the debtor at another bank.'),
    debtorName: label('The name of the debtor, at most 70 characters.'),
    amount: money('The amount, greater than zero, in EUR.'),
    endToEndId: label('The end-to-end ID from the debtor, at most 35 characters.').orNull(),
    remittanceInformation: text(
      'The remittance information: a text for the creditor, at most 140 characters.',
    ).orNull(),
  },
)
export type IncomingRequest = TypeOf<typeof IncomingRequest>
