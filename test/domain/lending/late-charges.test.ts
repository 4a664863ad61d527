import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fee } from '../../../kernel/domain/fee.ts'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import { newFacility } from '../../../subgraphs/lending/domain/facilities/opening.ts'
import { isServiced, type Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { numRuns } from './kit.ts'
import {
  lateChargesOf,
  type LateChargeTerms,
} from '../../../subgraphs/lending/domain/late-charges/terms.ts'
import { waiveLateCharges } from '../../../subgraphs/lending/domain/late-charges/waiver.ts'
import type { Allocation } from '../../../subgraphs/lending/domain/repayments/allocation.ts'
import {
  noCharges,
  overdueMinor,
  unpaidMinor,
  type DueInstallment,
} from '../../../subgraphs/lending/domain/repayments/due-installment.ts'
import { reverseRepaymentEffect } from '../../../subgraphs/lending/domain/repayments/repayment.ts'
import {
  book,
  chargeLate,
  payDues,
  startServicing,
  type ServicedFacility,
} from '../../../subgraphs/lending/domain/servicing/servicing.ts'

const eur = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
const aFee = (fee: Partial<Fee> = {}): Fee => ({
  code: 'late-payment',
  name: null,
  frequency: 'per-event',
  amount: eur(1500n),
  percent: null,
  tiers: [],
  minimum: null,
  maximum: null,
  waivers: [],
  ...fee,
})
const terms = (changes: Partial<LateChargeTerms> = {}): LateChargeTerms => ({
  fee: null,
  defaultInterestPct: '0',
  defaultInterestBase: 'principal',
  graceDays: 0,
  arePaidLast: false,
  ...changes,
})

const aDue = (number: number, dueDate: string, due: Partial<DueInstallment> = {}) => ({
  facilityId: 'loan_late',
  number,
  dueDate,
  interestMinor: 6_000n,
  principalMinor: 100_000n,
  interestPaidMinor: 0n,
  principalPaidMinor: 0n,
  charges: noCharges,
  paidOn: null,
  ...due,
})

/** A facility that owes its due installments and nothing else. */
function aFacility(lateCharges: LateChargeTerms, dues: readonly DueInstallment[]) {
  const sum = (part: 'interestMinor' | 'principalMinor') =>
    dues.reduce((total, due) => total + due[part], 0n)
  const stamp = { contentHash: '', version: 1, createdAt: new Date(), updatedAt: new Date() }
  const opened = newFacility(
    {
      customerId: 'cus_ada',
      kind: 'consumer-loan',
      limit: eur(1_200_000n),
      ratePct: '6',
      installments: 12,
      frequency: 'monthly',
      dayCount: 'thirty-360',
      isApprovalRequired: false,
      openedOn: '2026-01-01',
    },
    { ...stamp, facilityId: 'loan_late', partyId: 'pty_ada' },
    '2026-01-01',
  )
  const facility: Facility = {
    ...opened,
    state: 'active',
    lateCharges,
    principalMinor: sum('principalMinor'),
    principalDueMinor: sum('principalMinor'),
    interestDueMinor: sum('interestMinor'),
    disbursedMinor: 1_200_000n,
  }
  return startServicing(facility, dues)
}

const chargesOn = (lateCharges: LateChargeTerms, day: string, due = aDue(1, '2026-02-01')) => {
  const { facility } = chargeLate(aFacility(lateCharges, [due]), day)
  return [facility.feesDueMinor, facility.penaltiesDueMinor]
}

describe('late charges of an installment', () => {
  test('are due from the day after the grace, and default interest then counts from the due date', () => {
    const agreed = terms({ fee: aFee(), defaultInterestPct: '7.3', graceDays: 10 })
    expect(chargesOn(agreed, '2026-02-01')).toEqual([0n, 0n])
    expect(chargesOn(agreed, '2026-02-11')).toEqual([0n, 0n])
    // 1,000.00 × 7.3 % × 11 ÷ 365 = 2.20
    expect(chargesOn(agreed, '2026-02-12')).toEqual([1500n, 220n])
    expect(chargesOn(agreed, '2027-02-01')).toEqual([1500n, 7300n])
  })

  test('count interest on interest only if that was agreed', () => {
    const agreed = terms({ defaultInterestPct: '7.3', defaultInterestBase: 'installment' })
    expect(chargesOn(agreed, '2026-02-11')).toEqual([0n, 212n])
    expect(chargesOn(terms({ defaultInterestPct: '7.3' }), '2026-02-11')).toEqual([0n, 200n])
  })

  test.each([
    ['of an amount', { amount: eur(1500n) }, 1500n],
    ['in percent', { amount: null, percent: '5' }, 5300n],
    ['with a maximum', { amount: null, percent: '5', maximum: eur(2500n) }, 2500n],
    ['with a minimum', { amount: null, percent: '0.1', minimum: eur(1000n) }, 1000n],
    ['in another currency', { amount: { amountMinor: 1500n, currency: 'USD' } }, 0n],
  ])('have a fee %s', (_, fee, expected) => {
    expect(chargesOn(terms({ fee: aFee(fee) }), '2026-02-02')).toEqual([expected, 0n])
  })

  test('round the total of the installment half to even, not each day', () => {
    // 0.50 a day: 1,000.00 × 18.25 % ÷ 365.
    const agreed = terms({ defaultInterestPct: '0.01825' })
    const daily = [1, 2, 3, 4, 5].map((days) =>
      chargesOn(agreed, toDate(toDay('2026-02-01') + days)),
    )
    // 0.05 of a cent a day.
    expect(daily.every(([, penalty]) => penalty === 0n)).toBe(true)
    expect(chargesOn(agreed, toDate(toDay('2026-02-01') + 100))).toEqual([0n, 5n])
  })
})

describe('the late charges of a product version', () => {
  const fees = [
    { code: 'late-payment', frequency: 'per-event', amount: null, percent: '2', tiers: [] },
  ]
  const parameter = (name: string, value: string) => ({ name, default: value })

  test('come from its fee and its parameters', () => {
    const parameters = [
      parameter('defaultInterestPct', '9.5'),
      parameter('defaultInterestBase', 'installment'),
      parameter('lateChargeGraceDays', '15'),
      parameter('areLateChargesPaidLast', 'true'),
    ]
    expect(lateChargesOf({ parameters, fees })).toMatchObject({
      fee: { percent: '2' },
      defaultInterestPct: '9.5',
      defaultInterestBase: 'installment',
      graceDays: 15,
      arePaidLast: true,
    })
  })

  test.each([
    [[], []],
    [[parameter('defaultInterestPct', '-3')], []],
    [[parameter('defaultInterestPct', '0.00')], [{ ...fees[0], frequency: 'monthly' }]],
    [[parameter('defaultInterestPct', 'much')], [{ ...fees[0], code: 'setup' }]],
  ])('are none with %j and %j', (parameters, otherFees) => {
    expect(lateChargesOf({ parameters, fees: otherFees })).toBeNull()
  })
})

describe('a payment', () => {
  const agreed = terms({ fee: aFee(), defaultInterestPct: '7.3' })
  const dues = [aDue(1, '2026-02-01'), aDue(2, '2026-03-01')]
  const allocated = (lateCharges: LateChargeTerms, amountMinor: bigint) => {
    const late = chargeLate(aFacility(lateCharges, dues), '2026-03-11')
    return payDues(late, amountMinor, '2026-03-11').allocations.map(
      ({ number, part, amountMinor: paid }) => `${number} ${part} ${paid}`,
    )
  }

  test('covers the charges of an installment first', () => {
    expect(allocated(agreed, 10_000n)).toEqual([
      '1 fees 1500',
      '1 penalties 760',
      '1 interest 6000',
      '1 principal 1740',
    ])
  })

  test('covers the charges of all installments last, if that was agreed', () => {
    expect(allocated({ ...agreed, arePaidLast: true }, 214_000n)).toEqual([
      '1 interest 6000',
      '1 principal 100000',
      '2 interest 6000',
      '2 principal 100000',
      '1 fees 1500',
      '1 penalties 500',
    ])
  })

  test('of the day before takes back what was charged since', () => {
    const late = chargeLate(aFacility(agreed, [aDue(1, '2026-02-01')]), '2026-02-11')
    expect(late.facility.penaltiesDueMinor).toBe(200n)
    const { serviced } = payDues(late, 106_000n, '2026-02-01')
    const after = chargeLate(serviced, '2026-02-11')
    expect(after.dues).toMatchObject([{ paidOn: '2026-02-01' }])
    expect([after.facility.feesDueMinor, after.facility.penaltiesDueMinor]).toEqual([0n, 0n])
  })

  test('of the regular amount cures the facility although charges remain', () => {
    const late = chargeLate(
      aFacility({ ...agreed, arePaidLast: true }, [aDue(1, '2026-02-01')]),
      '2026-02-11',
    )
    const { serviced } = payDues(late, 106_000n, '2026-02-11')
    expect(overdueMinor(serviced.dues[0]!)).toBe(0n)
    expect(unpaidMinor(serviced.dues[0]!)).toBe(1700n)
    expect(serviced.dues[0]!.paidOn).toBeNull()
  })
})

// The model: what happened to each installment, from which every charge is computed anew, day by day.
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
  let minorDays = 0n
  for (let night = first; night < today; night++) {
    const { interest, principal } = unpaidAt(night)
    minorDays += agreed.defaultInterestBase === 'principal' ? principal : principal + interest
  }
  const atGrace = unpaidAt(first + agreed.graceDays)
  const isLate = today > first + agreed.graceDays && atGrace.interest + atGrace.principal > 0n
  return isLate ? [1500n, roundedShare(minorDays, basisPoints)] : [0n, 0n]
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
)
type Step = { sleep?: number; pay?: bigint; daysBack?: number; reverse?: number; waive?: number }

