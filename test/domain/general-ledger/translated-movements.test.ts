/** The translated reports of random books, whose postings balance in each currency, agree with each other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartOf } from '../../../subgraphs/general-ledger/domain/chart.ts'
import { ClosingRates } from '../../../subgraphs/general-ledger/domain/closing-rate.ts'
import { Mapping } from '../../../subgraphs/general-ledger/domain/mapping.ts'
import {
  balancesAfter,
  incomeAndExpensesOf,
  translatedProfitAndLossOf,
  translatedTrialBalanceOf,
  type DayTotals,
} from '../../../subgraphs/general-ledger/domain/translated-movements.ts'
import { translatedBalanceSheetOf } from '../../../subgraphs/general-ledger/domain/translation.ts'
import { ratesOf } from './revaluation-kit.ts'

const chart = chartOf([])
const codes = ['nostro', 'customer', 'fee-income', 'interest-income', 'fx-position']
const february = { first: '2026-02-01', before: '2026-01-31', last: '2026-02-28' }
const march = { first: '2026-03-01', before: '2026-02-28', last: '2026-03-31' }
const days = ['2026-02-10', '2026-02-28', '2026-03-01', '2026-03-17', '2026-03-31']

const postings = fc.array(
  fc.record({
    day: fc.constantFrom(...days),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    debit: fc.constantFrom(...codes),
    credit: fc.constantFrom(...codes),
    minor: fc.bigInt(1n, 1_000_000n),
  }),
  { maxLength: 30 },
)

/** Days on which a rate is needed, each with a rate of its own. */
const rates = fc.array(fc.integer({ min: 100, max: 30_000 }), { minLength: 14, maxLength: 14 }).map(
  (values) =>
    new ClosingRates(
      'EUR',
      ['USD', 'JPY'].flatMap((currency, of) =>
        [...days, '2026-01-31'].map((day, index) => ({
          currency,
          day,
          closingRate: {
            exchangeRateId: `fxr_${of}_${index}`,
            baseCurrency: 'EUR',
            rate: String(values[of * 7 + index]! / 100),
            asOf: new Date(`${day}T15:00:00Z`),
          },
        })),
      ),
    ),
)

type Posting = { day: string; currency: string; debit: string; credit: string; minor: bigint }

function totalsOf(made: readonly Posting[]): DayTotals[] {
  const totals = new Map<string, DayTotals>()
  for (const { day, currency, debit, credit, minor } of made) {
    for (const [ledgerCode, isDebit] of [
      [debit, true],
      [credit, false],
    ] as const) {
      const key = `${day} ${currency} ${ledgerCode}`
      const total = totals.get(key) ?? {
        ledgerCode,
        productId: '',
        currency,
        day,
        isYearEnd: false,
        debitMinor: 0n,
        creditMinor: 0n,
      }
      total[isDebit ? 'debitMinor' : 'creditMinor'] += minor
      totals.set(key, total)
    }
  }
  return [...totals.values()]
}

test('trial balance, profit and loss and balance sheet agree, in each month and across months', () => {
  fc.assert(
    fc.property(postings, rates, (made, closingRates) => {
      // A rule reclassifies an account in March.
      const mapping = new Mapping([
        { ledgerCode: 'customer', productId: null, accountNumber: '2900', validFrom: march.first },
      ])
      const booked = totalsOf(made)
      const inMonth = ({ first, last }: typeof march) =>
        booked.filter(({ day }) => day >= first && day <= last)
      const openings = balancesAfter([], inMonth(february), february.last)
      const sources = { mapping, chart, rates: closingRates }
      const before = translatedTrialBalanceOf([], inMonth(february), sources, february)
      const after = translatedTrialBalanceOf(openings, inMonth(march), sources, march)

      for (const line of after) {
        expect(
          line.openingMinor +
            line.reclassifiedMinor +
            line.debitMinor -
            line.creditMinor +
            line.translationDifferenceMinor,
        ).toBe(line.closingMinor)
      }
      const balanceOf = (lines: typeof after, member: 'openingMinor' | 'closingMinor') =>
        Object.fromEntries(
          lines
            .filter((line) => line[member] !== 0n)
            .map((line) => [line.accountNumber, line[member]]),
        )
      expect(balanceOf(after, 'openingMinor')).toEqual(balanceOf(before, 'closingMinor'))

      const closings = balancesAfter(openings, inMonth(march), march.last)
      const sheet = translatedBalanceSheetOf(closings, mapping, chart, closingRates, march.last)
      const sumOf = (types: string[], valueOf: (line: (typeof after)[number]) => bigint) =>
        after
          .filter(({ accountNumber }) => types.includes(chart.get(accountNumber)!.type))
          .reduce((sum, line) => sum + valueOf(line), 0n)
      expect(sumOf(['asset'], (line) => line.closingMinor)).toBe(sheet.assetsMinor)
      expect(-sumOf(['liability'], (line) => line.closingMinor)).toBe(sheet.liabilitiesMinor)
      expect(-sumOf(['income', 'expense'], (line) => line.closingMinor)).toBe(sheet.resultMinor)
      expect(after.reduce((sum, line) => sum + line.closingMinor, 0n)).toBe(
        sheet.roundingDifferenceMinor,
      )

      const statementOf = (some: DayTotals[]) =>
        translatedProfitAndLossOf(incomeAndExpensesOf(some, mapping, chart), sources, march.last)
      const statement = statementOf(inMonth(march))
      expect(-sumOf(['income'], (line) => line.debitMinor - line.creditMinor)).toBe(
        statement.incomeMinor,
      )
      const whole = statementOf(booked)
      expect(whole.resultMinor + whole.translationDifferenceMinor).toBe(sheet.resultMinor)
    }),
    { numRuns: 200 },
  )
})

test('income has the rate of its day, and the rest is the translation difference', () => {
  const booked = totalsOf([
    { day: '2026-03-01', currency: 'USD', debit: 'nostro', credit: 'fee-income', minor: 10_000n },
    { day: '2026-03-17', currency: 'USD', debit: 'nostro', credit: 'fee-income', minor: 10_000n },
  ])
  const at = { mapping: new Mapping([]), chart }
  const given = ratesOf(
    { pair: 'EUR/USD', rate: '1.25', asOf: '2026-03-01' },
    { pair: 'EUR/USD', rate: '1.6', asOf: '2026-03-17' },
    { pair: 'EUR/USD', rate: '2', asOf: '2026-03-31' },
  )
  const income = incomeAndExpensesOf(booked, at.mapping, chart)
  // 100 / 1.25 + 100 / 1.6 = 142.50 and 200 / 2 = 100.00.
  expect(translatedProfitAndLossOf(income, { ...at, rates: given }, march.last)).toMatchObject({
    incomeMinor: 14_250n,
    resultMinor: 14_250n,
    translationDifferenceMinor: -4_250n,
  })
  const missing = ratesOf({ pair: 'EUR/USD', rate: '2', asOf: '2026-03-31' })
  expect(() =>
    translatedProfitAndLossOf(income, { ...at, rates: missing }, march.last),
  ).toThrowError(expect.objectContaining({ code: 'CLOSING_RATE_MISSING' }))
  const yearEnd = booked.map((each) => ({ ...each, isYearEnd: true }))
  expect(incomeAndExpensesOf(yearEnd, at.mapping, chart)).toEqual([])
})
