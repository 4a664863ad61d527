import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { expectAsScheduled } from './as-scheduled.ts'
import {
  ada,
  aLender,
  aLoan,
  booked,
  eur,
  facilityOf,
  findings,
  fund,
  morningOf,
  opened,
  eventsOf,
} from './facility-kit.ts'
import { made, createHardshipRequest, previewRelief, read, review } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await fund(bank, 'arr_ada', 1_000_000_00n)
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const start = '2026-03-02T09:00:00Z'
const aLoanId = async (more: object = {}): Promise<string> =>
  (await opened(bank, aLoan(more))).facilityId
const aRequest = async (type: string, more: object = {}): Promise<any> => {
  const input = { loanId: await aLoanId(), type, reason: 'Out of work', ...more }
  return made(createHardshipRequest(bank, input, { caller: ada }))
}
const decide = (hardshipRequestId: string, action: string, more: object = {}, options?: object) =>
  review(bank, { hardshipRequestId, action, ...more }, options)

/** Approves a request; returns it, its preview and its loan. */
async function granted(request: any, relief: object) {
  const { hardshipRequestId: id, loanId } = request
  await made(decide(id, 'START'))
  const { data, errors } = await previewRelief(bank, id, relief)
  expect(errors).toEqual([])
  const approved = await made(decide(id, 'APPROVE', { relief }))
  const facility = await facilityOf(bank, loanId)
  const lines = ({ number, dueDate, payment }: any) => [number, dueDate, payment]
  expect(facility.schedule.map(lines)).toEqual(data.preview.installments.map(lines))
  expect([approved.before, approved.after]).toEqual([data.preview.before, data.preview.after])
  expect(approved).toMatchObject({ status: 'APPROVED', scheduleVersion: 2 })
  expect(await eventsOf(bank, `facility/${loanId}`)).toContain('schedule-changed')
  return { approved, facility, preview: data.preview }
}

