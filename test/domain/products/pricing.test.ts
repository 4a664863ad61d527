import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aprcOf,
  installmentOf,
  installmentPlan,
} from '../../../subgraphs/products/domain/annuity.ts'
import { behaviorOf } from '../../../subgraphs/products/domain/product-class.ts'
import { compareVersions } from '../../../subgraphs/products/domain/version-label.ts'

describe('installment of an annuity', () => {
  test.each([
    ['6000.00 at 9% over 24 months', 600_000n, '9', 24, 27_411n],
    ['200,000.00 at 6% over 30 years', 20_000_000n, '6', 360, 119_910n],
    ['1,000.00 without interest over 3 months', 100_000n, '0', 3, 33_333n],
  ])('%s', (_what, principal, rate, months, installment) => {
    expect(installmentOf(principal, rate, months)).toBe(installment)
  })

  test('the last payment absorbs the rounding, and no payment is negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10_000_000_00n),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 120 }),
        (principal, basisPoints, months) => {
          const rate = (basisPoints / 100).toFixed(2)
          const plan = installmentPlan(principal, rate, months)
          expect(plan).toHaveLength(months)
          expect(plan.every((payment) => payment >= 0n)).toBe(true)
          const paid = plan.reduce((sum, payment) => sum + payment, 0n)
          expect(paid >= principal).toBe(true)
          if (basisPoints === 0) expect(paid).toBe(principal)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('annual percentage rate of charge', () => {
  test('equals the effective annual rate when there are no fees', () => {
    for (const [nominal, effective] of [
      ['12', '12.68'],
      ['6', '6.17'],
      ['0', '0.00'],
    ] as const) {
      const plan = installmentPlan(1_000_000_000n, nominal, 36)
      expect(aprcOf(1_000_000_000n, plan)).toBe(effective)
    }
  })

  test('discounts all payments to the amount received', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100_000, max: 5_000_000 }),
        fc.integer({ min: 0, max: 2500 }),
        fc.integer({ min: 2, max: 360 }),
        fc.integer({ min: 0, max: 500 }),
        (principal, basisPoints, months, feeBasisPoints) => {
          const plan = installmentPlan(BigInt(principal), (basisPoints / 100).toFixed(2), months)
          const received = principal - Math.floor((principal * feeBasisPoints) / 10_000)
          const aprc = Number(aprcOf(BigInt(received), plan))
          const value = (percent: number) =>
            plan.reduce(
              (sum, due, at) => sum + Number(due) / (1 + percent / 100) ** ((at + 1) / 12),
              0,
            )
          // 0.005 is what rounding to two decimals may hide.
          expect(value(aprc - 0.0051)).toBeGreaterThanOrEqual(received - 1e-6)
          expect(value(aprc + 0.0051)).toBeLessThanOrEqual(received + 1e-6)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('rises with a fee: 6,000.00 at 9% over 24 months with 60.00 upfront', () => {
    expect(aprcOf(594_000n, installmentPlan(600_000n, '9', 24))).toBe('10.47')
  })

  test('is null when nothing is received or less is paid back', () => {
    expect(aprcOf(0n, [1n])).toBeNull()
    expect(aprcOf(2n, [1n])).toBeNull()
  })
})

test('digits in version labels compare as numbers', () => {
  const newestLast = [
    '2024.12',
    '2025.1',
    '2025.2',
    '2025.10',
    '2026.9',
    '2026.10',
    'beta 2',
    'beta 10',
  ]
  for (const [at, one] of newestLast.entries()) {
    for (const [place, other] of newestLast.entries()) {
      expect(Math.sign(compareVersions(one, other))).toBe(Math.sign(at - place))
    }
  }
  expect(compareVersions('2026.1', '2026.01')).not.toBe(0)
})

test('product classes are recognized in any spelling', () => {
  for (const text of ['current-account', 'CURRENT_ACCOUNT', 'Current Account']) {
    expect(behaviorOf(text)).toBe('current-account')
  }
  expect(behaviorOf('crypto-wallet')).toBeNull()
})
