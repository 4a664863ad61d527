/**
 * Random lives of overdrawn accounts: since when the customer has owed, compared every night with a
 * walk over all days from the opening on. Limits are raised, lowered, temporary and withdrawn,
 * postings have earlier and later value dates, the job misses nights, and some nights are accrued by
 * the former release, which derives nothing. `EXPOSURE_LIVES=20000` runs more.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { ApprovedOverdraft } from '../../../kernel/domain/overdraft.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { AccruedDay, Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import {
  exposureAfter,
  exposureOf,
  firstChangedDay,
  knownStart,
} from '../../../subgraphs/interest/domain/exposure.ts'
import { overdraftTermsByDay } from '../../../subgraphs/interest/domain/overdraft-terms.ts'
import { random } from '../../kit/random.ts'
import { between, emptyPosition } from '../interest/kit.ts'

const lives = Number(process.env['EXPOSURE_LIVES'] ?? 1000)
const length = 90
const openedOn = '2027-11-20'
const dayOf = (index: number) => addDays(openedOn, index)

/** Overdrafts that cost nothing, so that only the postings move the balance. */
const free = { annualRatePct: '0', unarrangedRatePct: '0' }
const product = {
  productId: 'prd',
  versions: [
    {
      version: '0',
      status: 'active',
      overdraft: {
        ...free,
        interestFreeAmount: null,
        dayCount: 'act-365',
        charging: 'monthly',
        noticeDays: 0,
        suspendAfterDays: null,
      },
    },
  ],
}

interface Limit {
  from: number
  to: number
  cents: number
}

/** The naive walk: every day from the first one on, with all that is known now. */
function walk(postings: { value: number; cents: number }[], limits: Limit[], last: number) {
  let overdrawnSince: number | null = null
  let beyondSince: number | null = null
  let [owed, limit] = [0, 0]
  for (let day = 0; day <= last; day++) {
    owed = 0 - postings.reduce((sum, { value, cents }) => (value <= day ? sum + cents : sum), 0)
    // Of the limits of a day, the one that begins last applies; of two, the one approved last.
    const applying = limits.filter(({ from, to }) => from <= day && day <= to)
    const latest = Math.max(...applying.map(({ from }) => from))
    limit = applying.findLast(({ from }) => from === latest)?.cents ?? 0
    overdrawnSince = owed > 0 ? (overdrawnSince ?? day) : null
    beyondSince = owed > limit ? (beyondSince ?? day) : null
  }
  return {
    asOf: dayOf(last),
    overdrawnMinor: BigInt(Math.max(owed, 0)),
    limitMinor: BigInt(limit),
    beyondLimitMinor: BigInt(Math.max(Math.max(owed, 0) - limit, 0)),
    undrawnMinor: BigInt(Math.max(limit - Math.max(owed, 0), 0)),
    overdrawnSince: overdrawnSince === null ? null : dayOf(overdrawnSince),
    beyondLimitSince: beyondSince === null ? null : dayOf(beyondSince),
    daysPastDue: beyondSince === null ? 0 : last - beyondSince + 1,
  }
}

/** What the store reads: the first of the overdrawn days in a row that end with the day before. */
function runStart(stored: ReadonlyMap<string, AccruedDay>, before: string): string | null {
  let since: string | null = null
  for (let day = addDays(before, -1); ; day = addDays(day, -1)) {
    if ((stored.get(day)?.balanceMinor ?? 0n) <= 0n) return since
    since = day
  }
}

interface Seen {
  pastDue: number
  cured: number
  joined: number
  skipped: number
}

function live(seed: number, seen: Seen): void {
  const next = random(seed)
  const postings: { value: number; cents: number }[] = []
  const limits: Limit[] = []
  const approved: ApprovedOverdraft[] = []
  const termsOn = overdraftTermsByDay(product, '0', 'EUR', approved)
  const stored = new Map<string, AccruedDay>()
  let position = emptyPosition(openedOn)
  let waiting: Movement[] = []
  let wasPastDue = false
  for (let day = 0; day < length; day++) {
    if (next() < (day === 0 ? 0.7 : 0.04)) {
      const from = day + (next() < 0.6 ? 0 : between(next, 0, 20))
      const to = next() < 0.4 ? from + between(next, 0, 25) : Infinity
      const cents = next() < 0.25 ? 0 : between(next, 0, 60_000)
      limits.push({ from, to, cents })
      approved.push({
        ...free,
        overdraftId: `ovd_${approved.length}`,
        limitMinor: `${cents}`,
        interestFreeMinor: '0',
        validFrom: dayOf(from),
        validTo: to === Infinity ? null : dayOf(to),
      })
    }
    if (next() < 0.15) {
      const shift = next() < 0.4 ? between(next, -40, 8) : 0
      const value = Math.max(day + shift, -3)
      const cents = between(next, -50_000, 46_000)
      postings.push({ value, cents })
      const valueDate = dayOf(value)
      waiting.push({ valueDate, amountMinor: BigInt(-cents), postingInstructionId: `pin_${day}` })
    }
    if (next() < 0.15 && day < length - 1) continue
    const inputs = { position, movements: waiting }
    const from = firstChangedDay(inputs)
    const known = knownStart(position, from)
    if (known === undefined && position.exposureThrough === position.accruedThrough) seen.joined++
    const start = { from, overdrawnSince: known === undefined ? runStart(stored, from) : known }
    const accrual = accrue({
      ...inputs,
      seenSequence: position.seenSequence + BigInt(waiting.length),
      accruedDays: stored,
      termsOn,
      isExemptOn: () => true,
      through: dayOf(day),
      mayPay: true,
      term: null,
    })
    for (const each of accrual.days) stored.set(each.accruedOn, each)
    waiting = []
    position = accrual.position
    // The former release leaves its columns as they were.
    if (next() < 0.1 && day < length - 1) {
      seen.skipped++
      continue
    }
    position = { ...position, ...exposureAfter(position, accrual.days, start, termsOn) }
    const { interestMinor, ...exposure } = exposureOf(position)
    const expected = walk(postings, limits, day)
    expect({ seed, ...exposure, interestMinor }).toEqual({ seed, ...expected, interestMinor: 0n })
    if (expected.daysPastDue > 0 && !wasPastDue) seen.pastDue++
    if (expected.daysPastDue === 0 && wasPastDue) seen.cured++
    wasPastDue = expected.daysPastDue > 0
  }
}

test.each([-500n, 0n])('a repaid account with a balance of %s owes nothing', (balanceMinor) => {
  const stale = { overdrawnSince: dayOf(3), exposureThrough: dayOf(9), limitMinor: 1_000n }
  const position = { ...emptyPosition(openedOn), accruedThrough: dayOf(10), balanceMinor, ...stale }
  for (const daysBeyondLimit of [0, 4]) {
    expect(exposureOf({ ...position, daysBeyondLimit })).toEqual({
      asOf: dayOf(10),
      overdrawnMinor: 0n,
      interestMinor: 0n,
      limitMinor: 1_000n,
      beyondLimitMinor: 0n,
      undrawnMinor: 1_000n,
      overdrawnSince: null,
      beyondLimitSince: null,
      daysPastDue: 0,
    })
  }
})

test(`${lives} random lives agree with a walk over all days`, { timeout: 3_600_000 }, () => {
  const seen: Seen = { pastDue: 0, cured: 0, joined: 0, skipped: 0 }
  for (let seed = 1; seed <= lives; seed++) live(seed, seen)
  // The lives contain what is rare.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(lives / 2)
})
