import { describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import {
  dailyInterest,
  nextPeriodStartOf,
  periodStartOf,
  unitsPerMinor,
  type DepositDayCount,
  type DepositInterest,
} from '../../../kernel/domain/deposit-interest.ts'
import { roundHalfEven } from '../../../kernel/domain/rational.ts'

const fixed = (annualRatePct: string, dayCount: DepositDayCount = 'act-365'): DepositInterest => ({
  tierMethod: 'band',
  tiers: [{ upTo: null, annualRatePct }],
  dayCount,
  minimumBalance: null,
  capitalization: 'monthly',
  withholdingTaxPct: '0',
  existingAccountsFrom: null,
})

/** The interest of a constant balance from a day until another, in minor units. */
function interestOf(terms: DepositInterest, balanceMinor: bigint, from: string, until: string) {
  let units = 0n
  for (let day = from; day < until; day = addDays(day, 1)) {
    units += dailyInterest(terms, balanceMinor, day, from)
  }
  return roundHalfEven(units, unitsPerMinor)
}

// "The Actual/Actual Day Count Fraction", International Swaps and Derivatives Association, 1999:
// interest of 10 % on 10,000 by the ISDA method. The memorandum states the amounts.
test.each([
  ['2003-11-01', '2004-05-01', 497_72n],
  ['1999-02-01', '1999-07-01', 410_96n],
  ['1999-07-01', '2000-07-01', 1001_38n],
  ['2002-08-15', '2003-07-15', 915_07n],
  ['2003-07-15', '2004-01-15', 504_00n],
  ['1999-07-30', '2000-01-30', 503_89n],
  ['2000-01-30', '2000-06-30', 415_30n],
])('Actual/Actual (ISDA) from %s to %s', (from, until, interestMinor) => {
  expect(interestOf(fixed('10', 'act-act'), 10_000_00n, from, until)).toBe(interestMinor)
})

// The rules of rates count decimals without the zeros at their end, and so must the calculation.
test.each([
  ['1.5', '1.500000'],
  ['1.5', '1.5000000'],
  ['1.5', '1.5000000000'],
  ['2', '2.0000000'],
  ['-0.75', '-0.7500000000'],
  ['0.000001', '0.0000010000'],
])('a rate of %s earns as much as one of %s', (rate, longer) => {
  const from = '2027-01-01'
  const earned = (percent: string) => dailyInterest(fixed(percent), 10_000_00n, from, from)
  expect(earned(longer)).toBe(earned(rate))
  expect(earned(rate)).not.toBe(0n)
})

// The days of the worked examples for the 2006 ISDA Definitions, section 4.16(f) and (g). At 36 % on
// 1,000, a day earns exactly 1.
test.each([
  ['2007-01-15', '2007-01-30', 15, 15],
  ['2007-01-15', '2007-02-15', 30, 30],
  ['2007-09-30', '2008-03-31', 180, 180],
  ['2007-01-15', '2007-01-31', 16, 15],
  ['2007-01-31', '2007-02-28', 28, 28],
  ['2007-02-28', '2007-03-31', 33, 32],
  ['2007-02-28', '2007-03-05', 7, 7],
  ['2007-08-31', '2008-02-29', 179, 179],
  ['2008-02-29', '2009-02-28', 359, 359],
])('from %s to %s: 30/360 counts %i days, 30E/360 %i', (from, until, us, european) => {
  const interest = (dayCount: DepositDayCount) =>
    interestOf(fixed('36', dayCount), 1000_00n, from, until)
  expect(interest('thirty-360-us')).toBe(BigInt(us) * 100n)
  expect(interest('thirty-e-360')).toBe(BigInt(european) * 100n)
})

// The 2006 ISDA Definitions, section 4.16(d) and (e): days / 365 and days / 360, also in leap years.
test.each([
  ['2024-01-01', '2025-01-01', 366],
  ['2024-02-28', '2024-03-01', 2],
  ['2025-02-28', '2025-03-01', 1],
  ['2025-01-01', '2025-07-01', 181],
])('from %s to %s: %i actual days', (from, until, days) => {
  const interest = (rate: string, dayCount: DepositDayCount) =>
    interestOf(fixed(rate, dayCount), 1000_00n, from, until)
  expect(interest('36.5', 'act-365')).toBe(BigInt(days) * 100n)
  expect(interest('36', 'act-360')).toBe(BigInt(days) * 100n)
})

describe('Tiers', () => {
  const tiers = [
    { upTo: { amountMinor: 10_000_00n, currency: 'EUR' }, annualRatePct: '1' },
    { upTo: { amountMinor: 50_000_00n, currency: 'EUR' }, annualRatePct: '2' },
    { upTo: null, annualRatePct: '0.5' },
  ]
  const terms = { ...fixed('0', 'act-365'), tiers }
  const annual = (balanceMinor: bigint, more: Partial<DepositInterest> = {}) =>
    interestOf({ ...terms, ...more }, balanceMinor, '2025-01-01', '2026-01-01')

  test.each([
    [5_000_00n, 50_00n, 50_00n],
    [10_000_00n, 100_00n, 100_00n],
    [10_000_01n, 100_00n, 200_00n],
    [30_000_00n, 500_00n, 600_00n],
    [50_000_00n, 900_00n, 1000_00n],
    [70_000_00n, 1000_00n, 350_00n],
    [0n, 0n, 0n],
    [-5_000_00n, 0n, 0n],
  ])('a balance of %i earns %i by bands and %i as a whole', (balanceMinor, bands, whole) => {
    expect(annual(balanceMinor)).toBe(bands)
    expect(annual(balanceMinor, { tierMethod: 'whole-balance' })).toBe(whole)
  })

  test('a balance below the minimum earns nothing', () => {
    const minimumBalance = { amountMinor: 1_000_00n, currency: 'EUR' }
    expect(annual(999_99n, { minimumBalance })).toBe(0n)
    expect(annual(1_000_00n, { minimumBalance })).toBe(10_00n)
  })

  test('a negative rate charges a positive balance, and never an overdrawn one', () => {
    const negative = { tiers: [{ upTo: null, annualRatePct: '-0.5' }] }
    expect(annual(10_000_00n, negative)).toBe(-50_00n)
    expect(annual(-10_000_00n, negative)).toBe(0n)
  })
})

test.each([
  ['monthly', '2025-05-31', '2025-05-01', '2025-06-01'],
  ['monthly', '2025-12-01', '2025-12-01', '2026-01-01'],
  ['quarterly', '2025-06-30', '2025-04-01', '2025-07-01'],
  ['quarterly', '2025-11-15', '2025-10-01', '2026-01-01'],
  ['annually', '2024-02-29', '2024-01-01', '2025-01-01'],
  ['at-maturity', '2024-02-29', null, null],
] as const)('a %s period of %s begins on %s, the next on %s', (frequency, day, start, next) => {
  expect(periodStartOf(frequency, day)).toBe(start)
  expect(nextPeriodStartOf(frequency, day)).toBe(next)
})
