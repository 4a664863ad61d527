/**
 * Worked examples of IAS 21. The arithmetic beside each is by hand, in exact fractions.
 */
import { describe, expect, test } from 'vitest'
import { chartOf } from '../../../subgraphs/general-ledger/domain/chart.ts'
import { defaultAccounts } from '../../../subgraphs/general-ledger/domain/default-chart.ts'
import { requireEnded } from '../../../subgraphs/general-ledger/domain/period.ts'
import {
  costedPositions,
  ratesForCosts,
} from '../../../subgraphs/general-ledger/domain/position-cost.ts'
import {
  entryLinesOf,
  gainOf,
  isOutdated,
  requireRevaluationAccounts,
  requireSameFunctionalCurrency,
  revaluationFinding,
  revalue,
  type FormerRevaluation,
} from '../../../subgraphs/general-ledger/domain/revaluation.ts'
import { posting, ratesOf } from './revaluation-kit.ts'

const [march, april] = ['2026-03-31', '2026-04-30']
const former = (lines: FormerRevaluation['lines']) => ({ functionalCurrency: 'EUR', lines })
/** The bank receives 125.00 USD for 100.00 EUR. */
const bought = posting(null, { USD: 12_500n, EUR: -10_000n })

describe('an exchange with the functional currency', () => {
  test('is revalued at the closing rate of each period, and the difference is booked', () => {
    const rates = ratesOf(
      { pair: 'EUR/USD', rate: '1.2', asOf: march },
      { pair: 'EUR/USD', rate: '1.3', asOf: april },
    )
    const positions = costedPositions([bought], rates)
    // 125 / 1.2 = 104 1/6, so 104.17; less the cost of 100.00.
    const first = revalue(positions, [], rates, march)
    expect(first).toEqual([
      {
        currency: 'USD',
        positionMinor: 12_500n,
        costMinor: 10_000n,
        rate: '0.8333333333',
        exchangeRateId: 'fxr_0',
        valueMinor: 10_417n,
        bookedBeforeMinor: 0n,
        differenceMinor: 417n,
      },
    ])
    // 125 / 1.3 = 96 2/13, so 96.15: a loss of 3.85 in all. 4.17 was booked as a gain before.
    const second = revalue(positions, [former(first)], rates, april)
    expect(second[0]).toMatchObject({
      valueMinor: 9_615n,
      bookedBeforeMinor: 417n,
      differenceMinor: -802n,
    })
    const third = revalue(positions, [former(first), former(second)], rates, april)
    expect(gainOf(third)).toBe(0n)
  })

  test('that sells a part leaves the gain of the sale in the result', () => {
    const rates = ratesOf({ pair: 'EUR/USD', rate: '1.25', asOf: march })
    const sold = posting(null, { USD: -5_000n, EUR: 4_200n })
    // 75 USD are 60.00 EUR; the bank paid 100.00 - 42.00 = 58.00.
    const [line] = revalue(costedPositions([bought, sold], rates), [], rates, march)
    expect(line).toMatchObject({ positionMinor: 7_500n, costMinor: 5_800n, differenceMinor: 200n })
  })

  test('that sells everything needs no rate', () => {
    const sold = posting(null, { USD: -12_500n, EUR: 10_300n })
    const [line] = revalue(costedPositions([bought, sold], ratesOf()), [], ratesOf(), march)
    expect(line).toMatchObject({ rate: null, valueMinor: 0n, differenceMinor: 300n })
    const done = revalue([], [former([line!])], ratesOf(), april)
    expect(done).toMatchObject([{ bookedBeforeMinor: 300n, differenceMinor: -300n }])
  })

  test('values currencies with other minor units, and rounds halves away from zero', () => {
    const value = (currency: string, minor: bigint, rate: string) => {
      const rates = ratesOf({ pair: `${currency}/EUR`, rate, asOf: march })
      const positions = [{ currency, positionMinor: minor, costMinor: 0n }]
      return revalue(positions, [], rates, march)[0]!.valueMinor
    }
    // 10,000 JPY at 0.0061 are 61.00 EUR; 1.234 KWD at 3 are 3.702 EUR.
    expect([value('JPY', 10_000n, '0.0061'), value('KWD', 1_234n, '3')]).toEqual([6_100n, 370n])
    expect([value('USD', 1n, '0.5'), value('USD', -1n, '0.5'), value('USD', 1n, '0.49')]).toEqual([
      1n,
      -1n,
      0n,
    ])
    // 3 / 0.7 = 4 2/7 cents.
    const rates = ratesOf({ pair: 'EUR/USD', rate: '0.7', asOf: march })
    expect(rates.valueOf(3n, { currency: 'USD', day: march }).valueMinor).toBe(4n)
  })
})

