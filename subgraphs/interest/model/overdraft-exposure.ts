import { date, integer, money, shape, stored, type TypeOf } from '../../../kernel/domain/model.ts'

export const OverdraftExposure = shape(
  'OverdraftExposure',
  'What the bank is exposed to by an account that is overdrawn or has an overdraft limit, at the end ' +
    'of a day and by value date. Back-dated postings change it.',
  {
    asOf: date('The day at whose end the amounts and the days apply.'),
    overdrawn: money('What the account is overdrawn; zero if it is not.'),
    accruedInterest: money('The interest that is accrued and not charged yet.'),
    limit: money('The overdraft limit; zero if the account has none.'),
    beyondLimit: money('The part of `overdrawn` that is beyond the limit.'),
    undrawn: money('The part of the limit that can still be drawn.'),
    overdrawnSince: date(
      'The first of the days in a row on which the account was overdrawn; null if it is not.',
    ).orNull(),
    beyondLimitSince: date(
      'The first of the days in a row on which the account was beyond its limit, or was overdrawn ' +
        'without a limit; null if it is not.',
    ).orNull(),
    daysPastDue: integer(
      'The number of days in a row beyond the limit, with the day of the breach; zero if the ' +
        'account is not past due.',
    ),
    arrangementId: stored<string>(),
  },
)
export type OverdraftExposure = TypeOf<typeof OverdraftExposure>

export const OverdraftExposurePosition = shape(
  'OverdraftExposurePosition',
  'How far the exposures of all accounts are derived.',
  {
    derivedThrough: date(
      'The last day through which the exposure of every account is derived; null if no account is ' +
        'followed.',
    ).orNull(),
  },
)
export type OverdraftExposurePosition = TypeOf<typeof OverdraftExposurePosition>
