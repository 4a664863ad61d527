import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
} from '../../../kernel/graph/scalars.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import {
  transactionStatuses,
  type TransactionFilterRequest,
  type TransactionStatus,
} from '../domain/transaction.ts'

const TransactionStatusEnum = wireEnum(
  'TransactionStatus',
  transactionStatuses,
  'The status of a transaction.',
  {
    pending: 'The transaction is authorized, and at least a part of it is not settled.',
    booked: 'The transaction is booked.',
    reversed: 'The transaction was booked and later reversed by another transaction.',
    released: 'The authorization was released or expired without being settled.',
  },
)
const CreditDebitIndicatorEnum = wireEnum(
  'CreditDebitIndicator',
  ['credit', 'debit'] as const,
  'Whether a transaction credits or debits an account, as in ISO 20022.',
  { credit: 'Money is credited to the account.', debit: 'Money is debited from the account.' },
)

@ObjectType({ description: 'The other party of a transaction.' })
export class TransactionCounterparty {
  @Field(() => String, {
    nullable: true,
    description: 'The name of the payer, payee or merchant; null if it is not known.',
  })
  name: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The IBAN of the account of the other party; null if it is not known.',
  })
  accountIdentification: string | null
}

@ObjectType({
  description:
    'One transaction as an account holder sees it: an authorization together with its ' +
    'settlements, or one booked posting. The entries in the ledger are in ' +
    '`AccountArrangement.entries`.',
})
export class Transaction {
  @Field(() => ID, {
    description: 'The ID of the posting instruction that started the transaction.',
  })
  transactionId: string

  @Field(() => TransactionStatusEnum, { description: 'The status of the transaction.' })
  status: TransactionStatus

  @Field(() => CreditDebitIndicatorEnum, {
    description: 'Whether the transaction credits or debits the account.',
  })
  creditDebitIndicator: Side

  @Field(() => MoneyType, {
    description:
      'The amount, zero or more. While the transaction is `PENDING`, this is the authorized ' +
      'amount, including the parts that are already settled.',
  })
  amount: MoneyType

  @Field(() => LocalDateScalar, {
    description:
      'The day (UTC) on which the transaction was authorized or, without an authorization, ' +
      'booked.',
  })
  date: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the transaction was booked, in UTC; null if it is `PENDING` or `RELEASED`.',
  })
  bookedAt: Date | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date from which the transaction counts for interest; null until it is booked.',
  })
  valueDate: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The remittance information of the transaction; null if there is none.',
  })
  description: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The end-to-end ID of the payment; null if it has none.',
  })
  endToEndId: string | null

  @Field(() => TransactionCounterparty, {
    nullable: true,
    description: 'The other party of the transaction; null if it is the bank itself or not known.',
  })
  counterparty: TransactionCounterparty | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the payment to which the transaction belongs; null if it belongs to none.',
  })
  paymentId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the transaction that this one reverses; null if it reverses none.',
  })
  reversesTransactionId: string | null
}

export const TransactionConnection = connectionOf('Transaction', () => Transaction)

@InputType({ description: 'The filter for transactions. All fields that are sent must match.' })
export class TransactionFilterInput implements TransactionFilterRequest {
  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Returns only transactions that started on this day (UTC) or later.',
  })
  from?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Returns only transactions that started on this day (UTC) or earlier.',
  })
  to?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Returns only transactions of at least this amount, in the currency of the account.',
  })
  minAmount?: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Returns only transactions of at most this amount, in the currency of the account.',
  })
  maxAmount?: string | null

  @Field(() => [TransactionStatusEnum], {
    nullable: true,
    description: 'Returns only transactions with one of these statuses.',
  })
  status?: TransactionStatus[] | null

  @Field(() => CreditDebitIndicatorEnum, {
    nullable: true,
    description: 'Returns only transactions in this direction.',
  })
  creditDebitIndicator?: Side | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'Returns only transactions with this text in the description, the end-to-end ID, or the ' +
      'name or IBAN of the counterparty. Letter case is ignored.',
  })
  text?: string | null
}
