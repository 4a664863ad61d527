/**
 * Random lives of limits whose unused part is charged, compared with an independent model every night:
 * limits that are raised, lowered, temporary and withdrawn, accounts that are blocked and released,
 * postings with earlier and later value dates, and nights that the job missed. `FEE_LIVES=3000` runs more.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { ApprovedOverdraft } from '../../../kernel/domain/overdraft.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { AccruedDay, Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import { commitmentFeeByDay } from '../../../subgraphs/interest/domain/commitment-fee.ts'
import { random } from '../../kit/random.ts'
import { between, emptyPosition, oneOf, text } from '../interest/kit.ts'
import {
  calendar,
  isBefore,
  mul,
  nearest,
  partOfYear,
  percent,
  plus,
  type Fraction,
  type Ymd,
} from '../interest/model.ts'

const lives = Number(process.env['FEE_LIVES'] ?? 60)
const length = 420
const frequencies = { 1: 'monthly', 3: 'quarterly', 12: 'annually' } as const

interface Limit {
  from: number
  to: number
  cents: bigint
}

/** What all days cost: the limit of the day less what is drawn, unless the account was blocked then. */
function costOf(
  days: readonly Ymd[],
  count: number,
  postings: readonly { value: number; cents: bigint }[],
  limits: readonly Limit[],
  wasBlocked: readonly boolean[],
  { pct, dayCount, every }: Offer,
): Fraction {
  let total: Fraction = { n: 0n, d: 1n }
  for (let day = 0; day < count; day++) {
    const known = limits.filter(({ from, to }) => from <= day && day <= to)
    const latest = Math.max(...known.map(({ from }) => from))
    const limit = known.findLast(({ from }) => from === latest)?.cents ?? 0n
    const balance = postings.reduce(
      (sum, { value, cents }) => (value <= day ? sum + cents : sum),
      0n,
    )
    const drawn = balance < 0n ? -balance : 0n
    if (wasBlocked[day] || drawn >= limit) continue
    const [year, month] = days[day]!
    const first: Ymd = [year, month - ((month - 1) % every), 1]
    const start = isBefore(first, days[0]!) ? days[0]! : first
    const part = partOfYear({ dayCount }, start, days[day]!, days[day + 1]!)
    total = plus(total, mul(mul({ n: limit - drawn, d: 1n }, percent(pct)), part))
  }
  return total
}

interface Offer {
  pct: string
  dayCount: 'act-365' | 'act-360' | 'act-act' | 'thirty-e-360'
  every: 1 | 3 | 12
}

interface Seen {
  paused: number
  refunds: number
  exhausted: number
}

function live(seed: number, seen: Seen): void {
  const next = random(seed)
  const first: Ymd = [between(next, 1996, 2030), between(next, 1, 12), between(next, 1, 28)]
  const days = calendar(first, length + 60)
  const dates = days.map(text)
  const offer: Offer = {
    pct: `${between(next, 0, 3)}.${String(between(next, 1, 999_999)).padStart(6, '0')}`,
    dayCount: oneOf(next, ['act-365', 'act-360', 'act-act', 'thirty-e-360'] as const),
    every: oneOf(next, [1, 3, 12] as const),
  }
  const overdraft = {
    annualRatePct: '5',
    unarrangedRatePct: '9',
    commitmentFeePct: offer.pct,
    interestFreeAmount: null,
    dayCount: offer.dayCount,
    charging: frequencies[offer.every],
    noticeDays: 0,
    suspendAfterDays: null,
  }
  const product = { productId: 'prd', versions: [{ version: '0', status: 'active', overdraft }] }
  const postings: { value: number; cents: bigint }[] = []
  const limits: Limit[] = []
  const approved: ApprovedOverdraft[] = []
  const wasBlocked: boolean[] = []
  const stored = new Map<string, AccruedDay>()
  const charges: bigint[] = []
  let position = emptyPosition(dates[0]!)
  let waiting: Movement[] = []
  let isBlocked = false
  let [accrued, charged] = [0, 0n]
  for (let day = 0; day < length; day++) {
    if (next() < (day === 0 ? 0.8 : 0.02)) {
      const from = day + (next() < 0.6 ? 0 : between(next, 0, 40))
      const to = next() < 0.4 ? from + between(next, 0, 60) : Infinity
      const cents = next() < 0.2 ? 0n : BigInt(between(next, 0, 900_000))
      limits.push({ from, to, cents })
      approved.push({
        overdraftId: `ovd_${approved.length}`,
        limitMinor: cents.toString(),
        annualRatePct: '5',
        unarrangedRatePct: '9',
        interestFreeMinor: '0',
        validFrom: dates[from]!,
        validTo: to === Infinity ? null : addDays(dates[from]!, to - from),
      })
    }
    if (next() < 0.12) {
      const shift = next() < 0.35 ? between(next, -30, 10) : 0
      const value = Math.min(Math.max(day + shift, -5), length)
      const cents = BigInt(between(next, -400_000, 380_000))
      postings.push({ value, cents })
      const valueDate = value < 0 ? addDays(dates[0]!, value) : dates[value]!
      waiting.push({ valueDate, amountMinor: -cents, postingInstructionId: `pin_${day}` })
    }
    if (next() < 0.02) isBlocked = !isBlocked
    if (next() < 0.15 && day < length - 1) continue
    const result = accrue({
      position,
      movements: waiting,
      seenSequence: position.seenSequence + BigInt(waiting.length),
      accruedDays: stored,
      termsOn: commitmentFeeByDay(product, '0', approved, isBlocked),
      isExemptOn: () => true,
      through: dates[day]!,
      mayPay: true,
      term: null,
    })
    position = result.position
    for (const each of result.days) stored.set(each.accruedOn, each)
    waiting = []
    const expected: bigint[] = []
    for (; accrued <= day; accrued++) {
      wasBlocked.push(isBlocked)
      const [, month, date] = days[accrued + 1]!
      if (date !== 1 || (month - 1) % offer.every !== 0) continue
      const due = nearest(costOf(days, accrued + 1, postings, limits, wasBlocked, offer)) - charged
      if (due === 0n) continue
      charged += due
      expected.push(due)
      postings.push({ value: accrued + 1, cents: -due })
    }
    expect({ seed, charges: result.capitalizations.map(({ grossMinor }) => grossMinor) }).toEqual({
      seed,
      charges: expected,
    })
    charges.push(...expected)
    const model = nearest(costOf(days, accrued, postings, limits, wasBlocked, offer))
    expect({ seed, day, accrued: position.accruedMinor }).toEqual({ seed, day, accrued: model })
  }
  seen.paused += [...stored.values()].filter(({ isSuspended }) => isSuspended).length
  seen.refunds += charges.filter((amount) => amount < 0n).length
  seen.exhausted += [...stored.values()].filter(
    ({ units, isSuspended }) => units === 0n && !isSuspended,
  ).length
}

test(`${lives} random lives agree with the model to the cent`, { timeout: 3_600_000 }, () => {
  const seen = { paused: 0, refunds: 0, exhausted: 0 }
  for (let seed = 1; seed <= lives; seed++) live(seed, seen)
  // The lives contain what is rare.
  expect(seen.paused).toBeGreaterThan(100)
  expect(seen.exhausted).toBeGreaterThan(100)
  expect(seen.refunds).toBeGreaterThan(0)
})
