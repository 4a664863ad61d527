/**
 * Random lives of positions over half a year, compared with an independent model at every month end:
 * exchanges with the functional currency and between others, reversals, entries in one currency,
 * corrected rates and months that are revalued again after later ones.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { ClosingRates } from '../../../subgraphs/general-ledger/domain/closing-rate.ts'
import {
  costedPositions,
  ratesForCosts,
} from '../../../subgraphs/general-ledger/domain/position-cost.ts'
import {
  entryLinesOf,
  isOutdated,
  revalue,
} from '../../../subgraphs/general-ledger/domain/revaluation.ts'
import type { StoredRevaluationLine } from '../../../subgraphs/general-ledger/model/revaluation.ts'
import { random } from '../../kit/random.ts'
import { modelGains, type ModelPosting, type ModelRate } from './revaluation-model.ts'
import { posting } from './revaluation-kit.ts'

const lives = Number(process.env['REVALUATION_LIVES'] ?? 1000)
const currencies = ['USD', 'GBP', 'JPY', 'KWD']
const months = 6
const days = Array.from({ length: months * 30 }, (_, on) => addDays('2026-01-01', on))
const dayOf = (on: number) => days[on]!
const onOf = (day: string) => days.indexOf(day)
/** Months have 30 days here. */
const lastDayOf = (month: number) => month * 30 + 29

type Random = () => number
const between = (next: Random, low: number, high: number) =>
  low + Math.floor(next() * (high - low + 1))
const amount = (next: Random) => BigInt(between(next, 1, 5_000_000))

/** Rates are decimals, quoted for one euro or for one unit of the other currency. */
interface Quoted extends ModelRate {
  base: string
  text: string
}

function randomRate(next: Random, currency: string): Quoted {
  const scaled = between(next, 1, 3_000_000)
  const text = `${Math.floor(scaled / 1_000_000)}.${String(scaled % 1_000_000).padStart(6, '0')}`
  const [over, under] = [BigInt(scaled), 1_000_000n]
  return next() < 0.5
    ? { base: 'EUR', text, over: under, under: over }
    : { base: currency, text, over, under }
}

function randomPosting(next: Random, former: readonly ModelPosting[]): ModelPosting {
  const on = between(next, 0, months * 30 - 1)
  const [one, other] = [...currencies].sort(() => next() - 0.5) as [string, string]
  const sign = next() < 0.5 ? 1n : -1n
  const kind = next()
  if (kind < 0.5) return { on, moved: { [one]: sign * amount(next), EUR: -sign * amount(next) } }
  if (kind < 0.75)
    return { on, moved: { [one]: sign * amount(next), [other]: -sign * amount(next) } }
  if (kind < 0.85 || former.length === 0) return { on, moved: { [one]: sign * amount(next) } }
  const { moved } = former[between(next, 0, former.length - 1)]!
  const opposite = Object.entries(moved).map(([currency, minor]) => [currency, -minor])
  return { on, moved: Object.fromEntries(opposite) }
}

/** A bank with its books of the revaluation. */
class Life {
  readonly #next: Random
  readonly postings: ModelPosting[] = []
  readonly #rates = new Map<string, Quoted>()
  readonly runs: { month: number; lines: readonly StoredRevaluationLine[] }[] = []
  /** The balances of the accounts in cents; a debit is positive. */
  readonly balances = new Map<string, bigint>()

  constructor(next: Random) {
    this.#next = next
    const count = between(next, 0, 25)
    for (let each = 0; each < count; each++) this.postings.push(randomPosting(next, this.postings))
  }

