import { TransactionStatus } from './enumerations.ts'
import {
  connectionOf,
  date,
  decimal,
  enumeration,
  id,
  input,
  instant,
  label,
  list,
  money,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

const CreditDebitIndicatorEnum = enumeration(
  'CreditDebitIndicator',
  'Whether a transaction credits or debits an account, as in ISO 20022.',
  { credit: 'Money is credited to the account.', debit: 'Money is debited from the account.' },
)

export const TransactionCounterparty = shape(
  'TransactionCounterparty',
  'The other party of a transaction.',
  {
    name: string('The name of the payer, payee or merchant; null if it is not known.').orNull(),
    accountIdentification: string(
      'The IBAN of the account of the other party; null if it is not known.',
    ).orNull(),
  },
)
export type TransactionCounterparty = TypeOf<typeof TransactionCounterparty>

export const Transaction = shape(
  'Transaction',
  'One transaction as an account holder sees it: an authorization together with its ' +
    'settlements, or one booked posting. The entries in the ledger are in ' +
    '`AccountArrangement.entries`.',
  {
    transactionId: id('The ID of the posting instruction that started the transaction.'),
    status: oneOf(TransactionStatus, 'The status of the transaction.'),
    creditDebitIndicator: oneOf(
      CreditDebitIndicatorEnum,
      'Whether the transaction credits or debits the account.',
    ),
    amount: money(
      'The amount, zero or more. While the transaction is `PENDING`, this is the authorized ' +
        'amount, including the parts that are already settled.',
    ),
    date: date(
      'The day (UTC) on which the transaction was authorized or, without an authorization, ' +
        'booked.',
    ),
    bookedAt: instant(
      'When the transaction was booked, in UTC; null if it is `PENDING` or `RELEASED`.',
    ).orNull(),
    valueDate: date(
      'The date from which the transaction counts for interest; null until it is booked.',
    ).orNull(),
    description: string(
      'The remittance information of the transaction; null if there is none.',
    ).orNull(),
    endToEndId: string('The end-to-end ID of the payment; null if it has none.').orNull(),
    counterparty: object(
      TransactionCounterparty,
      'The other party of the transaction; null if it is the bank itself or not known.',
    ).orNull(),
    paymentId: id(
      'The ID of the payment to which the transaction belongs; null if it belongs to none.',
    ).orNull(),
    reversesTransactionId: id(
      'The ID of the transaction that this one reverses; null if it reverses none.',
    ).orNull(),
  },
)
export type Transaction = TypeOf<typeof Transaction>

export const TransactionConnection = connectionOf(Transaction)

export const TransactionFilterRequest = input(
  'TransactionFilterInput',
  'The filter for transactions. All fields that are sent must match.',
  {
    from: date('Returns only transactions that started on this day (UTC) or later.').orNull(),
    to: date('Returns only transactions that started on this day (UTC) or earlier.').orNull(),
    minAmount: decimal(
      'Returns only transactions of at least this amount, in the currency of the account.',
    ).orNull(),
    maxAmount: decimal(
      'Returns only transactions of at most this amount, in the currency of the account.',
    ).orNull(),
    status: list(
      oneOf(TransactionStatus),
      'Returns only transactions with one of these statuses.',
    ).orNull(),
    creditDebitIndicator: oneOf(
      CreditDebitIndicatorEnum,
      'Returns only transactions in this direction.',
    ).orNull(),
    text: label(
      'Returns only transactions with this text in the description, the end-to-end ID, or the ' +
        'name or IBAN of the counterparty. Letter case is ignored.',
    ).orNull(),
  },
)
export type TransactionFilterRequest = TypeOf<typeof TransactionFilterRequest>
