import {
  boolean,
  date,
  decimal,
  id,
  instant,
  money,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { InterestPosition } from '../domain/position.ts'

export const CommitmentFee = shape(
  'CommitmentFee',
  'The fee for the unused part of the limit of an account. It is accrued for each day on the limit ' +
    'less what the account is overdrawn by value date at the end of the day.',
  {
    accruedThrough: date(
      'The last day whose fee is accrued. It is the day before the opening of the account until the ' +
        'first day is accrued.',
    ),
    accrued: money(
      'The accrued fee that is not charged yet. Negative if the bank owes a refund after a correction.',
    ),
    position: stored<InterestPosition>(),
  },
)
export type CommitmentFee = TypeOf<typeof CommitmentFee>

export const CommitmentFeeAccrual = shape(
  'CommitmentFeeAccrual',
  'The commitment fee of one day on which the account had a limit.',
  {
    accruedOn: date('The day.'),
    unused: money('The unused part of the limit at the end of the day.'),
    exactAmount: decimal(
      'The fee of the day in the currency of the account, with 10 decimals. Accruals are exact; only ' +
        'their total is rounded, when it is booked.',
    ),
    isPaused: boolean('Whether nothing was accrued, because the account was blocked for debits.'),
    overdraftId: id('The ID of the overdraft whose limit applied.').orNull(),
  },
)
export type CommitmentFeeAccrual = TypeOf<typeof CommitmentFeeAccrual>

export const CommitmentFeeCharge = shape(
  'CommitmentFeeCharge',
  'An accrued commitment fee that was charged to the account.',
  {
    chargeId: id('The ID of the charge.'),
    periodStart: date('The first day of the fee that was charged.'),
    periodEnd: date('The last day of the fee that was charged.'),
    effectiveOn: date('The day from which the charged fee is part of the balance.'),
    amount: money('The fee. Negative if the bank refunded it after a correction.'),
    createdAt: instant('When the fee was charged, in UTC.'),
    postingInstructionId: stored<string>(),
  },
)
export type CommitmentFeeCharge = TypeOf<typeof CommitmentFeeCharge>
