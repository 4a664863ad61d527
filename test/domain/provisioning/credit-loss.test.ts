import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expectedCreditLoss,
  type Exposure,
  type RiskRates,
} from '../../../subgraphs/provisioning/domain/credit-loss.ts'
import { formatPercent, parsePercent } from '../../../subgraphs/provisioning/domain/percent.ts'
import * as exact from './exact.ts'

const percent = (text: string): bigint => parsePercent(text)!

function lossOf(exposure: Partial<Exposure>, rates: Partial<Record<keyof RiskRates, string>>) {
  return expectedCreditLoss(
    { principalMinor: 0n, interestMinor: 0n, undrawnMinor: 0n, collateralMinor: 0n, ...exposure },
    {
      pd: percent(rates.pd ?? '100'),
      lgd: percent(rates.lgd ?? '100'),
      securedLgd: percent(rates.securedLgd ?? '0'),
      creditConversion: percent(rates.creditConversion ?? '0'),
      overlay: percent(rates.overlay ?? '0'),
    },
  )
}

describe('Published examples', () => {
  test('IFRS 9, Illustrative Example 8: 0.5 % × 25 % × 1,000,000 = 1,250', () => {
    const loss = lossOf({ principalMinor: 100_000_000n }, { pd: '0.5', lgd: '25' })
    expect(loss).toMatchObject({ exposureMinor: 100_000_000n, allowanceMinor: 125_000n })
  })

  // Regulation (EU) 575/2013, article 166: an undrawn line converted at 75 %.
  test('an undrawn credit line counts with its conversion factor', () => {
    const exposure = { principalMinor: 500_000n, undrawnMinor: 500_000n }
    const loss = lossOf(exposure, { pd: '2', lgd: '40', creditConversion: '75' })
    expect(loss).toMatchObject({ exposureMinor: 875_000n, expectedLossMinor: 7_000n })
  })

  // Regulation (EU) 575/2013, article 230, with the rates for real estate of Regulation (EU)
  // 2024/1623: LGD* = 40 % × 40 / 100 + 20 % × 60 / 100 = 28 %.
  test('the covered part has the loss given default of the collateral', () => {
    const exposure = { principalMinor: 10_000_000n, collateralMinor: 6_000_000n }
    const loss = lossOf(exposure, { pd: '1', lgd: '40', securedLgd: '20' })
    expect([formatPercent(loss.lgd), loss.allowanceMinor]).toEqual(['28.0000', 28_000n])
  })
})

describe('The expected credit loss', () => {
  test.each([
    ['nothing owed', {}, {}, 0n],
    ['a half that rounds to even', { principalMinor: 5n }, { lgd: '10' }, 0n],
    ['a half that rounds up to even', { principalMinor: 15n }, { lgd: '10' }, 2n],
    ['collateral above the exposure', { principalMinor: 100n, collateralMinor: 900n }, {}, 0n],
    ['interest as well', { principalMinor: 100n, interestMinor: 7n }, {}, 107n],
    ['an overlay that adds', { principalMinor: 1000n }, { lgd: '10', overlay: '25' }, 125n],
    ['an overlay that reduces', { principalMinor: 1000n }, { lgd: '10', overlay: '-100' }, 0n],
    ['an overlay at most to the exposure', { principalMinor: 1000n }, { overlay: '10' }, 1000n],
  ] as const)('covers %s', (_, exposure, rates, allowanceMinor) => {
    expect(lossOf(exposure, rates).allowanceMinor).toBe(allowanceMinor)
  })

  const minor = fc.bigInt({ min: 0n, max: 10n ** 13n })
  const anyPercent = (max: number, min = 0) =>
    fc.integer({ min: min * 10_000, max: max * 10_000 }).map((units) => String(units / 10_000))

  test('equals an independent calculation with exact fractions', () => {
    fc.assert(
      fc.property(
        fc.record({
          principalMinor: minor,
          interestMinor: minor,
          undrawnMinor: minor,
          collateralMinor: minor,
        }),
        fc.record({
          pd: anyPercent(100),
          lgd: anyPercent(100),
          securedLgd: anyPercent(100),
          creditConversion: anyPercent(100),
          overlay: anyPercent(1000, -100),
        }),
        (exposure, rates) => {
          const { fraction, read, plus, minus, times, least, rounded } = exact
          const owed = fraction(exposure.principalMinor + exposure.interestMinor)
          const drawn = times(fraction(exposure.undrawnMinor), read(rates.creditConversion, true))
          const ead = plus(owed, drawn)
          const covered = least(fraction(exposure.collateralMinor), ead)
          const severity = plus(
            times(minus(ead, covered), read(rates.lgd, true)),
            times(covered, read(rates.securedLgd, true)),
          )
          const loss = times(read(rates.pd, true), severity)
          const overlaid = rounded(times(loss, plus(fraction(1n), read(rates.overlay, true))))
          const expected = rounded(ead)
          expect(lossOf(exposure, rates)).toMatchObject({
            exposureMinor: expected,
            expectedLossMinor: rounded(loss),
            allowanceMinor: overlaid < expected ? overlaid : expected,
          })
        },
      ),
    )
  })
})

describe('A percentage', () => {
  test.each([
    ['0', 0n],
    ['12.5', 125_000n],
    ['-100', -1_000_000n],
    ['0.0001', 1n],
    ['0.00001', null],
    ['1e2', null],
    ['', null],
    ['.5', null],
  ])('%s is read exactly', (text, units) => expect(parsePercent(text)).toBe(units))
})
