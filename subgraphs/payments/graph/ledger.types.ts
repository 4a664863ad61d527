import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LabelScalar,
} from '../../../kernel/graph/scalars.ts'
import { authorizationStates, type AuthorizationState } from '../../../ledger/domain/instruction.ts'
import { ArrangementStub, DirectionEnum } from './posting.types.ts'

@ObjectType({ description: 'The totals of the ledger accounts that share a code.' })
export class LedgerCodeTotal {
  @Field(() => LabelScalar, {
    description:
      "The code of the accounts: `customer` for customers' accounts, `loan` for loans, or a " +
      'code of the chart of accounts.',
  })
  code: string

  @Field(() => LabelScalar, {
    description: 'The type of the accounts: `asset`, `liability`, `equity`, `income` or `expense`.',
  })
  type: string

  @Field(() => DecimalScalar, { description: 'The total of all booked debits.' })
  debit: string

  @Field(() => DecimalScalar, { description: 'The total of all booked credits.' })
  credit: string
}

@ObjectType({ description: 'The totals of all ledger accounts in one currency.' })
export class TrialBalance {
  @Field(() => CurrencyScalar, { description: 'The currency of the totals.' })
  currency: string

  @Field(() => DecimalScalar, { description: 'The total of all booked debits.' })
  debit: string

  @Field(() => DecimalScalar, { description: 'The total of all booked credits.' })
  credit: string

  @Field(() => DecimalScalar, {
    description: 'Debits minus credits. It is zero if the books are balanced.',
  })
  difference: string

  @Field(() => [LedgerCodeTotal], {
    description: 'The totals of the ledger accounts, by account code.',
  })
  accounts: LedgerCodeTotal[]
}

@ObjectType({ description: 'A violated invariant of the ledger.' })
export class LedgerFinding {
  @Field(() => String, { description: 'The name of the violated invariant.' })
  invariant: string

  @Field(() => String, {
    description: 'The ID of the account, authorization or posting instruction concerned.',
  })
  subject: string

  @Field(() => [ID], {
    description:
      'The IDs of the ledger accounts concerned. Postings to these accounts are suspended after ' +
      'the verification, which runs every five minutes, has recorded the finding.',
  })
  accountIds: string[]

  @Field(() => String, { description: 'A description of the violation, with the amounts.' })
  detail: string
}

@ObjectType({ description: 'The result of verifying the journal against its checkpoints.' })
export class LedgerVerification {
  @Field(() => Int, {
    description:
      'The number of journal lines that match their checkpoints, counted from the first line.',
  })
  linesChecked: number

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the first line that does not match, starting at 1; null if all lines ' +
      'match.',
  })
  badLine: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the posting instruction on line `badLine`; null if all lines match.',
  })
  postingInstructionId: string | null

  @Field(() => String, {
    nullable: true,
    description: 'A description of the mismatch; null if all lines match.',
  })
  detail: string | null

  @Field(() => String, {
    description:
      'The hash of the last matching checkpoint. Compare it with a copy that is stored elsewhere ' +
      'to detect lines that were removed at the end of the journal.',
  })
  head: string
}

const StateEnum = wireEnum(
  'AuthorizationState',
  authorizationStates,
  'The state of an authorization.',
  {
    open: 'The authorization is open, and nothing has been settled.',
    'partially-settled': 'A part of the authorization has been settled, and the rest is open.',
    settled:
      'The authorization was settled. Any part that was not settled has been released. This ' +
      'state is final.',
    released: 'The open amount was released. This state is final.',
    expired: 'The authorization expired and its open amount was released. This state is final.',
  },
)
@ObjectType({
  description:
    'An amount that is announced or reserved first and booked later. `authorized` always equals ' +
    '`settled` plus `released` plus `open`.',
})
export class Authorization {
  @Field(() => LabelScalar, { description: "The client's ID for the authorization." })
  clientTransactionId: string

  @Field(() => ArrangementStub, { description: 'The account on which the amount is authorized.' })
  arrangement: ArrangementStub

  @Field(() => DirectionEnum, {
    description: 'Whether the amount will be credited to the account or debited from it.',
  })
  direction: 'in' | 'out'

  @Field(() => CurrencyScalar, { description: 'The currency of the amounts.' })
  currency: string

  @Field(() => DecimalScalar, {
    description: 'The authorized amount, including adjustments.',
  })
  authorized: string

  @Field(() => DecimalScalar, {
    description: 'The part of the authorized amount that was settled.',
  })
  settled: string

  @Field(() => DecimalScalar, {
    description: 'The part of the authorized amount that was released or expired.',
  })
  released: string

  @Field(() => DecimalScalar, {
    description: 'The part of the authorized amount that is still reserved.',
  })
  open: string

  @Field(() => DecimalScalar, {
    description:
      'The amount that was settled beyond the authorized amount, by postings with `advice`.',
  })
  exceeded: string

  @Field(() => StateEnum, { description: 'The state of the authorization.' })
  state: AuthorizationState

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the authorization expires, in UTC; null if it does not expire.',
  })
  expiresAt: Date | null

  @Field(() => DateTimeScalar, { description: 'When the authorization was opened, in UTC.' })
  openedAt: Date
}

export const AuthorizationConnection = connectionOf('Authorization', () => Authorization)