describe('hardship relief', () => {
  test('as a payment holiday creates an approved holiday for the requested period', async () => {
    const request = await aRequest('PAYMENT_HOLIDAY', {
      requestedStartDate: '2026-03-15',
      requestedEndDate: '2026-06-30',
    })
    const { approved, facility } = await granted(request, {
      interestTreatment: 'CAPITALIZE',
      termTreatment: 'KEEP_MATURITY',
    })
    expect(approved.after.maturityDate).toBe('2027-03-02')
    const holiday = (await read(bank, 'paymentHoliday', approved.paymentHolidayId)).data.record
    expect(holiday).toMatchObject({
      status: 'APPROVED',
      hardshipRequestId: request.hardshipRequestId,
      startDate: '2026-03-15',
      affectedInstallments: [{ number: 1 }, { number: 2 }, { number: 3 }],
    })
    expect(facility.scheduleVersions[0].cause).toBe('PAYMENT_HOLIDAY')
  })

  test('as a term extension adds installments and lowers each of them', async () => {
    const { approved, facility } = await granted(await aRequest('TERM_EXTENSION'), {
      extraInstallments: 12,
    })
    expect(approved.after.maturityDate).toBe('2028-03-02')
    expect(facility.schedule).toHaveLength(24)
    expect(Number(approved.after.installment.amount)).toBeLessThan(
      Number(approved.before.installment.amount) / 1.8,
    )
    expect(facility.scheduleVersions[0].cause).toBe('HARDSHIP_RELIEF')
  })

  test('as a temporary reduction caps installments and defers or capitalizes the interest beyond the cap', async () => {
    const dates = { requestedEndDate: '2026-06-30' }
    const deferred = await granted(await aRequest('TEMPORARY_REDUCTION', dates), {
      installmentAmount: '20.00',
    })
    const payments = deferred.facility.schedule.map(({ payment }: any) => payment)
    expect(payments.slice(0, 3)).toEqual(['20.00', '20.00', '20.00'])
    expect(Number(payments[3])).toBeGreaterThan(1300)
    expect(deferred.approved.after.maturityDate).toBe('2027-03-02')
    const capitalized = await granted(await aRequest('TEMPORARY_REDUCTION', dates), {
      installmentAmount: eur('20.00'),
      interestTreatment: 'CAPITALIZE',
      extraInstallments: 3,
    })
    expect(capitalized.facility.schedule[0]).toMatchObject({
      payment: '20.00',
      principal: '-40.00',
    })
    expect(capitalized.approved.after.maturityDate).toBe('2027-06-02')
    for (const { preview } of [deferred, capitalized]) {
      const sum = (member: string) =>
        preview.installments.reduce((all: number, line: any) => all + Number(line[member]), 0)
      expect(sum('principal')).toBeCloseTo(12_000, 2)
      expect(sum('payment')).toBeCloseTo(12_000 + Number(preview.after.totalInterest.amount), 2)
    }
  })

  test('as a temporary reduction makes only the lowered amount due while interest is capitalized', async () => {
    const loanId = await aLoanId({ settlementArrangementId: 'arr_grace', customerId: 'cus_grace' })
    const input = { loanId, type: 'TEMPORARY_REDUCTION', reason: 'Ill' }
    const request = await made(createHardshipRequest(bank, input))
    await granted(request, { installmentAmount: '20.00', interestTreatment: 'CAPITALIZE' })
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1',
      [loanId],
    )
    await morningOf(bank, '2026-04-03')
    expect(await facilityOf(bank, loanId)).toMatchObject({
      amountDue: { amount: '20.00' },
      outstandingPrincipal: { amount: '12040.00' },
      delinquency: { stage: 'PAST_DUE', arrears: { amount: '20.00' } },
    })
    await expectAsScheduled(bank, loanId, 'the day after', true)
    bank.clock.set(start)
  })

  test('as a restructuring applies the new rate and capitalizes the arrears', async () => {
    const loanId = await aLoanId()
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1',
      [loanId],
    )
    await morningOf(bank, '2026-04-20')
    expect(await facilityOf(bank, loanId)).toMatchObject({ state: 'IN_ARREARS' })
    const request = await made(
      createHardshipRequest(bank, { loanId, type: 'RESTRUCTURE', reason: 'Ill' }, { caller: ada }),
    )
    const relief = { ratePct: '3', extraInstallments: 6, isArrearsCapitalized: true }
    const { facility, preview } = await granted(request, relief)
    expect(facility).toMatchObject({
      state: 'ACTIVE',
      outstandingPrincipal: { amount: '12060.00' },
    })
    expect(await booked(bank, `loan@${loanId}`, 'interest-due')).toBe(0)
    expect(await booked(bank, `loan@${loanId}`, 'principal')).toBe(1_206_000)
    expect(preview.installments).toHaveLength(18)
    expect(await eventsOf(bank, `facility/${loanId}`)).toContain('cured')
    await morningOf(bank, '2026-05-03')
    expect(await findings(bank)).toEqual([])
    bank.clock.set(start)
  })

  test.each([
    ['TERM_EXTENSION', {}, 'VALIDATION_FAILED'],
    ['TERM_EXTENSION', { extraInstallments: 0 }, 'VALIDATION_FAILED'],
    ['TERM_EXTENSION', { extraInstallments: 1200 }, 'VALIDATION_FAILED'],
    ['TEMPORARY_REDUCTION', {}, 'VALIDATION_FAILED'],
    ['TEMPORARY_REDUCTION', { installmentAmount: '0.00' }, 'VALIDATION_FAILED'],
    [
      'TEMPORARY_REDUCTION',
      { installmentAmount: '5.00', interestTreatment: 'WAIVE' },
      'VALIDATION_FAILED',
    ],
    ['TEMPORARY_REDUCTION', { installmentAmount: '5.00', installments: 12 }, 'VALIDATION_FAILED'],
    [
      'TEMPORARY_REDUCTION',
      { installmentAmount: '5.00', installments: 13 },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    [
      'TEMPORARY_REDUCTION',
      { installmentAmount: '5.00', startDate: '2027-03-03' },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    ['RESTRUCTURE', {}, 'VALIDATION_FAILED'],
    ['RESTRUCTURE', { isArrearsCapitalized: true }, 'VALIDATION_FAILED'],
    ['RESTRUCTURE', { ratePct: '-1' }, 'VALIDATION_FAILED'],
    ['PAYMENT_HOLIDAY', { startDate: '2027-03-03' }, 'NO_INSTALMENT_IN_PERIOD'],
    ['PAYMENT_HOLIDAY', { installments: 0 }, 'VALIDATION_FAILED'],
  ])(
    'of type %s with %j is rejected, and the request stays under review',
    async (type, relief, code) => {
      const { hardshipRequestId: id, loanId } = await aRequest(type)
      await made(decide(id, 'START'))
      expect((await decide(id, 'APPROVE', { relief })).code).toBe(code)
      expect((await previewRelief(bank, id, relief)).code).toBe(code)
      expect((await read(bank, 'hardshipRequest', id)).data.record.status).toBe('UNDER_REVIEW')
      expect((await facilityOf(bank, loanId)).scheduleVersions).toHaveLength(1)
    },
  )

  test('of a long loan is rejected when it lasts longer than 13 installments', async () => {
    const loanId = await aLoanId({ installments: 48 })
    const { hardshipRequestId: id } = await made(
      createHardshipRequest(
        bank,
        { loanId, type: 'TEMPORARY_REDUCTION', reason: 'Ill' },
        { caller: ada },
      ),
    )
    await made(decide(id, 'START'))
    const relief = (installments: number) => ({
      relief: { installmentAmount: '100.00', installments },
    })
    expect((await decide(id, 'APPROVE', relief(14))).code).toBe('PERIOD_TOO_LONG')
    expect((await decide(id, 'APPROVE', relief(13))).errors).toEqual([])
  })
})
