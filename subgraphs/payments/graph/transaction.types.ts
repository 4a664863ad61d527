import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
  LocalDateScalar,
} from '../../_kernel/scalars.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import {
  transactionStatuses,
  type TransactionFilterAsked,
  type TransactionStatus,
} from '../domain/transaction.ts'

const TransactionStatusEnum = wireEnum(
  'TransactionStatus',
  transactionStatuses,
  'PENDING: authorized and not settled. BOOKED: in the balance. REVERSED: booked, and taken back by another ' +
    'transaction. RELEASED: authorized, and released or expired without being settled.',
)
const CreditDebitIndicatorEnum = wireEnum(
  'CreditDebitIndicator',
  ['credit', 'debit'] as const,
  'Whether money comes to the account (CREDIT) or leaves it (DEBIT), as in ISO 20022.',
)

@ObjectType({ description: 'The party on the other side of a transaction.' })
export class TransactionCounterparty {
  @Field(() => String, {
    nullable: true,
    description: 'The name of the payer, payee, or merchant.',
  })
  name: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The account number (IBAN) on the other side, as far as the payment has it.',
  })
  accountIdentification: string | null
}

@ObjectType({
  description:
    'One transaction as an account holder sees it: an authorization together with its settlements, or ' +
    'one booked posting. The ledger’s single movements are in `entries`.',
})
export class Transaction {
  @Field(() => ID, { description: 'The id of the posting instruction that began the transaction.' })
  transactionId: string

  @Field(() => TransactionStatusEnum)
  status: TransactionStatus

  @Field(() => CreditDebitIndicatorEnum)
  creditDebitIndicator: Side

  @Field(() => MoneyType, {
    description:
      'The amount, never negative. While PENDING what is authorized, including what is settled of it already.',
  })
  amount: MoneyType

  @Field(() => LocalDateScalar, {
    description: 'The day (UTC) on which the transaction began: authorized, or booked.',
  })
  date: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the transaction was booked; null while PENDING and when RELEASED.',
  })
  bookedAt: Date | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day from which it counts for interest; null until it is booked.',
  })
  valueDate: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The text of the transaction (remittance information).',
  })
  description: string | null

  @Field(() => String, { nullable: true, description: 'The end-to-end id of the payment.' })
  endToEndId: string | null

  @Field(() => TransactionCounterparty, {
    nullable: true,
    description: 'The other side; null for the bank itself and where nothing is known of it.',
  })
  counterparty: TransactionCounterparty | null

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the payment that the transaction belongs to.',
  })
  paymentId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the transaction that this one takes back.',
  })
  reversesTransactionId: string | null
}

export const TransactionConnection = connectionOf('Transaction', () => Transaction)

@InputType({ description: 'Which transactions to list. All members apply together.' })
export class TransactionFilterInput implements TransactionFilterAsked {
  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Begun on this day (UTC) or later.',
  })
  from?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'Begun on this day (UTC) or earlier.',
  })
  to?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Of this amount or more.' })
  minAmount?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Of this amount or less.' })
  maxAmount?: string | null

  @Field(() => [TransactionStatusEnum], { nullable: true, description: 'In one of these states.' })
  status?: TransactionStatus[] | null

  @Field(() => CreditDebitIndicatorEnum, { nullable: true, description: 'In this direction.' })
  creditDebitIndicator?: Side | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'In the text, the end-to-end id, the name, or the account number that the payment has, in any letter case.',
  })
  text?: string | null
}
