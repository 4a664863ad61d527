import { RateResetFrequency } from '../../../kernel/domain/rate-reset.ts'
import { decimal, input, integer, oneOf, shape, type TypeOf } from '../../../kernel/domain/model.ts'

export const ProductRateReset = shape(
  'ProductRateReset',
  'How the interest rate of a loan follows a reference rate.',
  {
    frequency: oneOf(RateResetFrequency, 'How often the rate is reset.'),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken; the last one before it if ' +
        'there is none for the day.',
    ),
    minimumRatePct: decimal('The lowest rate after a reset, in percent per year; 0 or higher.'),
    maximumRatePct: decimal(
      'The highest rate after a reset, in percent per year; null if there is none.',
    ).orNull(),
  },
)
export type ProductRateReset = TypeOf<typeof ProductRateReset>

export const ProductRateResetInput = input(
  'ProductRateResetInput',
  'How the interest rate of a loan follows the reference rate. If omitted, the rate that was agreed at ' +
    'opening does not change.',
  {
    frequency: oneOf(RateResetFrequency, 'How often the rate is reset.'),
    lookbackDays: integer(
      'How many calendar days before the reset date the fixing is taken, from 0 to 31. Defaults to 2. ' +
        'If there is no fixing for the day, the last one before it applies.',
    ).orNull(),
    minimumRatePct: decimal(
      'The lowest rate after a reset, in percent per year, 0 or higher. Defaults to 0.',
    ).orNull(),
    maximumRatePct: decimal(
      'The highest rate after a reset, in percent per year, not below the lowest. If omitted, there ' +
        'is none.',
    ).orNull(),
  },
)
export type ProductRateResetInput = TypeOf<typeof ProductRateResetInput>
