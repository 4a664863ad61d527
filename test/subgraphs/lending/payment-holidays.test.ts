import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  eur,
  facilityOf,
  findings,
  fund,
  grace,
  morningOf,
  opened,
  runOnce,
  eventsOf,
} from './facility-kit.ts'
import { aProduct, does, made, createHoliday, payExtra, previewPause, read } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await fund(bank, 'arr_ada', 1_000_000_00n)
  await aProduct(bank, 'prd_asks', { isHolidayApprovalRequired: 'true' })
  await aProduct(bank, 'prd_once', { holidaysPerYear: '1' })
  await aProduct(bank, 'prd_strict', {
    holidaysPerYear: '2',
    holidayInstallmentsPerYear: '3',
    holidayGapInstallments: '2',
    holidaySeasoningInstallments: '1',
    holidayInterestTreatment: 'capitalise',
  })
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const start = '2026-03-02T09:00:00Z'
const aLoanId = async (more: object = {}): Promise<string> =>
  (await opened(bank, aLoan(more))).facilityId
const payOff = (facilityId: string) =>
  made(payExtra(bank, { facilityId, strategy: 'PAYOFF', sourceArrangementId: 'arr_ada' }))
const chargeOff = async (id: string) => {
  const { data } = await bank.execute(
    `mutation ($id: ID!) { proposal: proposeFacilityLoss(input: { facilityId: $id,
      action: CHARGE_OFF, reason: "The borrower is bankrupt." }) { lossProposalId } }`,
    { id },
  )
  const approve = 'mutation ($id: ID!) { approveFacilityLoss(lossProposalId: $id) { state } }'
  const manager = { caller: aCaller({ subject: 'manager' }) }
  return bank.execute(approve, { id: data.proposal.lossProposalId }, manager)
}
const turn = () => runOnce(bank, 'lending.start-and-end-payment-holidays')

