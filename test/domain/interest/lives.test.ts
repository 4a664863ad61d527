/**
 * Random lives of accounts over ten years, compared with an independent model on every day: fixed,
 * tiered and floating rates, negative rates, minimum balances, repricing, tax and exemptions, leap days, and
 * postings with earlier and later value dates.
 *
 * The normal run has 300 lives, of which most are short; `INTEREST_LIVES=5000 npx vitest run
 * test/domain/interest` runs more lives, all of ten years.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { depositDayCounts } from '../../../kernel/domain/deposit-interest.ts'
import { withFixings, type RateFixing } from '../../../kernel/domain/reference-rate.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { AccruedDay, Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import type { InterestPosition } from '../../../subgraphs/interest/domain/position.ts'
import { termsByDay, type ProductFact } from '../../../subgraphs/interest/domain/terms.ts'
import { random } from '../../kit/random.ts'
import { calendar, ModelAccount, type ModelFixing, type ModelTerms, type Ymd } from './model.ts'
import { between, emptyPosition, oneOf, text, type Random } from './kit.ts'

const requested = process.env['INTEREST_LIVES']
const lives = Number(requested ?? 300)
const [tenYears, shortLife] = [3653, 400]

function randomRate(next: Random): string {
  const sign = next() < 0.15 ? '-' : ''
  return `${sign}${between(next, 0, 6)}.${String(between(next, 0, 999_999)).padStart(6, '0')}`
}

function randomTerms(next: Random, from: number): ModelTerms {
  const bounds = Array.from({ length: between(next, 0, 3) }, (_, index) => {
    return BigInt(between(next, 1, 900_000)) + BigInt(index) * 1_000_000n
  })
  const upTo = [...bounds, null]
  return {
    from,
    method: oneOf(next, ['band', 'whole-balance'] as const),
    tiers: upTo.map((bound) => ({ upTo: bound, pct: randomRate(next) })),
    dayCount: oneOf(next, depositDayCounts),
    minimum: next() < 0.3 ? BigInt(between(next, 0, 200_000)) : 0n,
    payEvery: oneOf(next, [1, 3, 12] as const),
    taxPct: BigInt(oneOf(next, [0, 0, 25, 27])),
    ...(next() < 0.4 && { index: randomBounds(next) }),
  }
}

function randomBounds(next: Random) {
  const lowest = next() < 0.5 ? oneOf(next, ['0', '0.5', '-0.25']) : null
  return { lowest, highest: next() < 0.3 ? oneOf(next, ['2', '5.75']) : null }
}

/** Fixings of some days, of which some are recorded late, and some corrected later. */
function randomFixings(next: Random, length: number): ModelFixing[] {
  const fixings = [{ on: 0, known: 0, pct: randomRate(next) }]
  for (let on = 1; on < length; on += between(next, 1, 90)) {
    const known = on + (next() < 0.2 ? between(next, -5, 20) : 0)
    fixings.push({ on, known: Math.max(known, 0), pct: randomRate(next) })
    if (next() < 0.1) fixings.push({ on, known: known + 30, pct: randomRate(next) })
  }
  return fixings
}

const frequencies = { 1: 'monthly', 3: 'quarterly', 12: 'annually' } as const

/** The product as the bank publishes it, with one version for each change of the terms. */
function productOf(terms: readonly ModelTerms[], days: readonly Ymd[]): ProductFact {
  const money = (minor: bigint | null) =>
    minor === null ? null : { amountMinor: minor.toString(), currency: 'EUR' }
  return {
    productId: 'prd',
    versions: terms.map((each, index) => ({
      version: String(index),
      status: 'active',
      depositInterest: {
        tierMethod: each.method,
        tiers: each.tiers.map(({ upTo, pct }) => ({ upTo: money(upTo), annualRatePct: pct })),
        dayCount: each.dayCount,
        minimumBalance: money(each.minimum),
        capitalization: frequencies[each.payEvery],
        withholdingTaxPct: String(each.taxPct),
        ...(each.index && {
          floatingRate: {
            referenceRateId: 'ESTR',
            minimumRatePct: each.index.lowest,
            maximumRatePct: each.index.highest,
          },
        }),
        existingAccountsFrom: index === 0 ? null : text(days[each.from]!),
      },
    })),
  }
}

