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
  instalments: 12,
}
describe('repaymentSchedule', () => {
  test('an annuity of twelve months in euro, with a month a twelfth of a year, is the default', async () => {
    const { data } = await lending.askSchedule(loan)
    const { instalments, totalInterest, totalPayment } = data.repaymentSchedule
    expect(instalments).toHaveLength(12)
    expect(instalments[0]).toEqual({
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
    expect((await lending.askSchedule({ ...loan, ...spelled })).data).toEqual(data)
  })

  test('amounts have the decimals of their currency', async () => {
    const yen = {
      ...loan,
      currency: 'JPY',
      disbursements: [{ on: '2026-01-01', amount: '120000' }],
    }
    expect((await lending.askSchedule(yen)).data.repaymentSchedule.instalments[0]).toMatchObject({
      payment: '10328',
      balance: '110272',
    })
    const dinars = {
      ...loan,
      currency: 'KWD',
      disbursements: [{ on: '2026-01-01', amount: '12.000' }],
    }
    const { data } = await lending.askSchedule(dinars)
    expect(data.repaymentSchedule.instalments[0].payment).toBe('1.033')
  })

  test('the schedule may start before the first money', async () => {
    const early = {
      ...loan,
      scheduleStart: '2026-01-01',
      disbursements: [{ on: '2026-01-16', amount: '100.00' }],
    }
    const { data } = await lending.askSchedule(early)
    expect(data.repaymentSchedule.instalments[0]).toMatchObject({
      dueDate: '2026-02-01',
      interest: '0.26',
    })
  })

  test('extra payments are in the total', async () => {
    const extraPayments = [{ on: '2026-04-01', amount: '2000.00', strategy: 'REDUCE_INSTALMENT' }]
    const { data } = await lending.askSchedule({ ...loan, extraPayments })
    expect(data.repaymentSchedule).toMatchObject({
      totalInterest: '343.24',
      totalPayment: '12343.24',
    })
  })

  test('it needs no scope, and a user may ask', async () => {
    const document = `query ($input: RepaymentScheduleInput!) { repaymentSchedule(input: $input) { totalInterest } }`
    const caller = aCaller({ partyId: 'pty_ada', scopes: [] })
    const { data } = await lending.execute(document, { input: loan }, { caller })
    expect(data.repaymentSchedule.totalInterest).toBe('393.58')
  })

  test('it stores nothing and tells nothing', async () => {
    await lending.askSchedule(loan)
    expect(await lending.events()).toEqual([])
  })

  const many = (length: number, item: object) => Array.from({ length }, () => item)
  const holiday = { fromInstalment: 3, instalments: 2 }
  test.each([
    ['no instalments', { instalments: 0 }, '/instalments OUT_OF_RANGE'],
    ['too many', { instalments: 1201 }, '/instalments OUT_OF_RANGE'],
    ['no disbursement', { disbursements: [] }, '/disbursements REQUIRED'],
    [
      'nothing disbursed',
      { disbursements: [{ on: '2026-01-01', amount: '0' }] },
      '/disbursements/0/amount OUT_OF_RANGE',
    ],
    [
      'a third decimal',
      { disbursements: [{ on: '2026-01-01', amount: '1.001' }] },
      '/disbursements/0/amount INVALID_AMOUNT',
    ],
    ['no currency', { currency: 'EURO' }, '/currency CURRENCY_INVALID'],
    ['a negative rate', { annualRatePercent: '-1' }, '/annualRatePercent OUT_OF_RANGE'],
    ['a rate beyond sense', { annualRatePercent: '10000.01' }, '/annualRatePercent OUT_OF_RANGE'],
    [
      'a negative change',
      { rateChanges: [{ from: '2026-03-01', annualRatePercent: '-0.01' }] },
      '/rateChanges/0/annualRatePercent OUT_OF_RANGE',
    ],
    [
      'two rates from a day',
      { rateChanges: many(2, { from: '2026-03-01', annualRatePercent: '1' }) },
      '/rateChanges/1/from OVERLAPS',
    ],
    ['days without a number', { frequency: 'DAYS' }, '/everyDays REQUIRED'],
    ['a number without days', { everyDays: 15 }, '/everyDays NOT_ALLOWED'],
    ['more days than a year', { frequency: 'DAYS', everyDays: 367 }, '/everyDays OUT_OF_RANGE'],
    ['a balloon without amount', { method: 'BALLOON' }, '/balloonAmount REQUIRED'],
    ['an amount without balloon', { balloonAmount: '1.00' }, '/balloonAmount NOT_ALLOWED'],
    [
      'a balloon beyond the loan',
      { method: 'BALLOON', balloonAmount: '12000.01' },
      '/balloonAmount OUT_OF_RANGE',
    ],
    [
      'multiples of an annuity',
      { principalMultipleOf: '1.00' },
      '/principalMultipleOf NOT_ALLOWED',
    ],
    ['grace for all', { principalGraceInstalments: 12 }, '/principalGraceInstalments OUT_OF_RANGE'],
    ['negative grace', { interestGraceInstalments: -1 }, '/interestGraceInstalments OUT_OF_RANGE'],
    [
      'a holiday of none',
      { holidays: [{ ...holiday, instalments: 0 }] },
      '/holidays/0/instalments OUT_OF_RANGE',
    ],
    [
      'holidays over each other',
      { holidays: [holiday, { fromInstalment: 4, instalments: 1 }] },
      '/holidays/1/fromInstalment OVERLAPS',
    ],
    [
      'a payment of nothing',
      { extraPayments: [{ on: '2026-03-01', amount: '0.00' }] },
      '/extraPayments/0/amount OUT_OF_RANGE',
    ],
    [
      'a payment too early',
      { extraPayments: [{ on: '2025-12-31', amount: '1.00' }] },
      '/extraPayments/0/on BEFORE_THE_START',
    ],
    [
      'a payment of too much',
      { extraPayments: [{ on: '2026-03-01', amount: '99999.00' }] },
      '/extraPayments/0/amount EXCEEDS_PAYOFF_AMOUNT',
    ],
    [
      'a payment too late',
      { extraPayments: [{ on: '2028-01-01', amount: '1.00' }] },
      '/extraPayments/0/on AFTER_THE_END',
    ],
    [
      'a payment before the money',
      { scheduleStart: '2025-06-01', extraPayments: [{ on: '2025-07-04', amount: '1.00' }] },
      '/extraPayments/0/on NOTHING_OWED',
    ],
    [
      'money before the start',
      { scheduleStart: '2026-01-02' },
      '/disbursements/0/on BEFORE_THE_START',
    ],
    [
      'too many events',
      { extraPayments: many(601, { on: '2026-03-01', amount: '1.00' }) },
      '/extraPayments TOO_MANY',
    ],
    [
      'dates beyond the calendar',
      {
        frequency: 'YEARLY',
        instalments: 1000,
        disbursements: [{ on: '9900-01-01', amount: '1.00' }],
      },
      '/instalments DATE_TOO_FAR',
    ],
    [
      'dates beyond the calendar, by its years',
      { dayCount: 'ACT_ACT', disbursements: [{ on: '9999-06-01', amount: '1.00' }] },
      '/instalments DATE_TOO_FAR',
    ],
    [
      'amounts beyond sense',
      {
        annualRatePercent: '9999',
        instalments: 300,
        holidays: [{ fromInstalment: 1, instalments: 200, interest: 'CAPITALISE' }],
      },
      '/disbursements INVALID_AMOUNT',
    ],
  ])('%s is refused with its place', async (_what, change, fault) => {
    expect(faults(await lending.askSchedule({ ...loan, ...change }))).toEqual([fault])
  })

  test('all faults are told at once', async () => {
    const wrong = { ...loan, instalments: 0, annualRatePercent: '-1', balloonAmount: '1.00' }
    expect(faults(await lending.askSchedule(wrong))).toHaveLength(3)
  })

  test('what is no number, date or name is refused by the schema', async () => {
    for (const change of [
      { annualRatePercent: 6 },
      { annualRatePercent: '6 %' },
      { instalments: 1.5 },
      { scheduleStart: '2026-02-30' },
      { method: 'annuity' },
      { secret: true },
    ]) {
      // The gateway adds the places: a subgraph sees the value alone.
      const found = faults(await lending.askSchedule({ ...loan, ...change }))
      expect(found.filter((fault) => fault !== ' INVALID')).toEqual([])
    }
  })
})