describe('payment holiday', () => {
  test('matches its preview, and no installments are collected during it', async () => {
    const facilityId = await aLoanId()
    const input = { facilityId, startDate: '2026-04-01', installments: 2, reason: 'Parental leave' }
    const { preview } = (await previewPause(bank, input)).data
    const holiday = await made(createHoliday(bank, input, { caller: ada }))
    const { installments, ...figures } = preview
    expect(holiday).toMatchObject(figures)
    expect(holiday).toMatchObject({
      status: 'APPROVED',
      startDate: '2026-04-01',
      endDate: '2026-05-02',
      affectedInstallments: [
        { number: 1, dueDate: '2026-04-02' },
        { number: 2, dueDate: '2026-05-02' },
      ],
      type: 'FULL',
      interestTreatment: 'DEFER',
      termTreatment: 'EXTEND',
      before: { maturityDate: '2027-03-02' },
      after: { maturityDate: '2027-05-02', installment: eur('0.00') },
      scheduleVersion: 2,
    })
    expect(Number(holiday.additionalCost.amount)).toBeGreaterThan(0)
    const lines = ({ number, dueDate, payment }: any) => [number, dueDate, payment]
    expect((await facilityOf(bank, facilityId)).schedule.map(lines)).toEqual(
      installments.map(lines),
    )
    const { paymentHolidayId: id } = holiday
    expect(await eventsOf(bank, `payment-holiday/${id}`)).toEqual(['requested', 'approved'])
    expect(await turn()).toBe(0)
    await morningOf(bank, '2026-04-01')
    expect([await turn(), await turn()]).toEqual([1, 0])
    await morningOf(bank, '2026-05-03')
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'ACTIVE',
      outstandingPrincipal: { amount: '12000.00' },
    })
    expect([await turn(), await turn()]).toEqual([1, 0])
    expect((await eventsOf(bank, `payment-holiday/${id}`)).slice(2)).toEqual([
      'started',
      'completed',
    ])
    expect((await read(bank, 'paymentHoliday', id, { caller: ada })).data.record.status).toBe(
      'COMPLETED',
    )
    expectAbsent(await read(bank, 'paymentHoliday', id, { caller: grace }))
    bank.clock.set(start)
  })

  test('determines cost and maturity by its treatment of interest and term', async () => {
    const figures = async (more: object) => {
      const input = {
        facilityId: await aLoanId(),
        startDate: '2026-05-01',
        endDate: '2026-07-31',
        ...more,
      }
      const { preview } = (await previewPause(bank, input)).data
      expect(preview.affectedInstallments).toHaveLength(3)
      return preview
    }
    const cost = async (more: object) => Number((await figures(more)).additionalCost.amount)
    const [deferred, capitalized, waived] = [
      await cost({ interestTreatment: 'DEFER' }),
      await cost({ interestTreatment: 'CAPITALIZE' }),
      await cost({ interestTreatment: 'WAIVE' }),
    ]
    expect(capitalized).toBeGreaterThan(deferred)
    expect(waived).toBeCloseTo(0, 0)
    const retained = await figures({ termTreatment: 'KEEP_MATURITY' })
    expect(retained.after.maturityDate).toBe(retained.before.maturityDate)
    const interestOnly = await figures({ type: 'PRINCIPAL_ONLY' })
    expect(interestOnly.installments[2]).toMatchObject({ principal: '0.00' })
  })

  test('starts at once if it begins today; cancelling or ending it restores the schedule', async () => {
    const facilityId = await aLoanId()
    const before = (await facilityOf(bank, facilityId)).schedule
    const later = await made(createHoliday(bank, { facilityId, startDate: '2026-05-01' }))
    await made(
      does(bank, 'cancelPaymentHoliday', 'paymentHoliday', later.paymentHolidayId, { caller: ada }),
    )
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(before)
    const now = await made(
      createHoliday(bank, { facilityId, startDate: '2026-03-02', installments: 3 }),
    )
    expect(now.status).toBe('ACTIVE')
    await morningOf(bank, '2026-04-10')
    const ended = await made(
      does(bank, 'endPaymentHoliday', 'paymentHoliday', now.paymentHolidayId),
    )
    expect(ended).toMatchObject({
      status: 'ENDED_EARLY',
      endDate: '2026-04-10',
      affectedInstallments: [{ number: 1 }],
    })
    const facility = await facilityOf(bank, facilityId)
    expect(facility.schedule[0].payment).toBe('0.00')
    expect(Number(facility.schedule[1].payment)).toBeGreaterThan(1000)
    expect(facility.schedule).toHaveLength(13)
    expect(facility.scheduleVersions[0].cause).toBe('HOLIDAY_SHORTENED')
    const more = await made(
      createHoliday(bank, { facilityId, startDate: '2026-04-10', installments: 2 }),
    )
    await made(does(bank, 'endPaymentHoliday', 'paymentHoliday', more.paymentHolidayId))
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(facility.schedule)
    const again = await made(
      createHoliday(bank, { facilityId, startDate: '2026-04-10', installments: 2 }),
    )
    expect(again.affectedInstallments).toEqual(more.affectedInstallments)
    bank.clock.set(start)
  })

  test('is cancelled when the loan is paid off before it starts', async () => {
    const facilityId = await aLoanId()
    const later = await made(createHoliday(bank, { facilityId, startDate: '2026-05-01' }))
    await payOff(facilityId)
    bank.clock.set('2026-05-01T09:00:00Z')
    while ((await turn()) > 0);
    const { data } = await read(bank, 'paymentHoliday', later.paymentHolidayId)
    expect(data.record.status).toBe('CANCELLED')
    bank.clock.set(start)
  })

  test.each([
    ['charged off', 'CHARGED_OFF', (id: string) => chargeOff(id)],
    ['paid off', 'PAID_OFF', (id: string) => payOff(id)],
  ])(
    'of a loan that is %s can be ended or cancelled without changing the loan',
    async (_, state, end) => {
      const facilityId = await aLoanId()
      const now = await made(createHoliday(bank, { facilityId, startDate: '2026-03-02' }))
      const later = await made(createHoliday(bank, { facilityId, startDate: '2026-06-01' }))
      await end(facilityId)
      const over = await facilityOf(bank, facilityId)
      expect(over).toMatchObject({ state, outstandingPrincipal: { amount: '0.00' } })
      await made(does(bank, 'endPaymentHoliday', 'paymentHoliday', now.paymentHolidayId))
      const id = later.paymentHolidayId
      await made(does(bank, 'cancelPaymentHoliday', 'paymentHoliday', id, { caller: ada }))
      expect(await facilityOf(bank, facilityId)).toEqual(over)
      expect(await booked(bank, `loan@${facilityId}`, 'principal')).toBe(0)
    },
  )

  test('needs approval by the bank if the product requires it', async () => {
    const facilityId = await aLoanId({ productId: 'prd_asks' })
    const before = (await facilityOf(bank, facilityId)).schedule
    const request = await made(
      createHoliday(bank, { facilityId, startDate: '2026-05-01' }, { caller: ada }),
    )
    expect(request).toMatchObject({ status: 'REQUESTED', scheduleVersion: null })
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(before)
    const changeHoliday = (name: string, options?: object) =>
      does(bank, name, 'paymentHoliday', request.paymentHolidayId, options)
    expect((await changeHoliday('approvePaymentHoliday', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await changeHoliday('declinePaymentHoliday', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const approved = await made(changeHoliday('approvePaymentHoliday'))
    expect(approved).toMatchObject({ status: 'APPROVED', after: request.after, scheduleVersion: 2 })
  })

  test('is limited in number, length, spacing and seasoning by the product', async () => {
    const facilityId = await aLoanId({ productId: 'prd_strict', installments: 36 })
    const requestHoliday = (startDate: string, installments = 1) =>
      createHoliday(bank, { facilityId, startDate, installments })
    expect((await requestHoliday('2026-05-01')).code).toBe('SEASONING_NOT_MET')
    await morningOf(bank, '2026-04-03')
    expect((await requestHoliday('2026-05-01', 4)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await made(requestHoliday('2026-05-01'))).interestTreatment).toBe('CAPITALIZE')
    expect((await requestHoliday('2026-05-01')).code).toBe('OVERLAPPING_HOLIDAY')
    expect((await requestHoliday('2026-06-01')).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await requestHoliday('2026-08-01', 3)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await requestHoliday('2026-08-01', 2)).errors).toEqual([])
    expect((await requestHoliday('2026-12-01')).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await requestHoliday('2027-12-01')).errors).toEqual([])
    bank.clock.set(start)
  })

  test('cannot evade the yearly allowance with an end long after the last installment', async () => {
    const facilityId = await aLoanId({ productId: 'prd_once' })
    const last = { facilityId, startDate: '2027-02-01' }
    await made(createHoliday(bank, { facilityId, startDate: '2026-12-01', installments: 2 }))
    expect((await createHoliday(bank, { ...last, endDate: '2040-01-01' })).code).toBe(
      'HOLIDAY_ALLOWANCE_EXCEEDED',
    )
    const first = { facilityId, startDate: '2020-01-01' }
    expect((await createHoliday(bank, first)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
  })

  test.each([
    ['a start after the last installment', { startDate: '2027-03-03' }, 'NO_INSTALMENT_IN_PERIOD'],
    [
      'a period without installments',
      { startDate: '2026-04-03', endDate: '2026-05-01' },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    [
      'an end before the start',
      { startDate: '2026-04-03', endDate: '2026-04-02' },
      'INVALID_DATE_RANGE',
    ],
    ['zero installments', { startDate: '2026-04-01', installments: 0 }, 'VALIDATION_FAILED'],
    [
      'all remaining installments with an unchanged maturity',
      { startDate: '2027-03-01', termTreatment: 'KEEP_MATURITY' },
      'VALIDATION_FAILED',
    ],
    [
      'an unknown facility',
      { facilityId: 'fac_none', startDate: '2026-04-01' },
      'FACILITY_NOT_FOUND',
    ],
  ])('is rejected for %s and stores nothing', async (_why, more, code) => {
    const facilityId = await aLoanId()
    expect((await createHoliday(bank, { facilityId, ...more })).code).toBe(code)
    expect((await previewPause(bank, { facilityId, ...more })).code).toBe(code)
    expect((await facilityOf(bank, facilityId)).scheduleVersions).toHaveLength(1)
  })

  test('is rejected for limits, undrawn facilities, due installments and arrears', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_h' }))
    const requestHoliday = (facilityId: string, startDate = '2026-04-01') =>
      createHoliday(bank, { facilityId, startDate })
    expect((await requestHoliday('fac_h')).code).toBe('FACILITY_NOT_ACTIVE')
    await draw(bank, { facilityId: 'fac_h', amount: '10.00' })
    expect((await requestHoliday('fac_h')).code).toBe('NOT_SUPPORTED_FOR_REVOLVING')
    const facilityId = await aLoanId()
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1',
      [facilityId],
    )
    await morningOf(bank, '2026-04-02')
    expect((await requestHoliday(facilityId)).code).toBe('INSTALMENT_ALREADY_PAID')
    await morningOf(bank, '2026-04-03')
    expect((await requestHoliday(facilityId, '2026-05-01')).code).toBe('FACILITY_IN_ARREARS')
    bank.clock.set(start)
  })
})
