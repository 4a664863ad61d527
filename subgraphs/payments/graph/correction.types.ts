import { Field, ID, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, DecimalScalar, TextScalar } from '../../_kernel/scalars.ts'
import { correctionStates, type CorrectionState } from '../../_ledger/corrections.ts'

export const CorrectionStateEnum = wireEnum(
  'BalanceCorrectionState',
  correctionStates,
  'The state of a balance correction. A correction changes the balance once it is approved.',
)

@ObjectType({
  description: 'The totals of a balance in each phase, in major units of the account’s currency.',
})
export class BalanceTotals {
  @Field(() => DecimalScalar, { description: 'The sum of booked debits.' })
  committedDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of booked credits.' })
  committedCredit: string

  @Field(() => DecimalScalar, { description: 'The sum of pending incoming debits.' })
  pendingInDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of pending incoming credits.' })
  pendingInCredit: string

  @Field(() => DecimalScalar, { description: 'The sum of pending outgoing debits.' })
  pendingOutDebit: string

  @Field(() => DecimalScalar, { description: 'The sum of pending outgoing credits.' })
  pendingOutCredit: string
}

@ObjectType({
  description:
    'A balance that is rebuilt from its entries because a check found it inconsistent. One person proposes a correction, another approves it.',
})
export class BalanceCorrection {
  @Field(() => ID, { description: 'The id of the correction.' })
  correctionId: string

  @Field(() => ID, {
    description:
      'The ledger account: an account arrangement, a loan account, or one of the bank’s own.',
  })
  accountId: string

  @Field(() => String, {
    description: 'The address within the account, `default` for almost every account.',
  })
  address: string

  @Field(() => CorrectionStateEnum, { description: 'The state of the correction.' })
  state: CorrectionState

  @Field(() => TextScalar, { description: 'Why the correction was proposed.' })
  reason: string

  @Field(() => ID, { description: 'The person or client that proposed the correction.' })
  proposedBy: string

  @Field(() => DateTimeScalar, { description: 'When the correction was proposed.' })
  proposedAt: Date

  @Field(() => ID, {
    nullable: true,
    description:
      'The person or client that approved or rejected the correction; null while it is proposed.',
  })
  decidedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the correction was approved or rejected; null while it is proposed.',
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
