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
  toldOf,
} from './facility-kit.ts'
import { aProduct, does, made, pause, payExtra, previewPause, read } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await fund(bank, 'arr_ada', 1_000_000_00n)
  await aProduct(bank, 'prd_asks', { isHolidayApprovalRequired: 'true' })
  await aProduct(bank, 'prd_once', { holidaysPerYear: '1' })
  await aProduct(bank, 'prd_strict', {
    holidaysPerYear: '2',
    holidayInstalmentsPerYear: '3',
    holidayGapInstalments: '2',
    holidaySeasoningInstalments: '1',
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
  const manager = { caller: aCaller({ clientId: 'manager' }) }
  return bank.execute(approve, { id: data.proposal.lossProposalId }, manager)
}
const turn = () => runOnce(bank, 'lending.turn-payment-holidays')

describe('a payment holiday', () => {
  test('is what its preview said, and instalments are not collected in it', async () => {
    const facilityId = await aLoanId()
    const input = { facilityId, startDate: '2026-04-01', instalments: 2, reason: 'Parental leave' }
    const { preview } = (await previewPause(bank, input)).data
    const holiday = await made(pause(bank, input, { caller: ada }))
    const { instalments, ...figures } = preview
    expect(holiday).toMatchObject(figures)
    expect(holiday).toMatchObject({
      status: 'APPROVED',
      startDate: '2026-04-01',
      endDate: '2026-05-02',
      affectedInstalments: [
        { number: 1, dueDate: '2026-04-02' },
        { number: 2, dueDate: '2026-05-02' },
      ],
      type: 'FULL',
      interestTreatment: 'DEFER',
      termTreatment: 'EXTEND',
      before: { maturityDate: '2027-03-02' },
      after: { maturityDate: '2027-05-02', instalment: eur('0.00') },
      scheduleVersion: 2,
    })
    expect(Number(holiday.additionalCost.amount)).toBeGreaterThan(0)
    const lines = ({ number, dueDate, payment }: any) => [number, dueDate, payment]
    expect((await facilityOf(bank, facilityId)).schedule.map(lines)).toEqual(instalments.map(lines))
    const { paymentHolidayId: id } = holiday
    expect(await toldOf(bank, `payment-holiday/${id}`)).toEqual(['requested', 'approved'])
    expect(await turn()).toBe(0)
    await morningOf(bank, '2026-04-01')
    expect([await turn(), await turn()]).toEqual([1, 0])
    await morningOf(bank, '2026-05-03')
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'ACTIVE',
      outstandingPrincipal: { amount: '12000.00' },
    })
    expect([await turn(), await turn()]).toEqual([1, 0])
    expect((await toldOf(bank, `payment-holiday/${id}`)).slice(2)).toEqual(['started', 'completed'])
    expect((await read(bank, 'paymentHoliday', id, { caller: ada })).data.record.status).toBe(
      'COMPLETED',
    )
    expectAbsent(await read(bank, 'paymentHoliday', id, { caller: grace }))
    bank.clock.set(start)
  })

  test('by its treatment of interest and term', async () => {
    const figures = async (more: object) => {
      const input = {
        facilityId: await aLoanId(),
        startDate: '2026-05-01',
        endDate: '2026-07-31',
        ...more,
      }
      const { preview } = (await previewPause(bank, input)).data
      expect(preview.affectedInstalments).toHaveLength(3)
      return preview
    }
    const cost = async (more: object) => Number((await figures(more)).additionalCost.amount)
    const [deferred, capitalised, waived] = [
      await cost({ interestTreatment: 'DEFER' }),
      await cost({ interestTreatment: 'CAPITALISE' }),
      await cost({ interestTreatment: 'WAIVE' }),
    ]
    expect(capitalised).toBeGreaterThan(deferred)
    expect(waived).toBeCloseTo(0, 0)
    const kept = await figures({ termTreatment: 'KEEP_MATURITY' })
    expect(kept.after.maturityDate).toBe(kept.before.maturityDate)
    const interestOnly = await figures({ type: 'PRINCIPAL_ONLY' })
    expect(interestOnly.instalments[2]).toMatchObject({ principal: '0.00' })
  })

  test('that begins today runs at once; one that is cancelled or ended leaves the schedule as it would be', async () => {
    const facilityId = await aLoanId()
    const before = (await facilityOf(bank, facilityId)).schedule
    const later = await made(pause(bank, { facilityId, startDate: '2026-05-01' }))
    await made(
      does(bank, 'cancelPaymentHoliday', 'paymentHoliday', later.paymentHolidayId, { caller: ada }),
    )
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(before)
    const now = await made(pause(bank, { facilityId, startDate: '2026-03-02', instalments: 3 }))
    expect(now.status).toBe('ACTIVE')
    await morningOf(bank, '2026-04-10')
    const ended = await made(
      does(bank, 'endPaymentHoliday', 'paymentHoliday', now.paymentHolidayId),
    )
    expect(ended).toMatchObject({
      status: 'ENDED_EARLY',
      endDate: '2026-04-10',
      affectedInstalments: [{ number: 1 }],
    })
    const facility = await facilityOf(bank, facilityId)
    expect(facility.schedule[0].payment).toBe('0.00')
    expect(Number(facility.schedule[1].payment)).toBeGreaterThan(1000)
    expect(facility.schedule).toHaveLength(13)
    expect(facility.scheduleVersions[0].cause).toBe('HOLIDAY_SHORTENED')
    const more = await made(pause(bank, { facilityId, startDate: '2026-04-10', instalments: 2 }))
    await made(does(bank, 'endPaymentHoliday', 'paymentHoliday', more.paymentHolidayId))
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(facility.schedule)
    const again = await made(pause(bank, { facilityId, startDate: '2026-04-10', instalments: 2 }))
    expect(again.affectedInstalments).toEqual(more.affectedInstalments)
    bank.clock.set(start)
  })

  test('of a loan that is paid off before is given up', async () => {
    const facilityId = await aLoanId()
    const later = await made(pause(bank, { facilityId, startDate: '2026-05-01' }))
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
  ])('of a loan that is %s ends without it', async (_, state, end) => {
    const facilityId = await aLoanId()
    const now = await made(pause(bank, { facilityId, startDate: '2026-03-02' }))
    const later = await made(pause(bank, { facilityId, startDate: '2026-06-01' }))
    await end(facilityId)
    const over = await facilityOf(bank, facilityId)
    expect(over).toMatchObject({ state, outstandingPrincipal: { amount: '0.00' } })
    await made(does(bank, 'endPaymentHoliday', 'paymentHoliday', now.paymentHolidayId))
    const id = later.paymentHolidayId
    await made(does(bank, 'cancelPaymentHoliday', 'paymentHoliday', id, { caller: ada }))
    expect(await facilityOf(bank, facilityId)).toEqual(over)
    expect(await booked(bank, `loan@${facilityId}`, 'principal')).toBe(0)
  })

  test('needs somebody who approves it where the product says so', async () => {
    const facilityId = await aLoanId({ productId: 'prd_asks' })
    const before = (await facilityOf(bank, facilityId)).schedule
    const asked = await made(pause(bank, { facilityId, startDate: '2026-05-01' }, { caller: ada }))
    expect(asked).toMatchObject({ status: 'REQUESTED', scheduleVersion: null })
    expect((await facilityOf(bank, facilityId)).schedule).toEqual(before)
    const act = (name: string, options = {}) =>
      does(bank, name, 'paymentHoliday', asked.paymentHolidayId, options)
    expect((await act('approvePaymentHoliday', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await act('declinePaymentHoliday', { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const approved = await made(act('approvePaymentHoliday'))
    expect(approved).toMatchObject({ status: 'APPROVED', after: asked.after, scheduleVersion: 2 })
  })

  test('is allowed so often, so long, so far apart, and not too early', async () => {
    const facilityId = await aLoanId({ productId: 'prd_strict', instalments: 36 })
    const ask = (startDate: string, instalments = 1) =>
      pause(bank, { facilityId, startDate, instalments })
    expect((await ask('2026-05-01')).code).toBe('SEASONING_NOT_MET')
    await morningOf(bank, '2026-04-03')
    expect((await ask('2026-05-01', 4)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await made(ask('2026-05-01'))).interestTreatment).toBe('CAPITALISE')
    expect((await ask('2026-05-01')).code).toBe('OVERLAPPING_HOLIDAY')
    expect((await ask('2026-06-01')).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await ask('2026-08-01', 3)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await ask('2026-08-01', 2)).errors).toEqual([])
    expect((await ask('2026-12-01')).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
    expect((await ask('2027-12-01')).errors).toEqual([])
    bank.clock.set(start)
  })

  test('is not allowed more for an end that is asked for long after its last instalment', async () => {
    const facilityId = await aLoanId({ productId: 'prd_once' })
    const last = { facilityId, startDate: '2027-02-01' }
    await made(pause(bank, { facilityId, startDate: '2026-12-01', instalments: 2 }))
    expect((await pause(bank, { ...last, endDate: '2040-01-01' })).code).toBe(
      'HOLIDAY_ALLOWANCE_EXCEEDED',
    )
    const first = { facilityId, startDate: '2020-01-01' }
    expect((await pause(bank, first)).code).toBe('HOLIDAY_ALLOWANCE_EXCEEDED')
  })

  test.each([
    ['nothing due then', { startDate: '2027-03-03' }, 'NO_INSTALMENT_IN_PERIOD'],
    [
      'nothing due in it',
      { startDate: '2026-04-03', endDate: '2026-05-01' },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    [
      'days that do not follow',
      { startDate: '2026-04-03', endDate: '2026-04-02' },
      'INVALID_DATE_RANGE',
    ],
    ['no instalments', { startDate: '2026-04-01', instalments: 0 }, 'VALIDATION_FAILED'],
    [
      'all that is left',
      { startDate: '2027-03-01', termTreatment: 'KEEP_MATURITY' },
      'VALIDATION_FAILED',
    ],
    ['no facility', { facilityId: 'fac_none', startDate: '2026-04-01' }, 'FACILITY_NOT_FOUND'],
  ])('is refused for %s, and nothing is kept', async (_why, more, code) => {
    const facilityId = await aLoanId()
    expect((await pause(bank, { facilityId, ...more })).code).toBe(code)
    expect((await previewPause(bank, { facilityId, ...more })).code).toBe(code)
    expect((await facilityOf(bank, facilityId)).scheduleVersions).toHaveLength(1)
  })

  test('is not for limits, what is not drawn, what is due, or what is late', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_h' }))
    const ask = (facilityId: string, startDate = '2026-04-01') =>
      pause(bank, { facilityId, startDate })
    expect((await ask('fac_h')).code).toBe('FACILITY_NOT_ACTIVE')
    await draw(bank, { facilityId: 'fac_h', amount: '10.00' })
    expect((await ask('fac_h')).code).toBe('NOT_SUPPORTED_FOR_REVOLVING')
    const facilityId = await aLoanId()
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1',
      [facilityId],
    )
    await morningOf(bank, '2026-04-02')
    expect((await ask(facilityId)).code).toBe('INSTALMENT_ALREADY_PAID')
    await morningOf(bank, '2026-04-03')
    expect((await ask(facilityId, '2026-05-01')).code).toBe('FACILITY_IN_ARREARS')
    bank.clock.set(start)
  })
})
