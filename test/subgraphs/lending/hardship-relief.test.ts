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
  toldOf,
} from './facility-kit.ts'
import { made, plead, previewRelief, read, review } from './relief-kit.ts'

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
  const asked = { loanId: await aLoanId(), type, reason: 'Out of work', ...more }
  return made(plead(bank, asked, { caller: ada }))
}
const decide = (hardshipRequestId: string, action: string, more: object = {}, options?: object) =>
  review(bank, { hardshipRequestId, action, ...more }, options)

/** Grants a request and answers it, its preview and its loan. */
async function granted(request: any, relief: object) {
  const { hardshipRequestId: id, loanId } = request
  await made(decide(id, 'START'))
  const { data, errors } = await previewRelief(bank, id, relief)
  expect(errors).toEqual([])
  const approved = await made(decide(id, 'APPROVE', { relief }))
  const facility = await facilityOf(bank, loanId)
  const lines = ({ number, dueDate, payment }: any) => [number, dueDate, payment]
  expect(facility.schedule.map(lines)).toEqual(data.preview.instalments.map(lines))
  expect([approved.before, approved.after]).toEqual([data.preview.before, data.preview.after])
  expect(approved).toMatchObject({ status: 'APPROVED', scheduleVersion: 2 })
  expect(await toldOf(bank, `facility/${loanId}`)).toContain('schedule-changed')
  return { approved, facility, preview: data.preview }
}

