import {
  decimal,
  enumeration,
  id,
  input,
  integer,
  money,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { OverdraftReset } from '../../../kernel/domain/overdraft.ts'
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

export const ProductFloatingOverdraftRate = shape(
  'ProductFloatingOverdraftRate',
  'How the rates of overdrafts follow a reference rate.',
  {
    referenceRateId: id('The ID of the reference rate.'),
    resets: oneOf(OverdraftReset, 'When the rates are reset.'),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken; the last one before it if ' +
        'there is none for the day.',
    ),
    minimumRatePct: decimal('The lowest rate, in percent per year; 0 or higher.'),
    maximumRatePct: decimal(
      'The highest rate, in percent per year; null if there is none.',
    ).orNull(),
  },
)

export const ProductOverdraft = shape(
  'ProductOverdraft',
  'The terms on which accounts under a product version can be overdrawn.',
  {
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit of the account, in percent per ' +
        'year, or what is added to the reference rate.',
    ),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year, or what is ' +
        'added to the reference rate.',
    ),
    floatingRate: object(
      ProductFloatingOverdraftRate,
      'The reference rate to which the two rates are added; null if they are fixed.',
    ).orNull(),
    commitmentFeePct: decimal(
      'The fee for the unused part of the limit, in percent per year; null if there is none.',
    ).orNull(),
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

const ProductFloatingOverdraftRateInput = input(
  'ProductFloatingOverdraftRateInput',
  'How the rates of overdrafts follow a reference rate.',
  {
    referenceRateId: id(
      'The ID of the reference rate. It must have a fixing for today or an earlier day.',
    ),
    resets: oneOf(OverdraftReset, 'When the rates are reset. Defaults to `DAILY`.').orNull(),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken, from 0 to 31. Defaults to 0. ' +
        'If there is no fixing for the day, the last one before it applies.',
    ).orNull(),
    minimumRatePct: decimal(
      'The lowest rate, in percent per year, from 0 to 100 with at most 6 decimals. Defaults to 0.',
    ).orNull(),
    maximumRatePct: decimal(
      'The highest rate, in percent per year, from 0 to 100 with at most 6 decimals and not below ' +
        'the lowest. If omitted, there is none.',
    ).orNull(),
  },
)

export const ProductOverdraftInput = input(
  'ProductOverdraftInput',
  'The terms on which accounts under a product version can be overdrawn. Rates are from 0 to 100 ' +
    'with at most 6 decimals or, with `floatingRate`, from -100 to 100.',
  {
    annualRatePct: decimal(
      'The interest rate for what is overdrawn within the limit of the account, in percent per ' +
        'year, or, with `floatingRate`, what is added to the reference rate.',
    ),
    unarrangedRatePct: decimal(
      'The interest rate for what is overdrawn beyond the limit, in percent per year, or, with ' +
        '`floatingRate`, what is added to the reference rate. Defaults to `annualRatePct`.',
    ).orNull(),
    floatingRate: object(
      ProductFloatingOverdraftRateInput,
      'The reference rate to which the two rates are added. If omitted, they are fixed.',
    ).orNull(),
    commitmentFeePct: decimal(
      'The fee for the unused part of the limit, in percent per year, above 0 and at most 100 with at ' +
        'most 6 decimals. If omitted, there is none.',
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