function live(seed: number): void {
  const next = random(seed)
  const length = requested || seed % 25 === 0 ? tenYears : shortLife
  const first: Ymd = [between(next, 1996, 2030), between(next, 1, 12), between(next, 1, 28)]
  const days = calendar(first, length + 2)
  const dates = days.map(text)
  const changes = Array.from({ length: between(next, 0, length / 400) }, () =>
    between(next, 1, length),
  )
  const starts = [0, ...[...new Set(changes)].sort((a, b) => a - b)]
  const terms = starts.map((from) => randomTerms(next, from))
  const exemption = [between(next, 0, length), between(next, 0, length)].sort((a, b) => a - b)
  const isExempt = (day: number) => exemption[0]! <= day && day <= exemption[1]!
  const fixings = randomFixings(next, length)
  const model = new ModelAccount(days, terms, isExempt, fixings)
  // What is recorded later does not change the days before, so all of it can be known from the start.
  const published = fixings.reduce<RateFixing[]>(
    (before, { on, known, pct }) =>
      withFixings(before, [{ fixedOn: dates[on]!, ratePct: pct }], addDays(dates[0]!, known)),
    [],
  )
  const referenceRates = new Map([['ESTR', { validDays: null, fixings: published }]])
  const termsOn = termsByDay(productOf(terms, days), '0', [], referenceRates)
  const isExemptOn = (date: string) =>
    dates[exemption[0]!]! <= date && date <= dates[exemption[1]!]!
  const stored = new Map<string, AccruedDay>()
  let position: InterestPosition = emptyPosition(dates[0]!)
  let waiting: Movement[] = []
  let missedNights = 0
  const payments: { on: string; gross: bigint; tax: bigint }[] = []
  for (let day = 0; day < length; day++) {
    if (day === 0 || next() < 0.08) {
      const shift = next() < 0.3 ? between(next, -30, 10) : 0
      const value = Math.min(Math.max(day + shift, -5), length)
      const cents = BigInt(between(next, day === 0 ? 1 : -150_000, 250_000))
      model.post(value, cents)
      const valueDate = value < 0 ? addDays(dates[0]!, value) : dates[value]!
      waiting.push({ valueDate, amountMinor: cents, postingInstructionId: `pin_${day}` })
    }
    missedNights++
    // The job sometimes misses a few nights and catches up.
    if (next() < 0.1 && day < length - 1) continue
    for (; missedNights > 0; missedNights--) model.endOfDay()
    const result = accrue({
      position,
      movements: waiting,
      seenSequence: position.seenSequence + BigInt(waiting.length),
      accruedDays: stored,
      termsOn,
      isExemptOn,
      through: dates[day]!,
      mayPay: true,
      term: null,
    })
    position = result.position
    for (const each of result.days) stored.set(each.accruedOn, each)
    for (const { effectiveOn, grossMinor, taxMinor } of result.capitalizations) {
      payments.push({ on: effectiveOn, gross: grossMinor, tax: taxMinor })
    }
    waiting = []
    if (position.accruedMinor !== model.booked || position.balanceMinor !== model.balanceOn(day)) {
      const facts = { seed, day: dates[day], booked: position.accruedMinor, model: model.booked }
      throw new Error(`The bank and the model differ: ${Object.entries(facts).join(' ')}`)
    }
  }
  const modelPayments = model.payments.map(({ on, gross, tax }) => ({ on: dates[on], gross, tax }))
  expect(payments).toEqual(modelPayments)
}

test(`${lives} random lives agree with the model to the cent`, { timeout: 3_600_000 }, () => {
  for (let seed = 1; seed <= lives; seed++) live(seed)
})