describe('a relief', () => {
  test('as a payment holiday is one, whatever the product allows', async () => {
    const request = await aRequest('PAYMENT_HOLIDAY', {
      requestedStartDate: '2026-03-15',
      requestedEndDate: '2026-06-30',
    })
    const { approved, facility } = await granted(request, {
      interestTreatment: 'CAPITALISE',
      termTreatment: 'KEEP_MATURITY',
    })
    expect(approved.after.maturityDate).toBe('2027-03-02')
    const holiday = (await read(bank, 'paymentHoliday', approved.paymentHolidayId)).data.record
    expect(holiday).toMatchObject({
      status: 'APPROVED',
      hardshipRequestId: request.hardshipRequestId,
      startDate: '2026-03-15',
      affectedInstalments: [{ number: 1 }, { number: 2 }, { number: 3 }],
    })
    expect(facility.scheduleVersions[0].cause).toBe('PAYMENT_HOLIDAY')
  })

  test('as a term extension has more instalments, and lower ones', async () => {
    const { approved, facility } = await granted(await aRequest('TERM_EXTENSION'), {
      extraInstalments: 12,
    })
    expect(approved.after.maturityDate).toBe('2028-03-02')
    expect(facility.schedule).toHaveLength(24)
    expect(Number(approved.after.instalment.amount)).toBeLessThan(
      Number(approved.before.instalment.amount) / 1.8,
    )
    expect(facility.scheduleVersions[0].cause).toBe('HARDSHIP_RELIEF')
  })

  test('as a temporary reduction caps instalments; interest beyond is not lost', async () => {
    const dates = { requestedEndDate: '2026-06-30' }
    const deferred = await granted(await aRequest('TEMPORARY_REDUCTION', dates), {
      instalmentAmount: '20.00',
    })
    const payments = deferred.facility.schedule.map(({ payment }: any) => payment)
    expect(payments.slice(0, 3)).toEqual(['20.00', '20.00', '20.00'])
    expect(Number(payments[3])).toBeGreaterThan(1300)
    expect(deferred.approved.after.maturityDate).toBe('2027-03-02')
    const capitalised = await granted(await aRequest('TEMPORARY_REDUCTION', dates), {
      instalmentAmount: eur('20.00'),
      interestTreatment: 'CAPITALISE',
      extraInstalments: 3,
    })
    expect(capitalised.facility.schedule[0]).toMatchObject({
      payment: '20.00',
      principal: '-40.00',
    })
    expect(capitalised.approved.after.maturityDate).toBe('2027-06-02')
    for (const { preview } of [deferred, capitalised]) {
      const sum = (member: string) =>
        preview.instalments.reduce((all: number, line: any) => all + Number(line[member]), 0)
      expect(sum('principal')).toBeCloseTo(12_000, 2)
      expect(sum('payment')).toBeCloseTo(12_000 + Number(preview.after.totalInterest.amount), 2)
    }
  })

  test('as a temporary reduction is due as it was lowered, whatever is added to what is owed', async () => {
    const loanId = await aLoanId({ settlementArrangementId: 'arr_grace', customerId: 'cus_grace' })
    const asked = { loanId, type: 'TEMPORARY_REDUCTION', reason: 'Ill' }
    const request = await made(plead(bank, asked))
    await granted(request, { instalmentAmount: '20.00', interestTreatment: 'CAPITALISE' })
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

  test('as a restructure has another rate and repays what is overdue with the rest', async () => {
    const loanId = await aLoanId()
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1',
      [loanId],
    )
    await morningOf(bank, '2026-04-20')
    expect(await facilityOf(bank, loanId)).toMatchObject({ state: 'IN_ARREARS' })
    const request = await made(
      plead(bank, { loanId, type: 'RESTRUCTURE', reason: 'Ill' }, { caller: ada }),
    )
    const relief = { ratePct: '3', extraInstalments: 6, isArrearsCapitalised: true }
    const { facility, preview } = await granted(request, relief)
    expect(facility).toMatchObject({
      state: 'ACTIVE',
      outstandingPrincipal: { amount: '12060.00' },
    })
    expect(await booked(bank, `loan@${loanId}`, 'interest-due')).toBe(0)
    expect(await booked(bank, `loan@${loanId}`, 'principal')).toBe(1_206_000)
    expect(preview.instalments).toHaveLength(18)
    expect(await toldOf(bank, `facility/${loanId}`)).toContain('cured')
    await morningOf(bank, '2026-05-03')
    expect(await findings(bank)).toEqual([])
    bank.clock.set(start)
  })

  test.each([
    ['TERM_EXTENSION', {}, 'VALIDATION_FAILED'],
    ['TERM_EXTENSION', { extraInstalments: 0 }, 'VALIDATION_FAILED'],
    ['TERM_EXTENSION', { extraInstalments: 1200 }, 'VALIDATION_FAILED'],
    ['TEMPORARY_REDUCTION', {}, 'VALIDATION_FAILED'],
    ['TEMPORARY_REDUCTION', { instalmentAmount: '0.00' }, 'VALIDATION_FAILED'],
    [
      'TEMPORARY_REDUCTION',
      { instalmentAmount: '5.00', interestTreatment: 'WAIVE' },
      'VALIDATION_FAILED',
    ],
    ['TEMPORARY_REDUCTION', { instalmentAmount: '5.00', instalments: 12 }, 'VALIDATION_FAILED'],
    [
      'TEMPORARY_REDUCTION',
      { instalmentAmount: '5.00', instalments: 13 },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    [
      'TEMPORARY_REDUCTION',
      { instalmentAmount: '5.00', startDate: '2027-03-03' },
      'NO_INSTALMENT_IN_PERIOD',
    ],
    ['RESTRUCTURE', {}, 'VALIDATION_FAILED'],
    ['RESTRUCTURE', { isArrearsCapitalised: true }, 'VALIDATION_FAILED'],
    ['RESTRUCTURE', { ratePct: '-1' }, 'VALIDATION_FAILED'],
    ['PAYMENT_HOLIDAY', { startDate: '2027-03-03' }, 'NO_INSTALMENT_IN_PERIOD'],
    ['PAYMENT_HOLIDAY', { instalments: 0 }, 'VALIDATION_FAILED'],
  ])('of %s with %j is refused, and the request is still open', async (type, relief, code) => {
    const { hardshipRequestId: id, loanId } = await aRequest(type)
    await made(decide(id, 'START'))
    expect((await decide(id, 'APPROVE', { relief })).code).toBe(code)
    expect((await previewRelief(bank, id, relief)).code).toBe(code)
    expect((await read(bank, 'hardshipRequest', id)).data.record.status).toBe('UNDER_REVIEW')
    expect((await facilityOf(bank, loanId)).scheduleVersions).toHaveLength(1)
  })

  test('of a long loan lasts no longer than the product allows', async () => {
    const loanId = await aLoanId({ instalments: 48 })
    const { hardshipRequestId: id } = await made(
      plead(bank, { loanId, type: 'TEMPORARY_REDUCTION', reason: 'Ill' }, { caller: ada }),
    )
    await made(decide(id, 'START'))
    const relief = (instalments: number) => ({
      relief: { instalmentAmount: '100.00', instalments },
    })
    expect((await decide(id, 'APPROVE', relief(14))).code).toBe('PERIOD_TOO_LONG')
    expect((await decide(id, 'APPROVE', relief(13))).errors).toEqual([])
  })
})