describe('an exchange between two other currencies', () => {
  const rates = ratesOf(
    { pair: 'EUR/USD', rate: '1.25', asOf: '2026-03-10' },
    { pair: 'EUR/USD', rate: '1.3', asOf: march },
    { pair: 'GBP/EUR', rate: '1.1', asOf: march },
  )

  test('costs on both sides what the bank received was worth on the day', () => {
    // The bank receives 130.00 USD for 100.00 GBP. 130 / 1.25 = 104.00 EUR.
    const exchange = posting('2026-03-10', { USD: 13_000n, GBP: -10_000n })
    expect(ratesForCosts([exchange], 'EUR')).toEqual([{ currency: 'USD', day: '2026-03-10' }])
    const positions = costedPositions([exchange], rates)
    expect(positions).toEqual([
      { currency: 'GBP', positionMinor: -10_000n, costMinor: -10_400n },
      { currency: 'USD', positionMinor: 13_000n, costMinor: 10_400n },
    ])
    // 130 / 1.3 - 104 = -4.00, and -100 * 1.1 + 104 = -6.00: 130 USD less 100 GBP are -10.00.
    const lines = revalue(positions, [], rates, march)
    expect(lines.map(({ differenceMinor }) => differenceMinor)).toEqual([-600n, -400n])
  })

  test('and the functional currency has its counter-value on the last side', () => {
    // 130 USD are 104.00 EUR; 20.00 EUR were paid, so that the pounds brought 84.00 EUR.
    const three = posting('2026-03-10', { USD: 13_000n, GBP: -8_000n, EUR: -2_000n })
    expect(costedPositions([three], rates).map(({ costMinor }) => costMinor)).toEqual([
      -8_400n,
      10_400n,
    ])
  })
})

describe('a movement without a counter-value', () => {
  const rates = ratesOf(
    { pair: 'EUR/USD', rate: '1.25', asOf: '2026-03-10' },
    { pair: 'EUR/USD', rate: '1.28', asOf: march },
    { pair: 'GBP/EUR', rate: '1.1', asOf: '2026-03-10' },
  )

  test('costs its own value on its day, so that it is no gain', () => {
    const entry = posting('2026-03-10', { USD: 100_000n })
    // 1,000 / 1.25 = 800.00, and 1,000 / 1.28 = 781.25.
    const [line] = revalue(costedPositions([entry], rates), [], rates, march)
    expect(line).toMatchObject({
      costMinor: 80_000n,
      valueMinor: 78_125n,
      differenceMinor: -1_875n,
    })
  })

  test('is also one of several movements in the same direction', () => {
    const entry = posting('2026-03-10', { USD: 100_000n, GBP: 1_000n, EUR: 1n })
    expect(ratesForCosts([entry], 'EUR')).toHaveLength(2)
    expect(costedPositions([entry], rates).map(({ costMinor }) => costMinor)).toEqual([
      1_100n,
      80_000n,
    ])
  })

  test('in the functional currency is no position', () => {
    expect(costedPositions([posting('2026-03-10', { EUR: 500n })], rates)).toEqual([])
  })
})

describe('closing rates', () => {
  const at = { currency: 'USD', day: march }
  test('may be four days old, and no older', () => {
    const rates = (asOf: string) => ratesOf({ pair: 'EUR/USD', rate: '1.25', asOf, day: march })
    expect(rates('2026-03-27').rateOf(at).rate).toBe('1.25')
    expect(() => rates('2026-03-26').rateOf(at)).toThrow(
      'The newest exchange rate for USD/EUR at the end of 2026-03-31 is as of 2026-03-26; it must be at most 4 days old. Load the rate of this day.',
    )
  })

  test('are reported with the pair and the day if they are missing', () => {
    expect(() => costedPositions([posting('2026-03-09', { USD: 5n })], ratesOf())).toThrow(
      'There is no exchange rate for USD/EUR at the end of 2026-03-09. Load the rate of this day.',
    )
  })
})

