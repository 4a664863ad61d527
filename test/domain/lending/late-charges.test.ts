import { describe, expect, test } from 'vitest'
import { feeToJson } from '../../../kernel/domain/fee.ts'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import {
  lateChargesOf,
  type LateChargeTerms,
} from '../../../subgraphs/lending/domain/late-charges/terms.ts'
import {
  overdueMinor,
  unpaidMinor,
} from '../../../subgraphs/lending/domain/repayments/due-installment.ts'
import { payDues } from '../../../subgraphs/lending/domain/repayments/pay-dues.ts'
import { chargeLate } from '../../../subgraphs/lending/domain/servicing/servicing.ts'
import { aDue, aFacility, aFee, eur, terms } from './late-charges-kit.ts'

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
  const fees = [feeToJson(aFee({ amount: null, percent: '2' }))]
  const parameter = (name: string, value: string) => ({ name, default: value })

  test('come from its fee and its parameters', () => {
    const parameters = [
      parameter('defaultInterestPct', '9.5'),
      parameter('defaultInterestBase', 'installment'),
      parameter('lateChargeGraceDays', '15'),
      parameter('areLateChargesPaidLast', 'true'),
    ]
    expect(lateChargesOf({ parameters, fees }, 'EUR')).toMatchObject({
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
    [[], [{ ...fees[0], percent: null, amount: { amountMinor: '900', currency: 'USD' } }]],
    [[parameter('defaultInterestPct', 'much')], [{ ...fees[0], frequency: 'upfront' }]],
  ])('are none with %j and %j', (parameters, otherFees) => {
    expect(lateChargesOf({ parameters, fees: otherFees }, 'EUR')).toBeNull()
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
