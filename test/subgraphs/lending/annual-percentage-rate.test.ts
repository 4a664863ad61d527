import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aLendingSubgraph, faults, type RunningLending } from './kit.ts'

let lending: RunningLending
beforeAll(async () => {
  lending = await aLendingSubgraph()
})
afterAll(() => lending.drop())

describe('annualPercentageRate', () => {
  const dated = {
    advances: [{ amount: '1000', on: '2026-01-15' }],
    payments: [{ amount: '1100', on: '2027-01-15' }],
  }
  const percent = async (input: object) => {
    const { data, errors } = await lending.previewRate(input)
    expect(errors).toEqual([])
    return data.annualPercentageRate.percent as string
  }
  const monthly = (count: number, amount: string) =>
    Array.from({ length: count }, (_, place) => ({
      amount,
      on: `2026-${String(place + 2).padStart(2, '0')}-15`,
    }))

  test('equals the simple rate over one year, in both conventions', async () => {
    expect(await percent(dated)).toBe('10.000000')
    expect(await percent({ ...dated, convention: 'US_ACTUARIAL' })).toBe('10.000000')
    expect(await percent({ ...dated, payments: [{ amount: '1000', on: '2027-01-15' }] })).toBe(
      '0.000000',
    )
  })

  test('returns the effective rate for the EU and the nominal rate for the US: 1 % a month', async () => {
    const payments = monthly(10, '105.5820765511')
    const flows = { advances: [{ amount: '1000', on: '2026-01-15' }], payments }
    expect(await percent(flows)).toBe('12.682503')
    expect(await percent({ ...flows, convention: 'US_ACTUARIAL' })).toBe('12.000000')
  })

  test('counts odd days as fractions of a year of 365 or 366 days', async () => {
    // 1000 → 1010 after a month and three days: (1/12 + 3/365) years.
    const odd = { ...dated, payments: [{ amount: '1010', on: '2026-02-18' }] }
    const expected = (1.01 ** (1 / (1 / 12 + 3 / 365)) - 1) * 100
    expect(Number(await percent(odd))).toBeCloseTo(expected, 6)
    const leap = {
      advances: [{ amount: '1000', on: '2024-02-26' }],
      payments: [{ amount: '1010', on: '2024-03-29' }],
    }
    const days = (1.01 ** (1 / (1 / 12 + 3 / 366)) - 1) * 100
    expect(Number(await percent(leap))).toBeCloseTo(days, 6)
  })

  test('counts 52 weeks to the year', async () => {
    const weekly = ['2026-01-22', '2026-01-29', '2026-02-05'].map((on) => ({ amount: '340', on }))
    const flows = { advances: [{ amount: '1000', on: '2026-01-15' }], payments: weekly }
    const periods = {
      advances: [{ amount: '1000', period: '0' }],
      payments: ['1', '2', '3'].map((period) => ({ amount: '340', period })),
      unitPeriodsPerYear: '52',
    }
    expect(await percent(flows)).toBe(await percent(periods))
    const us = { convention: 'US_ACTUARIAL' }
    expect(await percent({ ...flows, ...us })).toBe(await percent({ ...periods, ...us }))
  })

  test('derives the unit period of Regulation Z: monthly after a first period of 1 month and 19 days', async () => {
    // Appendix J, (c)(1)(ii): 6,000 on 10 February, 36 payments of 200 from 1 April: 11.82 %.
    const payments = Array.from({ length: 36 }, (_, place) => {
      const month = 3 + place
      const on = `${1978 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
      return { amount: '200', on }
    })
    const flows = {
      convention: 'US_ACTUARIAL',
      advances: [{ amount: '6000', on: '1978-02-10' }],
      payments,
    }
    expect(Number(await percent(flows)).toFixed(2)).toBe('11.82')
    const two = await percent({ ...flows, unitPeriodsPerYear: '12' })
    expect(two).toBe(await percent(flows))
  })

  test('discounts several advances', async () => {
    const flows = {
      advances: [
        { amount: '500', period: '0' },
        { amount: '500', period: '6' },
      ],
      payments: [{ amount: '1075', period: '12' }],
      unitPeriodsPerYear: '12',
    }
    const rate = Number(await percent(flows)) / 100
    expect(500 * (1 + rate) + 500 * (1 + rate) ** 0.5).toBeCloseTo(1075, 5)
  })

  test('compounds the monthly rate of a schedule without fees', async () => {
    const { data } = await lending.previewSchedule({
      annualRatePercent: '6',
      installments: 12,
      disbursements: [{ on: '2026-01-01', amount: '12000000.00' }],
    })
    const payments = data.repaymentSchedule.installments.map(
      ({ payment, dueDate }: { payment: string; dueDate: string }) => ({
        amount: payment,
        on: dueDate,
      }),
    )
    const advances = [{ amount: '12000000', on: '2026-01-01' }]
    expect(await percent({ advances, payments })).toBe(
      (((1 + 0.06 / 12) ** 12 - 1) * 100).toFixed(6),
    )
  })

  test.each([
    ['no advances', { advances: [] }, ['/advances REQUIRED']],
    ['no payments', { payments: [] }, ['/payments REQUIRED']],
    [
      'payments below the advances',
      { payments: [{ amount: '999', on: '2027-01-15' }] },
      ['/payments NO_RATE'],
    ],
    [
      'a payment on the day of the advance',
      { payments: [{ amount: '1001', on: '2026-01-15' }] },
      ['/payments NO_RATE'],
    ],
    [
      'a payment before the advance',
      { payments: [{ amount: '1100', on: '2026-01-14' }] },
      ['/payments/0/on BEFORE_THE_START'],
    ],
    [
      'a negative amount',
      { payments: [{ amount: '-1', on: '2027-01-15' }] },
      ['/payments/0/amount OUT_OF_RANGE'],
    ],
    [
      'a payment with neither date nor period',
      { payments: [{ amount: '1' }] },
      ['/payments/0/on REQUIRED'],
    ],
    [
      'a payment with both date and period',
      { payments: [{ amount: '1', on: '2027-01-15', period: '1' }] },
      ['/payments/0/period NOT_ALLOWED'],
    ],
    [
      'periods without unitPeriodsPerYear',
      { advances: [{ amount: '1', period: '0' }], payments: [{ amount: '2', period: '1' }] },
      ['/unitPeriodsPerYear REQUIRED'],
    ],
    [
      'a negative period',
      {
        advances: [{ amount: '1', period: '0' }],
        payments: [{ amount: '2', period: '-1' }],
        unitPeriodsPerYear: '12',
      },
      ['/payments/0/period BEFORE_THE_START'],
    ],
    [
      'an excessive period',
      {
        advances: [{ amount: '1', period: '0' }],
        payments: [{ amount: '2', period: '999999999' }],
        unitPeriodsPerYear: '12',
      },
      ['/payments/0/period OUT_OF_RANGE'],
    ],
    ['zero periods in a year', { unitPeriodsPerYear: '0' }, ['/unitPeriodsPerYear OUT_OF_RANGE']],
    [
      'an unsupported unit period',
      { convention: 'US_ACTUARIAL', unitPeriodsPerYear: '7' },
      ['/unitPeriodsPerYear OUT_OF_RANGE'],
    ],
    [
      'too many payments',
      { payments: Array.from({ length: 1201 }, () => ({ amount: '1', on: '2027-01-15' })) },
      ['/payments TOO_MANY'],
    ],
  ])('rejects %s with a pointer to it', async (_what, change, expected) => {
    expect(faults(await lending.previewRate({ ...dated, ...change }))).toEqual(expected)
  })
})
