import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { MoneyType } from '../../_kernel/graph/money.types.ts'
import {
  CurrencyScalar,
  LocalDateScalar,
  DateTimeScalar,
  DecimalScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import { counterpartyKinds, type CounterpartyKind } from '../domain/counterparty.ts'
import { phases, type Phase } from '../../_ledger/domain/balance.ts'

const EntrySideEnum = wireEnum('EntrySide', ['debit', 'credit'] as const, 'A debit or a credit.')
const EntryPhaseEnum = wireEnum(
  'EntryPhase',
  phases,
  'Where money stands: booked, announced to come, or promised to leave.',
)

@ObjectType({ description: 'What an account holds, in its currency.' })
export class AccountBalance {
  @Field(() => ID)
  arrangementId: string

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar, { description: 'What is booked.' })
  committed: string

  @Field(() => DecimalScalar, { description: 'What is announced to come.' })
  pendingIn: string

  @Field(() => DecimalScalar, { description: 'What is promised to leave.' })
  pendingOut: string

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What may leave: committed − pendingOut + the overdraft limit. None as of a value date.',
  })
  available: string | null
}

const CounterpartyKindEnum = wireEnum(
  'CounterpartyKind',
  counterpartyKinds,
  'Who is on the other side: another account of the bank, somebody outside, or the bank itself.',
)

@ObjectType({ description: 'The other side of an entry.' })
export class Counterparty {
  @Field(() => CounterpartyKindEnum)
  kind: CounterpartyKind

  @Field(() => String, {
    nullable: true,
    description: 'The name of the holder of the account; null where it is not known.',
  })
  name: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The account number; null where it is not known, and for the bank itself.',
  })
  iban: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The loan or limit that the money came from or went to.',
  })
  facilityId: string | null
}

@ObjectType({ description: 'The exchange of currencies that an entry is one side of.' })
export class EntryExchange {
  @Field(() => MoneyType, { description: 'The amount on the other account, in its currency.' })
  counterAmount: MoneyType

  @Field(() => String, {
    nullable: true,
    description:
      'The currency pair and the rate, `EUR/USD 1.0850`: units of the second currency for one of the first. ' +
      'null where the bank posted without a rate.',
  })
  rate: string | null

  @Field(() => String, { nullable: true, description: 'Where the rate comes from.' })
  source: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'The time of the rate.' })
  asOf: Date | null
}

@ObjectType({ description: 'One movement of an account, as it was booked. It never changes.' })
export class AccountEntry {
  @Field(() => ID)
  entryId: string

  @Field(() => ID)
  postingInstructionId: string

  @Field(() => Int, { description: 'Counts from 1 within the account, without gaps.' })
  sequence: number

  @Field(() => EntryPhaseEnum)
  phase: Phase

  @Field(() => EntrySideEnum)
  side: Side

  @Field(() => DecimalScalar)
  amount: string

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar, { description: 'What its phase came to.' })
  balanceAfter: string

  @Field(() => DateTimeScalar)
  bookedAt: Date

  @Field(() => LocalDateScalar, { description: 'The day from which it counts for interest.' })
  valueDate: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The text of the movement: what the payer wrote, else what the movement is.',
  })
  remittanceInformation: string | null

  @Field(() => Counterparty, {
    description: 'The other side, as the holder of this account sees it.',
  })
  counterparty: Counterparty

  @Field(() => EntryExchange, {
    nullable: true,
    description: 'Where currencies were exchanged: the rate and the amount of the other side.',
  })
  exchange: EntryExchange | null
}

export const AccountEntryConnection = connectionOf('AccountEntry', () => AccountEntry)

@ObjectType({ description: 'What was booked on an account in a period of whole days (UTC).' })
export class AccountStatement {
  @Field(() => ID)
  arrangementId: string

  @Field(() => LocalDateScalar)
  from: string

  @Field(() => LocalDateScalar)
  to: string

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar)
  openingBalance: string

  @Field(() => DecimalScalar)
  closingBalance: string

  @Field(() => DecimalScalar)
  totalDebits: string

  @Field(() => DecimalScalar)
  totalCredits: string

  @Field(() => [AccountEntry])
  entries: AccountEntry[]
}
