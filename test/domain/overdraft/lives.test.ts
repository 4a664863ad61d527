/**
 * Random lives of overdrawn accounts, compared with an independent model every night: limits that are
 * raised, lowered, temporary and withdrawn, interest-free amounts, suspended interest, rates that follow
 * a reference rate whose fixings are late, too old or corrected, nights that the job missed, and postings
 * with earlier and later value dates. `OVERDRAFT_LIVES=3000` runs more.
 */
import { expect, test } from 'vitest'
import { withFixings, type RateFixing } from '../../../kernel/domain/reference-rate.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { ApprovedOverdraft, FloatingOverdraftRate } from '../../../kernel/domain/overdraft.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { AccruedDay, Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import { overdraftTermsByDay } from '../../../subgraphs/interest/domain/overdraft-terms.ts'
import { random } from '../../kit/random.ts'
import { emptyPosition } from '../interest/kit.ts'
import { calendar, nearest, type ModelFixing, type Ymd } from '../interest/model.ts'
import { walkIndex, type ModelIndexTerms } from './index-model.ts'
import { ModelOverdrawnAccount, type ModelOffer } from './model.ts'

const lives = Number(process.env['OVERDRAFT_LIVES'] ?? 60)
const length = 420
const frequencies = { 1: 'monthly', 3: 'quarterly', 12: 'annually' } as const

type Random = () => number
const between = (next: Random, low: number, high: number) =>
  low + Math.floor(next() * (high - low + 1))
const oneOf = <Value>(next: Random, values: readonly Value[]) =>
  values[between(next, 0, values.length - 1)]!
const text = ([y, m, d]: Ymd) => `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
const rate = (next: Random) =>
  `${between(next, 0, 18)}.${String(between(next, 0, 999_999)).padStart(6, '0')}`

const resets = {
  0: 'daily',
  1: 'monthly',
  3: 'quarterly',
  6: 'semi-annually',
  12: 'annually',
} as const

/** The days of the reference rate begin two years before the account is opened. */
const lead = 730

/** A reference rate with its fixings, of which some are recorded late and some are corrected. */
function randomIndex(next: Random, days: readonly Ymd[]) {
  const dates = days.map(text)
  const fixings: ModelFixing[] = []
  const gap = oneOf(next, [1, 10, 60])
  const from = oneOf(next, [0, lead - 40, lead])
  for (let on = from; on < days.length; on += between(next, 1, 2 * gap)) {
    const known = Math.max(on + (next() < 0.3 ? between(next, -5, 50) : 0), 0)
    const pct = `${next() < 0.2 ? '-' : ''}${rate(next)}`
    fixings.push({ on, known: fixings.length === 0 ? on : known, pct })
    if (next() < 0.1) fixings.push({ on, known: known + between(next, 1, 40), pct: rate(next) })
  }
  const validDays = oneOf(next, [null, 5, 45, 120])
  const recorded = fixings.reduce<RateFixing[]>(
    (before, { on, known, pct }) =>
      withFixings(before, [{ fixedOn: dates[on]!, ratePct: pct }], addDays(dates[0]!, known)),
    [],
  )
  return { days, fixings, validDays, fact: { validDays, fixings: recorded } }
}
type Index = ReturnType<typeof randomIndex>

/** How the rates follow it, for the model and as the bank publishes it. */
function randomFollowing(next: Random, { days, fixings, validDays }: Index, seen: Seen) {
  const index: ModelIndexTerms = {
    resetEvery: oneOf(next, [0, 1, 3, 6, 12] as const),
    lookback: between(next, 0, 31),
    lowest: oneOf(next, ['0', '1.5']),
    highest: oneOf(next, [null, '9.25', '20']),
  }
  const walked = walkIndex(days, fixings, validDays ?? Infinity, index)
  seen.waits += walked.filter(({ hasWaited }) => hasWaited).length
  const floatingRate: FloatingOverdraftRate = {
    referenceRateId: 'ESTR',
    resets: resets[index.resetEvery],
    lookbackDays: index.lookback,
    minimumRatePct: index.lowest,
    maximumRatePct: index.highest,
  }
  const fixingOn = (day: number) => walked[day + lead]!.fixing.pct
  return { model: { index, fixingOn }, bank: { floatingRate } }
}

function randomOffer(next: Random): ModelOffer {
  return {
    free: next() < 0.4 ? BigInt(between(next, 0, 20_000)) : 0n,
    arranged: rate(next),
    unarranged: rate(next),
    dayCount: oneOf(next, ['act-365', 'act-360', 'act-act'] as const),
    chargeEvery: oneOf(next, [1, 3, 12] as const),
    suspendAfter: next() < 0.5 ? between(next, 1, 60) : null,
  }
}

/** The product as the bank publishes it. */
function productOf(offer: ModelOffer, floating: { floatingRate?: FloatingOverdraftRate }) {
  const interestFreeAmount = { amountMinor: offer.free.toString(), currency: 'EUR' }
  const overdraft = {
    annualRatePct: offer.arranged,
    unarrangedRatePct: offer.unarranged,
    ...floating,
    interestFreeAmount: offer.free > 0n ? interestFreeAmount : null,
    dayCount: offer.dayCount,
    charging: frequencies[offer.chargeEvery],
    noticeDays: 0,
    suspendAfterDays: offer.suspendAfter,
  }
  return { productId: 'prd', versions: [{ version: '0', status: 'active', overdraft }] }
}

interface Seen {
  suspendedDays: number
  refunds: number
  /** Days on which a reset waited for its fixing. */
  waits: number
}

function live(seed: number, seen: Seen): void {
  const next = random(seed)
  const first: Ymd = [between(next, 1996, 2030), between(next, 1, 12), between(next, 1, 28)]
  const allDays = calendar(first, lead + length + 60)
  const days = allDays.slice(lead)
  const dates = days.map(text)
  const index = randomIndex(next, allDays)
  const followed = [randomFollowing(next, index, seen), randomFollowing(next, index, seen)]
  const following = () => (next() < 0.6 ? oneOf(next, followed) : { model: {}, bank: {} })
  const offered = following()
  const offer = { ...randomOffer(next), ...offered.model }
  const model = new ModelOverdrawnAccount(days, offer)
  const approved: ApprovedOverdraft[] = []
  const termsOn = overdraftTermsByDay(
    productOf(offer, offered.bank),
    '0',
    'EUR',
    approved,
    new Map([['ESTR', index.fact]]),
  )
  const stored = new Map<string, AccruedDay>()
  let position = emptyPosition(dates[0]!)
  let waiting: Movement[] = []
  let missedNights = 0
  const charges: { on: string; amount: bigint }[] = []
  for (let day = 0; day < length; day++) {
    if (day === 0 || next() < 0.02) {
      const from = day + (next() < 0.5 ? 0 : between(next, 0, 40))
      const to = next() < 0.4 ? from + between(next, 0, 60) : Infinity
      const limit = next() < 0.2 ? 0n : BigInt(between(next, 0, 150_000))
      const free = next() < 0.5 ? offer.free : BigInt(between(next, 0, 30_000))
      const [arranged, unarranged] = [rate(next), rate(next)]
      const agreed = following()
      model.overdrafts.push({ from, to, limit, free, arranged, unarranged, ...agreed.model })
      approved.push({
        overdraftId: `ovd_${approved.length}`,
        limitMinor: limit.toString(),
        annualRatePct: arranged,
        unarrangedRatePct: unarranged,
        ...agreed.bank,
        interestFreeMinor: free.toString(),
        validFrom: dates[from]!,
        validTo: to === Infinity ? null : addDays(dates[from]!, to - from),
      })
    }
    if (next() < 0.12) {
      const shift = next() < 0.35 ? between(next, -30, 10) : 0
      const value = Math.min(Math.max(day + shift, -5), length)
      const cents = BigInt(between(next, -120_000, 95_000))
      model.post(value, cents)
      const valueDate = value < 0 ? addDays(dates[0]!, value) : dates[value]!
      // The book of overdrafts has the amounts that the customer owes.
      waiting.push({ valueDate, amountMinor: -cents, postingInstructionId: `pin_${day}` })
    }
    missedNights++
    if (next() < 0.15 && day < length - 1) continue
    for (; missedNights > 0; missedNights--) model.endOfDay()
    const result = accrue({
      position,
      movements: waiting,
      seenSequence: position.seenSequence + BigInt(waiting.length),
      accruedDays: stored,
      termsOn,
      isExemptOn: () => true,
      through: dates[day]!,
      mayPay: true,
      term: null,
    })
    position = result.position
    for (const each of result.days) stored.set(each.accruedOn, each)
    for (const { effectiveOn, grossMinor } of result.capitalizations) {
      charges.push({ on: effectiveOn, amount: grossMinor })
    }
    waiting = []
    const facts = { seed, day: dates[day], bank: position.accruedMinor, model: nearest(model.cost) }
    if (facts.bank !== facts.model || position.balanceMinor !== -model.balanceOn(day)) {
      throw new Error(`The bank and the model differ: ${Object.entries(facts).join(' ')}`)
    }
  }
  seen.suspendedDays += [...stored.values()].filter(({ isSuspended }) => isSuspended).length
  seen.refunds += charges.filter(({ amount }) => amount < 0n).length
  expect(charges).toEqual(model.charges.map(({ on, amount }) => ({ on: dates[on], amount })))
}

test(`${lives} random lives agree with the model to the cent`, { timeout: 3_600_000 }, () => {
  const seen = { suspendedDays: 0, refunds: 0, waits: 0 }
  for (let seed = 1; seed <= lives; seed++) live(seed, seen)
  // The lives contain what is rare.
  expect(seen.suspendedDays).toBeGreaterThan(100)
  expect(seen.refunds).toBeGreaterThan(0)
  expect(seen.waits).toBeGreaterThan(1000)
})
