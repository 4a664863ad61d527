/**
 * Random lives of late facilities, compared with a model that computes every charge anew from what
 * happened, day by day.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import { isServiced } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import {
  endLateChargePause,
  openPause,
  pauseLateCharges,
} from '../../../subgraphs/lending/domain/late-charges/pausing.ts'
import { defaultPolicy } from '../../../subgraphs/lending/domain/facilities/product-policy.ts'
import type { LateChargeTerms } from '../../../subgraphs/lending/domain/late-charges/terms.ts'
import { waiveLateCharges } from '../../../subgraphs/lending/domain/late-charges/waiver.ts'
import type { Allocation } from '../../../subgraphs/lending/domain/repayments/allocation.ts'
import {
  overdueMinor,
  unpaidMinor,
  type DueInstallment,
} from '../../../subgraphs/lending/domain/repayments/due-installment.ts'
import { payDues } from '../../../subgraphs/lending/domain/repayments/pay-dues.ts'
import { reverseRepaymentEffect } from '../../../subgraphs/lending/domain/repayments/reverse-repayment.ts'
import {
  book,
  chargeLate,
  type ServicedFacility,
} from '../../../subgraphs/lending/domain/servicing/servicing.ts'
import { numRuns } from './kit.ts'
import { aDue, aFacility, aFee, terms } from './late-charges-kit.ts'

/** What happened to an installment. */
interface Event {
  number: number
  interestMinor: bigint
  principalMinor: bigint
  on: number
}

/** Default interest in minor units, rounded half to even with decimal digits instead of fractions. */
function roundedShare(minorDays: bigint, basisPoints: bigint): bigint {
  const digits = 10n ** 12n
  const scaled = (minorDays * basisPoints * digits) / (10_000n * 365n)
  const isExact = scaled * 10_000n * 365n === minorDays * basisPoints * digits
  const [whole, rest] = [scaled / digits, scaled % digits]
  const half = digits / 2n
  if (rest > half || (rest === half && !isExact)) return whole + 1n
  return rest === half && whole % 2n === 1n ? whole + 1n : whole
}

function modelOf(
  { dueDate, interestMinor, principalMinor, number }: DueInstallment,
  events: readonly Event[],
  agreed: LateChargeTerms,
  basisPoints: bigint,
  today: number,
  isPaused: (night: number) => boolean,
) {
  const own = events.filter((event) => event.number === number)
  const first = toDay(dueDate)
  const unpaidAt = (day: number) => {
    const paid = own.filter(({ on }) => on <= day)
    return {
      interest: paid.reduce((left, event) => left - event.interestMinor, interestMinor),
      principal: paid.reduce((left, event) => left - event.principalMinor, principalMinor),
    }
  }
  let [minorDays, nights, isLate] = [0n, 0, false]
  for (let night = first; night < today; night++) {
    if (isPaused(night)) continue
    const { interest, principal } = unpaidAt(night)
    minorDays += agreed.defaultInterestBase === 'principal' ? principal : principal + interest
    // The first night beyond the grace decides; what was paid by its evening was in time.
    if (++nights === agreed.graceDays + 1) isLate = interest + principal > 0n
  }
  if (!isLate) return [0n, 0n]
  const cap = ((interestMinor + principalMinor) * BigInt(agreed.maximumPct ?? 1_000_000)) / 100n
  const fee = cap < 1500n ? cap : 1500n
  const penalty = roundedShare(minorDays, basisPoints)
  return [fee, penalty < cap - fee ? penalty : cap - fee]
}

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ sleep: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      pay: fc.bigInt(1n, 150_000n),
      daysBack: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ reverse: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ waive: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ pauseIn: fc.nat(10), nights: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.record({ endPause: fc.constant(true) }) },
)
interface Step {
  sleep?: number
  pay?: bigint
  daysBack?: number
  reverse?: number
  waive?: number
  pauseIn?: number
  nights?: number
  endPause?: boolean
}

