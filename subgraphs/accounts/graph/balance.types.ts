import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  CurrencyScalar,
  LocalDateScalar,
  DateTimeScalar,
  DecimalScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import type { Side } from '../../_ledger/domain/account.ts'
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

  @Field(() => TextScalar, { nullable: true })
  remittanceInformation: string | null
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