  /** Returns the rate of a day, which is made up when it is first needed. */
  rateOf(currency: string, on: number): Quoted {
    const key = `${currency} ${on}`
    if (!this.#rates.has(key)) this.#rates.set(key, randomRate(this.#next, currency))
    return this.#rates.get(key)!
  }

  correctARate(on: number): void {
    const currency = currencies[between(this.#next, 0, currencies.length - 1)]!
    this.#rates.set(`${currency} ${on}`, randomRate(this.#next, currency))
  }

  measure(month: number): StoredRevaluationLine[] {
    const endOn = lastDayOf(month)
    const groups = this.postings
      .filter(({ on }) => on <= endOn)
      .map(({ on, moved }) => posting(dayOf(on), moved))
    const day = dayOf(endOn)
    const needed = [
      ...ratesForCosts(groups, 'EUR'),
      ...currencies.map((currency) => ({ currency, day })),
    ]
    const rates = new ClosingRates(
      'EUR',
      needed.map(({ currency, day: of }) => {
        const { base: baseCurrency, text: rate } = this.rateOf(currency, onOf(of))
        const asOf = new Date(`${of}T15:00:00Z`)
        const exchangeRateId = `${currency} ${of}`
        return { currency, day: of, closingRate: { exchangeRateId, baseCurrency, rate, asOf } }
      }),
    )
    const former = this.runs
      .filter((run) => run.month <= month)
      .map(({ lines }) => ({ functionalCurrency: 'EUR', lines }))
    return revalue(costedPositions(groups, rates), former, rates, day)
  }

  revalueMonth(month: number): void {
    const lines = this.measure(month)
    for (const { accountNumber, side, amountMinor } of entryLinesOf(lines, 'EUR')) {
      const minor = side === 'debit' ? amountMinor : -amountMinor
      this.balances.set(accountNumber, (this.balances.get(accountNumber) ?? 0n) + minor)
    }
    this.runs.push({ month, lines })
    if (isOutdated({ lines }, this.measure(month))) expect.fail('It is outdated at once.')
  }

  /** What is booked up to a month. */
  booked(month: number): Map<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const run of this.runs.filter((each) => each.month <= month)) {
      for (const { currency, differenceMinor } of run.lines) {
        sums.set(currency, (sums.get(currency) ?? 0n) + differenceMinor)
      }
    }
    return sums
  }

  /** Compares a month with the model, to the cent. */
  agrees(month: number): void {
    const expected = modelGains(
      this.postings,
      (currency, on) => this.rateOf(currency, on),
      lastDayOf(month),
    )
    const booked = this.booked(month)
    const differs = (currency: string) =>
      (booked.get(currency) ?? 0n) !== (expected.get(currency) ?? 0n)
    if (currencies.some(differs)) expect(booked).toEqual(expected)
  }
}

test('lives of positions agree with the model to the cent', () => {
  let postings = 0
  let corrections = 0
  for (let seed = 1; seed <= lives; seed++) {
    const next = random(seed)
    const life = new Life(next)
    for (let month = 0; month < months; month++) {
      if (next() < 0.15) continue
      life.revalueMonth(month)
      life.agrees(month)
      if (next() < 0.3) {
        life.correctARate(lastDayOf(month))
        life.revalueMonth(month)
        life.agrees(month)
        corrections++
      }
      if (month > 0 && next() < 0.2) {
        // A former month is corrected, and what was booked after it stays where it is.
        life.correctARate(lastDayOf(month - 1))
        life.revalueMonth(month - 1)
        life.agrees(month - 1)
        life.revalueMonth(month)
        life.agrees(month)
      }
    }
    const sum = [...life.balances.values()].reduce((total, minor) => total + minor, 0n)
    expect(sum).toBe(0n)
    const gains = [...life.booked(months).values()].reduce((total, minor) => total + minor, 0n)
    expect(life.balances.get('1910') ?? 0n).toBe(gains)
    postings += life.postings.length
  }
  expect(postings).toBeGreaterThan(lives * 10)
  expect(corrections).toBeGreaterThan(lives / 2)
}, 60_000)

test('postings of one kind can be added before they are valued', () => {
  const next = random(7)
  const day = dayOf(3)
  const exchanges = Array.from({ length: 50 }, () => ({ USD: amount(next), EUR: -amount(next) }))
  const sum = (currency: 'USD' | 'EUR') =>
    exchanges.reduce((total, each) => total + each[currency], 0n)
  const rates = new ClosingRates('EUR', [])
  expect(costedPositions([posting(null, { USD: sum('USD'), EUR: sum('EUR') })], rates)).toEqual(
    costedPositions(
      exchanges.map((each) => posting(day, each)),
      rates,
    ),
  )
})