describe('an entry', () => {
  const line = (differenceMinor: bigint) => ({
    currency: 'USD',
    positionMinor: 0n,
    costMinor: 0n,
    rate: null,
    exchangeRateId: null,
    valueMinor: 0n,
    bookedBeforeMinor: 0n,
    differenceMinor,
  })

  test('shows gains and losses apart', () => {
    const lines = entryLinesOf([line(1_000n), line(-400n), line(7n)], 'EUR')
    expect(
      lines.map((each) => [each.ledgerAccountId, each.side, each.amountMinor, each.currency]),
    ).toEqual([
      ['gl+1910+EUR', 'debit', 607n, 'EUR'],
      ['gl+4300+EUR', 'credit', 1_007n, 'EUR'],
      ['gl+5400+EUR', 'debit', 400n, 'EUR'],
    ])
    expect(entryLinesOf([line(0n)], 'EUR')).toEqual([])
    expect(entryLinesOf([line(5n), line(-5n)], 'EUR')).toHaveLength(2)
  })

  test('needs accounts that take it', () => {
    const withAccount = (changes: object) =>
      chartOf([{ ...defaultAccounts.get('4300')!, ...changes }])
    requireRevaluationAccounts(withAccount({ name: 'Gains' }))
    expect(() => requireRevaluationAccounts(withAccount({ isActive: false }))).toThrow(/active/)
    expect(() => requireRevaluationAccounts(withAccount({ type: 'liability' }))).toThrow(
      '4300 has the type liability; revaluations need the type income.',
    )
  })
})

describe('a revaluation', () => {
  const rates = ratesOf({ pair: 'EUR/USD', rate: '1.2', asOf: march })
  const corrected = ratesOf({ pair: 'EUR/USD', rate: '1.21', asOf: march })
  const measured = (
    with_: typeof rates,
    booked: FormerRevaluation[],
    ...groups: (typeof bought)[]
  ) => revalue(costedPositions(groups, with_), booked, with_, march)
  const first = former(measured(rates, [], bought))

  test('is outdated by a posting, a cost or a corrected rate, and by nothing else', () => {
    expect(isOutdated(first, measured(rates, [first], bought))).toBe(false)
    expect(isOutdated(first, measured(corrected, [first], bought))).toBe(true)
    const small = posting(null, { USD: 1n, EUR: -1n })
    expect(isOutdated(first, measured(rates, [first], bought, small))).toBe(true)
    const moreCost = posting(null, { USD: 0n, EUR: -10n })
    expect(isOutdated(first, measured(rates, [first], bought, moreCost))).toBe(false)
    const other = former(measured(corrected, [first], bought))
    expect(isOutdated(first, measured(corrected, [first, other], bought))).toBe(true)
    expect(isOutdated(other, measured(corrected, [first, other], bought))).toBe(false)
  })

  test('that closed a position stays as it is', () => {
    const sold = posting(null, { USD: -12_500n, EUR: 10_417n })
    const last = former(measured(rates, [first], bought, sold))
    expect(gainOf(last.lines)).toBe(0n)
    expect(isOutdated(last, measured(rates, [first, last], bought, sold))).toBe(false)
  })

  test('is missing if there is a position, and reported if it is outdated', () => {
    expect(revaluationFinding('2026-03', null, [])).toBeNull()
    expect(revaluationFinding('2026-03', null, first.lines)).toEqual({
      kind: 'not-revalued',
      subject: '2026-03',
      detail: 'The positions in USD were not revalued at the end of 2026-03.',
    })
    expect(revaluationFinding('2026-03', first, measured(rates, [first], bought))).toBeNull()
    expect(revaluationFinding('2026-03', first, measured(corrected, [first], bought))?.kind).toBe(
      'outdated-revaluation',
    )
  })

  test('keeps the functional currency of the first one', () => {
    requireSameFunctionalCurrency([first], 'EUR')
    expect(() => requireSameFunctionalCurrency([first], 'USD')).toThrow(
      'FUNCTIONAL_CURRENCY is USD, but positions were revalued in EUR. Set FUNCTIONAL_CURRENCY to EUR.',
    )
  })

  test('is of a period that has ended', () => {
    requireEnded('2026-03', '2026-04-01')
    expect(() => requireEnded('2026-03', march)).toThrow(
      'The period 2026-03 ends on 2026-03-31; today is 2026-03-31.',
    )
  })
})
