import { enumeration, type TypeOf } from './model.ts'

export const RateResetFrequency = enumeration(
  'RateResetFrequency',
  'How often the interest rate of a loan is reset, counted from its first payout.',
  {
    monthly: 'Every month.',
    quarterly: 'Every three months.',
    'semi-annually': 'Every six months.',
    annually: 'Every twelve months.',
  },
)
export type RateResetFrequency = TypeOf<typeof RateResetFrequency>

/** The number of months between two resets. */
export const resetMonths: Readonly<Record<RateResetFrequency, number>> = {
  monthly: 1,
  quarterly: 3,
  'semi-annually': 6,
  annually: 12,
}

/** How a product ties the rates of its loans to a reference rate. */
export interface RateResetTerms {
  frequency: RateResetFrequency
  /** How many calendar days before the reset date the fixing is taken. */
  lookbackDays: number
  minimumRatePct: string
  maximumRatePct: string | null
}
