/**
 * Random lives of overdrawn accounts, compared with an independent model every night: limits that are
 * raised, lowered, temporary and withdrawn, interest-free amounts, suspended interest, nights that the
 * job missed, and postings with earlier and later value dates. `OVERDRAFT_LIVES=3000` runs more.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { ApprovedOverdraft } from '../../../kernel/domain/overdraft.ts'
import { accrue } from '../../../subgraphs/interest/domain/accrue.ts'
import type { AccruedDay, Movement } from '../../../subgraphs/interest/domain/accrued-day.ts'
import { overdraftTermsByDay } from '../../../subgraphs/interest/domain/overdraft-terms.ts'
import { random } from '../../kit/random.ts'
import { emptyPosition } from '../interest/kit.ts'
import { calendar, nearest, type Ymd } from '../interest/model.ts'
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
function productOf(offer: ModelOffer) {
  const interestFreeAmount = { amountMinor: offer.free.toString(), currency: 'EUR' }
  const overdraft = {
    annualRatePct: offer.arranged,
    unarrangedRatePct: offer.unarranged,
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
}

function live(seed: number, seen: Seen): void {
  const next = random(seed)
  const first: Ymd = [between(next, 1996, 2030), between(next, 1, 12), between(next, 1, 28)]
  const days = calendar(first, length + 60)
  const dates = days.map(text)
  const offer = randomOffer(next)
  const model = new ModelOverdrawnAccount(days, offer)
  const approved: ApprovedOverdraft[] = []
  const termsOn = overdraftTermsByDay(productOf(offer), '0', 'EUR', approved)
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
      model.overdrafts.push({ from, to, limit, free, arranged, unarranged })
      approved.push({
        overdraftId: `ovd_${approved.length}`,
        limitMinor: limit.toString(),
        annualRatePct: arranged,
        unarrangedRatePct: unarranged,
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
  const seen = { suspendedDays: 0, refunds: 0 }
  for (let seed = 1; seed <= lives; seed++) live(seed, seen)
  // The lives contain what is rare.
  expect(seen.suspendedDays).toBeGreaterThan(100)
  expect(seen.refunds).toBeGreaterThan(0)
})
