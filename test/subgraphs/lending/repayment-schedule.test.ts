import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aLendingSubgraph, faults, type RunningLending } from './kit.ts'

let lending: RunningLending
beforeAll(async () => {
  lending = await aLendingSubgraph()
})
afterAll(() => lending.drop())

const loan = {
  annualRatePercent: '6',
  disbursements: [{ on: '2026-01-01', amount: '12000.00' }],
  installments: 12,
}

/** The number of rows of each table that has any. */
const countRows = () =>
  lending.rows(`select schemaname, relname, n from pg_stat_user_tables,
    lateral (select (xpath('/row/n/text()', query_to_xml(
      format('select count(*) as n from %I.%I', schemaname, relname), false, true, '')))[1]::text::int as n) rows
    where n > 0 order by 1, 2`)

describe('repaymentSchedule', () => {
  test('defaults to a monthly annuity in EUR with day count 30/360', async () => {
    const { data } = await lending.previewSchedule(loan)
    const { installments, totalInterest, totalPayment } = data.repaymentSchedule
    expect(installments).toHaveLength(12)
    expect(installments[0]).toEqual({
      number: 1,
      dueDate: '2026-02-01',
      payment: '1032.80',
      interest: '60.00',
      principal: '972.80',
      balance: '11027.20',
    })
    expect([totalInterest, totalPayment]).toEqual(['393.58', '12393.58'])
    const spelled = {
      currency: 'EUR',
      method: 'ANNUITY',
      frequency: 'MONTHLY',
      dayCount: 'THIRTY_360',
    }
    expect((await lending.previewSchedule({ ...loan, ...spelled })).data).toEqual(data)
  })

  test('rounds amounts to the decimals of their currency', async () => {
    const yen = {
      ...loan,
      currency: 'JPY',
      disbursements: [{ on: '2026-01-01', amount: '120000' }],
    }
    expect(
      (await lending.previewSchedule(yen)).data.repaymentSchedule.installments[0],
    ).toMatchObject({
      payment: '10328',
      balance: '110272',
    })
    const dinars = {
      ...loan,
      currency: 'KWD',
      disbursements: [{ on: '2026-01-01', amount: '12.000' }],
    }
    const { data } = await lending.previewSchedule(dinars)
    expect(data.repaymentSchedule.installments[0].payment).toBe('1.033')
  })

  test('may start before the first disbursement', async () => {
    const early = {
      ...loan,
      scheduleStart: '2026-01-01',
      disbursements: [{ on: '2026-01-16', amount: '100.00' }],
    }
    const { data } = await lending.previewSchedule(early)
    expect(data.repaymentSchedule.installments[0]).toMatchObject({
      dueDate: '2026-02-01',
      interest: '0.26',
    })
  })

  test('includes extra payments in the totals', async () => {
    const extraPayments = [{ on: '2026-04-01', amount: '2000.00', strategy: 'REDUCE_INSTALLMENT' }]
    const { data } = await lending.previewSchedule({ ...loan, extraPayments })
    expect(data.repaymentSchedule).toMatchObject({
      totalInterest: '343.24',
      totalPayment: '12343.24',
    })
  })

  test('requires no scope and is open to delegated users', async () => {
    const document = `query ($input: RepaymentScheduleInput!) { repaymentSchedule(input: $input) { totalInterest } }`
    const caller = aCaller({ partyId: 'pty_ada', scopes: [] })
    const { data } = await lending.execute(document, { input: loan }, { caller })
    expect(data.repaymentSchedule.totalInterest).toBe('393.58')
  })

  test('stores nothing and emits no events', async () => {
    const before = await countRows()
    expect((await lending.previewSchedule(loan)).errors).toEqual([])
    expect(await countRows()).toEqual(before)
    expect(await lending.events()).toEqual([])
  })

  const many = (length: number, item: object) => Array.from({ length }, () => item)
  const holiday = { fromInstallment: 3, installments: 2 }
  test.each([
    ['zero installments', { installments: 0 }, '/installments OUT_OF_RANGE'],
    ['too many installments', { installments: 1201 }, '/installments OUT_OF_RANGE'],
    ['no disbursements', { disbursements: [] }, '/disbursements REQUIRED'],
    [
      'a zero disbursement',
      { disbursements: [{ on: '2026-01-01', amount: '0' }] },
      '/disbursements/0/amount OUT_OF_RANGE',
    ],
    [
      'a third decimal',
      { disbursements: [{ on: '2026-01-01', amount: '1.001' }] },
      '/disbursements/0/amount INVALID_AMOUNT',
    ],
    ['an invalid currency', { currency: 'EURO' }, '/currency CURRENCY_INVALID'],
    ['a negative rate', { annualRatePercent: '-1' }, '/annualRatePercent OUT_OF_RANGE'],
    ['an excessive rate', { annualRatePercent: '10000.01' }, '/annualRatePercent OUT_OF_RANGE'],
    [
      'a negative rate change',
      { rateChanges: [{ from: '2026-03-01', annualRatePercent: '-0.01' }] },
      '/rateChanges/0/annualRatePercent OUT_OF_RANGE',
    ],
    [
      'two rate changes on one day',
      { rateChanges: many(2, { from: '2026-03-01', annualRatePercent: '1' }) },
      '/rateChanges/1/from OVERLAPS',
    ],
    ['frequency DAYS without everyDays', { frequency: 'DAYS' }, '/everyDays REQUIRED'],
    ['everyDays without frequency DAYS', { everyDays: 15 }, '/everyDays NOT_ALLOWED'],
    ['everyDays above a year', { frequency: 'DAYS', everyDays: 367 }, '/everyDays OUT_OF_RANGE'],
    ['a balloon without an amount', { method: 'BALLOON' }, '/balloonAmount REQUIRED'],
    ['a balloon amount without a balloon', { balloonAmount: '1.00' }, '/balloonAmount NOT_ALLOWED'],
    [
      'a balloon above the loan amount',
      { method: 'BALLOON', balloonAmount: '12000.01' },
      '/balloonAmount OUT_OF_RANGE',
    ],
    [
      'principalMultipleOf for an annuity',
      { principalMultipleOf: '1.00' },
      '/principalMultipleOf NOT_ALLOWED',
    ],
    [
      'principal grace for all installments',
      { principalGraceInstallments: 12 },
      '/principalGraceInstallments OUT_OF_RANGE',
    ],
    [
      'negative interest grace',
      { interestGraceInstallments: -1 },
      '/interestGraceInstallments OUT_OF_RANGE',
    ],
    [
      'a holiday of zero installments',
      { holidays: [{ ...holiday, installments: 0 }] },
      '/holidays/0/installments OUT_OF_RANGE',
    ],
    [
      'overlapping holidays',
      { holidays: [holiday, { fromInstallment: 4, installments: 1 }] },
      '/holidays/1/fromInstallment OVERLAPS',
    ],
    [
      'a zero extra payment',
      { extraPayments: [{ on: '2026-03-01', amount: '0.00' }] },
      '/extraPayments/0/amount OUT_OF_RANGE',
    ],
    [
      'an extra payment before the start',
      { extraPayments: [{ on: '2025-12-31', amount: '1.00' }] },
      '/extraPayments/0/on BEFORE_THE_START',
    ],
    [
      'an extra payment above the payoff',
      { extraPayments: [{ on: '2026-03-01', amount: '99999.00' }] },
      '/extraPayments/0/amount EXCEEDS_PAYOFF_AMOUNT',
    ],
    [
      'an extra payment after the end',
      { extraPayments: [{ on: '2028-01-01', amount: '1.00' }] },
      '/extraPayments/0/on AFTER_THE_END',
    ],
    [
      'an extra payment before the first disbursement',
      { scheduleStart: '2025-06-01', extraPayments: [{ on: '2025-07-04', amount: '1.00' }] },
      '/extraPayments/0/on NOTHING_OWED',
    ],
    [
      'a disbursement before the start',
      { scheduleStart: '2026-01-02' },
      '/disbursements/0/on BEFORE_THE_START',
    ],
    [
      'too many extra payments',
      { extraPayments: many(601, { on: '2026-03-01', amount: '1.00' }) },
      '/extraPayments TOO_MANY',
    ],
    [
      'due dates after the year 9999',
      {
        frequency: 'YEARLY',
        installments: 1000,
        disbursements: [{ on: '9900-01-01', amount: '1.00' }],
      },
      '/installments DATE_TOO_FAR',
    ],
    [
      'due dates after the year 9999 with ACT/ACT',
      { dayCount: 'ACT_ACT', disbursements: [{ on: '9999-06-01', amount: '1.00' }] },
      '/installments DATE_TOO_FAR',
    ],
    [
      'amounts that grow out of range',
      {
        annualRatePercent: '9999',
        installments: 300,
        holidays: [{ fromInstallment: 1, installments: 200, interest: 'CAPITALIZE' }],
      },
      '/disbursements INVALID_AMOUNT',
    ],
  ])('rejects %s with a pointer to it', async (_what, change, fault) => {
    expect(faults(await lending.previewSchedule({ ...loan, ...change }))).toEqual([fault])
  })

  test('reports all validation errors at once', async () => {
    const wrong = { ...loan, installments: 0, annualRatePercent: '-1', balloonAmount: '1.00' }
    expect(faults(await lending.previewSchedule(wrong))).toHaveLength(3)
  })

  test('rejects values of the wrong type in the schema', async () => {
    for (const change of [
      { annualRatePercent: 6 },
      { annualRatePercent: '6 %' },
      { installments: 1.5 },
      { scheduleStart: '2026-02-30' },
      { method: 'annuity' },
      { secret: true },
    ]) {
      // The gateway adds the pointers: a subgraph sees only the value.
      const found = faults(await lending.previewSchedule({ ...loan, ...change }))
      expect(found.filter((fault) => fault !== ' INVALID')).toEqual([])
    }
  })
})
