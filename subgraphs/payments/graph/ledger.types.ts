import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../_kernel/scalars.ts'
import { authorisationStates, type AuthorisationState } from '../../_ledger/domain/instruction.ts'
import { ArrangementStub, DirectionEnum } from './posting.types.ts'

@ObjectType({ description: 'What the accounts of one code come to.' })
export class LedgerCodeTotal {
  @Field(() => LabelScalar, {
    description: '`customer` for what customers hold, else a code of the chart of accounts.',
  })
  code: string

  @Field(() => LabelScalar, { description: 'Asset, liability, equity, income or expense.' })
  type: string

  @Field(() => DecimalScalar)
  debit: string

  @Field(() => DecimalScalar)
  credit: string
}

@ObjectType({ description: 'Everything that is booked in a currency. The difference is nothing.' })
export class TrialBalance {
  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar)
  debit: string

  @Field(() => DecimalScalar)
  credit: string

  @Field(() => DecimalScalar)
  difference: string

  @Field(() => [LedgerCodeTotal])
  accounts: LedgerCodeTotal[]
}

@ObjectType({ description: 'An inconsistency that a check of the ledger found.' })
export class LedgerFinding {
  @Field(() => String, { description: 'The invariant that does not hold.' })
  invariant: string

  @Field(() => String, { description: 'The account, authorization or posting it was found on.' })
  subject: string

  @Field(() => [ID], {
    description:
      'The ledger accounts concerned. Postings to them are suspended once the check that runs every five minutes has recorded the finding.',
  })
  accountIds: string[]

  @Field(() => String, { description: 'What was found, with the figures.' })
  detail: string
}

@ObjectType({ description: 'Whether the sealed journal is as it was written.' })
export class LedgerVerification {
  @Field(() => Int)
  linesChecked: number

  @Field(() => Int, { nullable: true, description: 'The first line that does not fit.' })
  badLine: number | null

  @Field(() => ID, { nullable: true })
  postingInstructionId: string | null

  @Field(() => String, { nullable: true })
  detail: string | null

  @Field(() => String, {
    description: 'The seal of the last line; kept elsewhere, it proves that nothing was cut off.',
  })
  head: string
}

const StateEnum = wireEnum(
  'AuthorisationState',
  authorisationStates,
  'Where a promise of money stands.',
)
@ObjectType({
  description: 'Money that was promised: authorised = settled + released + open at every moment.',
})
export class Authorisation {
  @Field(() => LabelScalar)
  clientTransactionId: string

  @Field(() => ArrangementStub)
  arrangement: ArrangementStub

  @Field(() => DirectionEnum)
  direction: 'in' | 'out'

  @Field(() => CurrencyScalar)
  currency: string

  @Field(() => DecimalScalar)
  authorised: string

  @Field(() => DecimalScalar)
  settled: string

  @Field(() => DecimalScalar)
  released: string

  @Field(() => DecimalScalar)
  open: string

  @Field(() => DecimalScalar, { description: 'Settled beyond what was authorised, as advice.' })
  exceeded: string

  @Field(() => StateEnum)
  state: AuthorisationState

  @Field(() => DateTimeScalar, { nullable: true })
  expiresAt: Date | null

  @Field(() => DateTimeScalar)
  openedAt: Date
}

export const AuthorisationConnection = connectionOf('Authorisation', () => Authorisation)
