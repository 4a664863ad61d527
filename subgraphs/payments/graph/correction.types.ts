import { Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, DecimalScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { correctionStates, type CorrectionState } from '../../../ledger/corrections.ts'

export const CorrectionStateEnum = wireEnum(
  'BalanceCorrectionState',
  correctionStates,
  'The state of a balance correction.',
  {
    proposed: 'The correction has not been decided.',
    approved:
      'The correction was approved and the balance rebuilt from its entries. This state is ' +
      'final.',
    rejected: 'The correction was rejected and the balance was not changed. This state is final.',
  },
)

@ObjectType({
  description: 'The totals of a balance in each phase, in the currency of the account.',
})
export class BalanceTotals {
  @Field(() => DecimalScalar, { description: 'The sum of booked debits.' })
  committedDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of booked credits.' })
  committedCredit: string

  @Field(() => DecimalScalar, { description: 'The sum of debits in the phase `PENDING_IN`.' })
  pendingInDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of credits in the phase `PENDING_IN`.' })
  pendingInCredit: string

  @Field(() => DecimalScalar, { description: 'The sum of debits in the phase `PENDING_OUT`.' })
  pendingOutDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of credits in the phase `PENDING_OUT`.' })
  pendingOutCredit: string
}

@ObjectType({
  description:
    'A four-eyes repair that rebuilds an inconsistent balance from its entries. One person ' +
    'proposes it, and another person approves it.',
})
export class BalanceCorrection {
  @Field(() => ID, { description: 'The ID of the correction.' })
  correctionId: string

  @Field(() => ID, {
    description:
      'The ID of the ledger account: an account arrangement, a loan account or an internal ' +
      'account.',
  })
  accountId: string

  @Field(() => String, {
    description: 'The address within the ledger account, `default` for most accounts.',
  })
  address: string

  @Field(() => CorrectionStateEnum, {
    description: 'Whether the correction is proposed, approved or rejected.',
  })
  state: CorrectionState

  @Field(() => TextScalar, { description: 'Why the correction was proposed.' })
  reason: string

  @Field(() => ID, { description: 'The person or client that proposed the correction.' })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the correction was proposed, in UTC.' })
  proposedAt: Date

  @Field(() => ID, {
    nullable: true,
    description:
      'The person or client that approved or rejected the correction; null while it is proposed.',
  })
  decidedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the correction was approved or rejected, in UTC; null while it is proposed.',
  })
  decidedAt: Date | null

  @Field(() => BalanceTotals, {
    nullable: true,
    description: 'The totals that were replaced; null unless the correction is approved.',
  })
  before: BalanceTotals | null

  @Field(() => BalanceTotals, {
    nullable: true,
    description:
      'The totals that were rebuilt from the entries; null unless the correction is approved.',
  })
  after: BalanceTotals | null
}

export const BalanceCorrectionConnection = connectionOf(
  'BalanceCorrection',
  () => BalanceCorrection,
)
