import {
  boolean,
  date,
  decimal,
  id,
  instant,
  integer,
  money,
  oneOf,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { InterestPosition } from '../domain/position.ts'
import { CapitalizationReasonEnum } from './enumerations.ts'

export const OverdraftInterest = shape(
  'OverdraftInterest',
  'The interest of an overdrawn account. Interest is accrued for each day on what the account is ' +
    'overdrawn by value date at the end of the day: within the limit at the arranged rate, beyond ' +
    'it at the unarranged rate.',
  {
    accruedThrough: date(
      'The last day whose interest is accrued. It is the day before the opening of the account ' +
        'until the first day is accrued.',
    ),
    accrued: money(
      'The accrued interest that is not charged yet. Negative if the bank owes a refund after a ' +
        'correction.',
    ),
    daysBeyondLimit: integer(
      'How many days in a row the account was beyond its limit at the end of `accruedThrough`.',
    ),
    position: stored<InterestPosition>(),
  },
)
export type OverdraftInterest = TypeOf<typeof OverdraftInterest>

export const OverdraftRates = shape(
  'OverdraftRates',
  'The interest rates of an overdraft on one day, in percent per year.',
  {
    annualRatePct: decimal('The rate for what is overdrawn within the limit.'),
    unarrangedRatePct: decimal('The rate for what is overdrawn beyond the limit.'),
    resetOn: date(
      'The reset date from which the rates follow; null if they are fixed, and before the first reset ' +
        'with a fixing.',
    ).orNull(),
    fixedOn: date(
      'The day of the fixing to which the margins were added; null if the rates are fixed.',
    ).orNull(),
    fixingPct: decimal('The fixing, in percent per year; null if the rates are fixed.').orNull(),
    isOverdue: boolean(
      'Whether a later reset waited for its fixing, so that the rates stayed the same.',
    ),
  },
)
export type OverdraftRates = TypeOf<typeof OverdraftRates>

export const OverdraftInterestAccrual = shape(
  'OverdraftInterestAccrual',
  'The interest of one day on which the account was overdrawn.',
  {
    accruedOn: date('The day.'),
    overdrawn: money('What the account was overdrawn by value date at the end of the day.'),
    exactAmount: decimal(
      'The interest of the day in the currency of the account, with 10 decimals. Accruals are ' +
        'exact; only their total is rounded, when it is booked.',
    ),
    daysBeyondLimit: integer('How many days in a row the account was beyond its limit.'),
    isSuspended: boolean(
      'Whether no interest was accrued, because the account was beyond its limit for too many days.',
    ),
    overdraftId: id(
      'The ID of the overdraft whose limit and rates applied; null if the account had none.',
    ).orNull(),
    position: stored<InterestPosition>(),
  },
)
export type OverdraftInterestAccrual = TypeOf<typeof OverdraftInterestAccrual>

export const OverdraftInterestCharge = shape(
  'OverdraftInterestCharge',
  'Accrued interest that was charged to the account.',
  {
    chargeId: id('The ID of the charge.'),
    reason: oneOf(CapitalizationReasonEnum, 'Why the interest was charged.'),
    periodStart: date('The first day of the interest that was charged.'),
    periodEnd: date('The last day of the interest that was charged.'),
    effectiveOn: date('The day from which the charged interest is part of the balance.'),
    amount: money('The interest. Negative if the bank refunded it after a correction.'),
    createdAt: instant('When the interest was charged, in UTC.'),
    postingInstructionId: stored<string>(),
  },
)
export type OverdraftInterestCharge = TypeOf<typeof OverdraftInterestCharge>

export const OverdraftPreview = shape(
  'OverdraftPreview',
  'What an overdrawn amount would cost if it stayed the same and the terms did not change, apart ' +
    'from changes that are already approved.',
  {
    from: date('The first day that is counted: today.'),
    until: date('The day on which the interest would be charged. It costs nothing itself.'),
    overdrawn: money('The amount on which the interest is computed.'),
    interest: money('The interest, with the interest on interest that is charged meanwhile.'),
    commitmentFee: money('The fee for the unused part of the limit; zero if there is none.'),
  },
)
export type OverdraftPreview = TypeOf<typeof OverdraftPreview>
