import {
  decimal,
  enumeration,
  id,
  instant,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const CorrectionStateEnum = enumeration(
  'BalanceCorrectionState',
  'The state of a balance correction.',
  {
    proposed: 'The correction has not been decided.',
    approved:
      'The correction was approved and the balance rebuilt from its entries. This state is ' +
      'final.',
    rejected: 'The correction was rejected and the balance was not changed. This state is final.',
  },
)

export const BalanceTotals = shape(
  'BalanceTotals',
  'The totals of a balance in each phase, in the currency of the account.',
  {
    committedDebit: decimal('The sum of booked debits.'),
    committedCredit: decimal('The sum of booked credits.'),
    pendingInDebit: decimal('The sum of debits in the phase `PENDING_IN`.'),
    pendingInCredit: decimal('The sum of credits in the phase `PENDING_IN`.'),
    pendingOutDebit: decimal('The sum of debits in the phase `PENDING_OUT`.'),
    pendingOutCredit: decimal('The sum of credits in the phase `PENDING_OUT`.'),
  },
)
export type BalanceTotals = TypeOf<typeof BalanceTotals>

export const BalanceCorrection = shape(
  'BalanceCorrection',
  'A four-eyes repair that rebuilds an inconsistent balance from its entries. One person ' +
    'proposes it, and another person approves it.',
  {
    correctionId: id('The ID of the correction.'),
    accountId: id(
      'The ID of the ledger account: an account arrangement, a loan account or an internal ' +
        'account.',
    ),
    address: string('The address within the ledger account, `default` for most accounts.'),
    state: oneOf(CorrectionStateEnum, 'Whether the correction is proposed, approved or rejected.'),
    reason: text('Why the correction was proposed.'),
    proposedBy: id('The person or client that proposed the correction.'),
    proposedAt: instant('When the correction was proposed, in UTC.'),
    decidedBy: id(
      'The person or client that approved or rejected the correction; null while it is proposed.',
    ).orNull(),
    decidedAt: instant(
      'When the correction was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    before: object(
      BalanceTotals,
      'The totals that were replaced; null unless the correction is approved.',
    ).orNull(),
    after: object(
      BalanceTotals,
      'The totals that were rebuilt from the entries; null unless the correction is approved.',
    ).orNull(),
  },
)
export type BalanceCorrection = TypeOf<typeof BalanceCorrection>
