import {
  decimal,
  enumeration,
  input,
  integer,
  money,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { DepositDayCountEnum } from './deposit-interest.ts'

export const OverdraftChargeFrequencyEnum = enumeration(
  'OverdraftChargeFrequency',
  'When the accrued interest of an overdraft is charged to the account.',
  {
    monthly: 'On the first day of each month, for the month before.',
    quarterly: 'On the first day of each calendar quarter, for the quarter before.',
    annually: 'On January 1, for the year before.',
  },
)

export const ProductOverdraft = shape(
  'ProductOverdraft',
  'The terms on which accounts under a product version can be overdrawn.',
  {
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit of the account, in percent per ' +
        'year.',
    ),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year.',
    ),
    interestFreeAmount: money(
      'The amount that can be overdrawn without interest; null if there is none.',
    ).orNull(),
    dayCount: oneOf(DepositDayCountEnum, 'How the days of an interest period are counted.'),
    charging: oneOf(OverdraftChargeFrequencyEnum, 'When accrued interest is charged.'),
    noticeDays: integer(
      'The number of days from the approval of a lower limit until it can begin to apply.',
    ),
    suspendAfterDays: integer(
      'The number of days in a row beyond the limit after which interest is not accrued; null if ' +
        'interest is always accrued.',
    ).orNull(),
  },
)
export type ProductOverdraft = TypeOf<typeof ProductOverdraft>

export const ProductOverdraftInput = input(
  'ProductOverdraftInput',
  'The terms on which accounts under a product version can be overdrawn. Rates are from 0 to 100 ' +
    'with at most 6 decimals.',
  {
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit of the account, in percent per ' +
        'year.',
    ),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year. Defaults to ' +
        '`annualRatePct`.',
    ).orNull(),
    interestFreeAmount: money(
      'The amount that can be overdrawn without interest. If given, the product must have exactly ' +
        'its currency. If omitted, there is none.',
    ).orNull(),
    dayCount: oneOf(
      DepositDayCountEnum,
      'How the days of an interest period are counted. Defaults to `ACT_365`.',
    ).orNull(),
    charging: oneOf(
      OverdraftChargeFrequencyEnum,
      'When accrued interest is charged. Defaults to `MONTHLY`.',
    ).orNull(),
    noticeDays: integer(
      'The number of days from the approval of a lower limit until it can begin to apply, from 0 ' +
        'to 365. Defaults to 0.',
    ).orNull(),
    suspendAfterDays: integer(
      'The number of days in a row beyond the limit after which interest is not accrued, from 1 ' +
        'to 3,650. If omitted, interest is always accrued.',
    ).orNull(),
  },
)
export type ProductOverdraftInput = TypeOf<typeof ProductOverdraftInput>