describe('any life of a late facility', () => {
  const dues = [1, 2, 3, 4].map((number) => aDue(number, `2026-0${number + 1}-01`))

  test(
    'has the charges that a day-by-day model finds, and books exactly them',
    { timeout: 60_000 },
    () => {
      const done = { pay: 0, backdated: 0, reverse: 0, waive: 0, pause: 0, endPause: 0 }
      fc.assert(
        fc.property(
          fc.constantFrom('principal' as const, 'installment' as const),
          fc.integer({ min: 0, max: 3000 }),
          fc.integer({ min: 0, max: 20 }),
          fc.boolean(),
          fc.constantFrom(null, '1', '3', '20'),
          fc.array(anyStep, { minLength: 5, maxLength: 25 }),
          (defaultInterestBase, basisPoints, graceDays, arePaidLast, maximumPct, steps) => {
            const defaultInterestPct = (basisPoints / 100).toFixed(2)
            const fee = aFee()
            const terms = { fee, defaultInterestPct, defaultInterestBase, graceDays, arePaidLast }
            const agreed = { ...terms, maximumPct }
            const pausedNights = new Set<number>()
            let today = toDay('2026-05-05')
            let serviced = chargeLate(aFacility(agreed, dues), toDate(today))
            const payments: { on: string; allocations: readonly Allocation[] }[] = []
            for (const step of steps as Step[]) {
              // A waiver or a payment can end the loan.
              if (!isServiced(serviced.facility)) return
              if (step.sleep) {
                today += step.sleep
                serviced = chargeLate(serviced, toDate(today))
              } else if (step.pay) {
                const on = toDate(today - step.daysBack!)
                const { leftMinor, ...paid } = payDues(serviced, step.pay, on)
                if (leftMinor > 0n) continue
                const booked = book(paid.serviced, { on, text: 'Repayment', legs: paid.legs })
                serviced = chargeLate(booked, toDate(today))
                payments.push({ on, allocations: paid.allocations })
                done.pay++
                if (step.daysBack! > 0) done.backdated++
              } else if (step.reverse !== undefined) {
                const [payment] = payments.splice(step.reverse, 1)
                if (!payment) continue
                serviced = reversed(serviced, payment, toDate(today))
                done.reverse++
              } else if (step.endPause) {
                if (!openPause(serviced.facility, toDate(today))) continue
                const { facility } = endLateChargePause(serviced.facility, 'liam', toDate(today))
                serviced = { ...serviced, facility }
                for (const night of pausedNights) if (night >= today) pausedNights.delete(night)
                done.endPause++
              } else if (step.nights) {
                if (openPause(serviced.facility, toDate(today))) continue
                const first = today + step.pauseIn!
                const [from, until] = [toDate(first), toDate(first + step.nights - 1)]
                const pause = { from, until, reason: 'hardship', pausedBy: 'liam' } as const
                const { facility } = serviced
                const paused = pauseLateCharges(facility, pause, defaultPolicy, toDate(today))
                serviced = { ...serviced, facility: paused }
                for (let night = 0; night < step.nights; night++) pausedNights.add(first + night)
                done.pause++
              } else {
                const due = serviced.dues.find(({ number }) => number === step.waive)!
                if (unpaidMinor(due) === overdueMinor(due)) continue
                serviced = waiveLateCharges(serviced, step.waive!, toDate(today)).serviced
                done.waive++
              }
              const isPaused = (night: number) => pausedNights.has(night)
              expectModel(serviced, payments, agreed, BigInt(basisPoints), today, isPaused)
            }
          },
        ),
        { numRuns },
      )
      for (const count of Object.values(done)) expect(count).toBeGreaterThan(50)
    },
  )

  test('costs the same if days are closed one by one or at once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 200 }),
        (rate, days) => {
          const agreed = terms({
            fee: aFee(),
            defaultInterestPct: String(rate / 100),
            graceDays: 5,
          })
          const start = aFacility(agreed, dues)
          const last = toDay('2026-02-01') + days
          let daily = start
          for (let day = toDay('2026-02-01'); day <= last; day++) {
            daily = chargeLate(daily, toDate(day))
          }
          expect(daily.dues).toEqual(chargeLate(start, toDate(last)).dues)
        },
      ),
      { numRuns: Math.min(numRuns, 200) },
    )
  })
})

function reversed(
  serviced: ServicedFacility,
  payment: { on: string; allocations: readonly Allocation[] },
  today: string,
): ServicedFacility {
  const legs = payment.allocations.map(({ part, amountMinor }) => ({
    ...addressed(part),
    amountMinor,
  }))
  const effect = reverseRepaymentEffect(
    serviced,
    {
      allocations: payment.allocations,
      paymentDate: payment.on,
      extraInterestMinor: 0n,
      extraPrincipalMinor: 0n,
      extraPayment: null,
    },
    today,
  )
  return book(effect.serviced, { on: today, text: 'Reversal', legs: legs as never })
}
const addresses = {
  fees: 'fees',
  penalties: 'penalties',
  interest: 'interest-due',
  principal: 'principal',
}
const addressed = (part: Allocation['part']) => ({ address: addresses[part], side: 'debit' })

function expectModel(
  { facility, dues, bookings }: ServicedFacility,
  payments: readonly { on: string; allocations: readonly Allocation[] }[],
  agreed: LateChargeTerms,
  basisPoints: bigint,
  today: number,
  isPaused: (night: number) => boolean,
): void {
  const events = payments.flatMap(({ on, allocations }) =>
    allocations.map(({ number, part, amountMinor }): Event => ({
      number,
      on: toDay(on),
      interestMinor: part === 'interest' ? amountMinor : 0n,
      principalMinor: part === 'principal' ? amountMinor : 0n,
    })),
  )
  for (const due of dues) {
    const { charges } = due
    const [fee, penalty] = modelOf(due, events, agreed, basisPoints, today, isPaused) as [
      bigint,
      bigint,
    ]
    const max = (one: bigint, other: bigint) => (one > other ? one : other)
    // What was paid or waived stays charged.
    expect(charges.feesMinor).toBe(max(fee, charges.feesPaidMinor + charges.feesWaivedMinor))
    expect(charges.penaltiesMinor).toBe(
      max(penalty, charges.penaltiesPaidMinor + charges.penaltiesWaivedMinor),
    )
    expect(due.paidOn === null).toBe(unpaidMinor(due) > 0n)
  }
  for (const [address, expected] of [
    ['fees', facility.feesDueMinor],
    ['penalties', facility.penaltiesDueMinor],
  ] as const) {
    const legs = bookings.flatMap((booking) => booking.legs)
    const booked = legs
      .filter((leg) => leg.address === address)
      .reduce((sum, leg) => sum + (leg.side === 'debit' ? leg.amountMinor : -leg.amountMinor), 0n)
    expect(booked).toBe(expected)
  }
}