describe('any life of a late facility', () => {
  const dues = [1, 2, 3, 4].map((number) => aDue(number, `2026-0${number + 1}-01`))

  test(
    'has the charges that a day-by-day model finds, and books exactly them',
    { timeout: 60_000 },
    () => {
      const done = { pay: 0, backdated: 0, reverse: 0, waive: 0 }
      fc.assert(
        fc.property(
          fc.constantFrom('principal' as const, 'installment' as const),
          fc.integer({ min: 0, max: 3000 }),
          fc.integer({ min: 0, max: 20 }),
          fc.boolean(),
          fc.array(anyStep, { minLength: 5, maxLength: 25 }),
          (defaultInterestBase, basisPoints, graceDays, arePaidLast, steps) => {
            const defaultInterestPct = (basisPoints / 100).toFixed(2)
            const fee = aFee()
            const agreed = { fee, defaultInterestPct, defaultInterestBase, graceDays, arePaidLast }
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
              } else {
                const due = serviced.dues.find(({ number }) => number === step.waive)!
                if (unpaidMinor(due) === overdueMinor(due)) continue
                serviced = waiveLateCharges(serviced, step.waive!, toDate(today)).serviced
                done.waive++
              }
              expectModel(serviced, payments, agreed, BigInt(basisPoints), today)
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
    const [fee, penalty] = modelOf(due, events, agreed, basisPoints, today) as [bigint, bigint]
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
