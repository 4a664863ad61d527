import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { MoneyType } from '../../../kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  LocalDateScalar,
  DateTimeScalar,
  DecimalScalar,
} from '../../../kernel/graph/scalars.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import { counterpartyKinds, type CounterpartyKind } from '../domain/counterparty.ts'
import { phases, type Phase } from '../../../ledger/domain/balance.ts'

const EntrySideEnum = wireEnum(
  'EntrySide',
  ['debit', 'credit'] as const,
  'Whether an entry is a debit or a credit.',
  {
    debit: 'The entry is a debit.',
    credit: 'The entry is a credit.',
  },
)
const EntryPhaseEnum = wireEnum(
  'EntryPhase',
  phases,
  'Whether an amount is booked, or only authorized to be credited or debited.',
  {
    committed: 'The amount is booked.',
    'pending-in': 'The amount is authorized to be credited and is not booked yet.',
    'pending-out': 'The amount is authorized to be debited and is not booked yet.',
  },
)

@ObjectType({
  description: 'The balance of an account. Amounts are in the currency of the account.',
})
export class AccountBalance {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => CurrencyScalar, { description: 'The currency of the account.' })
  currency: string

  @Field(() => DecimalScalar, { description: 'The booked balance.' })
  committed: string

  @Field(() => DecimalScalar, {
    description: 'The total of authorized credits that are not booked yet.',
  })
  pendingIn: string

  @Field(() => DecimalScalar, {
    description: 'The total of authorized debits that are not booked yet.',
  })
  pendingOut: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The available balance: `committed` minus `pendingOut` plus the overdraft limit. Null for ' +
      'a balance by value date.',
  })
  available: string | null
}

const CounterpartyKindEnum = wireEnum(
  'CounterpartyKind',
  counterpartyKinds,
  'Who is on the other side of an entry.',
  {
    customer: "Another customer's account at this bank.",
    external: 'A person or organization outside the bank.',
    bank: 'The bank itself.',
  },
)

@ObjectType({ description: 'The counterparty of an entry: who is on its other side.' })
export class Counterparty {
  @Field(() => CounterpartyKindEnum, {
    description:
      'Who is on the other side: another customer, a person or organization outside the bank, or ' +
      'the bank itself.',
  })
  kind: CounterpartyKind

  @Field(() => String, {
    nullable: true,
    description: 'The name of the counterparty; null if it is not known.',
  })
  name: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The IBAN on the other side; null if it is not known or the other side is the bank ' +
      'itself.',
  })
  iban: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the facility that the money came from or went to; null if there is none.',
  })
  facilityId: string | null
}

@ObjectType({ description: 'The currency exchange that an entry belongs to.' })
export class EntryExchange {
  @Field(() => MoneyType, {
    description:
      'The amount that was booked on the other account, in the currency of that account.',
  })
  counterAmount: MoneyType

  @Field(() => String, {
    nullable: true,
    description:
      'The currency pair and the exchange rate, such as `EUR/USD 1.0850`: units of the second ' +
      'currency for one unit of the first. Null if the bank posted without an exchange rate.',
  })
  rate: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The source of the exchange rate, such as `ECB`; null if the bank posted without an ' +
      'exchange rate.',
  })
  source: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The time to which the exchange rate applies, in UTC; null if the bank posted without an ' +
      'exchange rate.',
  })
  asOf: Date | null
}

@ObjectType({ description: 'One debit or credit of an account. It is immutable.' })
export class AccountEntry {
  @Field(() => ID, { description: 'The ID of the entry.' })
  entryId: string

  @Field(() => ID, { description: 'The ID of the posting instruction that booked the entry.' })
  postingInstructionId: string

  @Field(() => Int, {
    description: 'The position of the entry within the account, starting at 1 without gaps.',
  })
  sequence: number

  @Field(() => EntryPhaseEnum, {
    description: 'Whether the amount is booked, or only authorized to be credited or debited.',
  })
  phase: Phase

  @Field(() => EntrySideEnum, { description: 'Whether the entry is a debit or a credit.' })
  side: Side

  @Field(() => DecimalScalar, {
    description: 'The amount, always positive, in the currency of the account.',
  })
  amount: string

  @Field(() => CurrencyScalar, { description: 'The currency of the account.' })
  currency: string

  @Field(() => DecimalScalar, {
    description:
      'The total after the entry, in the currency of the account: the booked balance if `phase` ' +
      'is `COMMITTED`, the authorized credits if it is `PENDING_IN`, or the authorized debits if ' +
      'it is `PENDING_OUT`.',
  })
  balanceAfter: string

  @Field(() => DateTimeScalar, { description: 'When the entry was booked, in UTC.' })
  bookedAt: Date

  @Field(() => LocalDateScalar, {
    description: 'The date from which the entry counts for interest.',
  })
  valueDate: string
}

export const AccountEntryConnection = connectionOf('AccountEntry', () => AccountEntry)

@ObjectType({
  description:
    'The entries of an account in a period of whole days (UTC), with the booked balance at the ' +
    'start and at the end of the period. Amounts are in the currency of the account.',
})
export class AccountStatement {
  @Field(() => ID, { description: 'The ID of the account.' })
  arrangementId: string

  @Field(() => LocalDateScalar, { description: 'The first day of the period.' })
  from: string

  @Field(() => LocalDateScalar, { description: 'The last day of the period, inclusive.' })
  to: string

  @Field(() => CurrencyScalar, { description: 'The currency of the account.' })
  currency: string

  @Field(() => DecimalScalar, {
    description: 'The booked balance at the start of the first day of the statement period.',
  })
  openingBalance: string

  @Field(() => DecimalScalar, {
    description: 'The booked balance at the end of the last day of the statement period.',
  })
  closingBalance: string

  @Field(() => DecimalScalar, { description: 'The sum of the booked debits in the period.' })
  totalDebits: string

  @Field(() => DecimalScalar, { description: 'The sum of the booked credits in the period.' })
  totalCredits: string

  @Field(() => [AccountEntry], {
    description: 'The booked entries in the period, oldest first, at most 5,000.',
  })
  entries: AccountEntry[]
}
