/** Expected credit losses on a bank with the whole graph: stages, bookings and charge-offs. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aLentLoan,
  approve,
  aProvisioningBank,
  codeOf,
  debitsOf,
  drain,
  expectReconciled,
  manager,
  morningOf,
  officer,
  preview,
  propose,
  provide,
  provisionOf,
  runOf,
  segments,
  start,
  type ProvisioningBank,
} from './kit.ts'

let bank: ProvisioningBank
beforeAll(async () => {
  bank = await aProvisioningBank()
})
afterAll(() => bank.drop())
afterEach(() => expectReconciled(bank))

describe('A table', () => {
  test('is required by a run', async () => {
    expect(await codeOf(start(bank, {}))).toBe('PROVISIONING_TABLE_MISSING')
    expect(await codeOf(start(bank, { monthEnd: '2026-03-31' }))).toBe('MONTH_END_INVALID')
  })

  test('is approved by another person, once', async () => {
    const { table } = await propose(bank)
    const id = table.provisioningTableId
    expect(table.status).toBe('PROPOSED')
    expect(await codeOf(start(bank, {}))).toBe('PROVISIONING_TABLE_MISSING')
    expect(await codeOf(approve(bank, id, officer))).toBe('SEGREGATION_OF_DUTIES')
    expect((await approve(bank, id)).table).toEqual({
      status: 'APPROVED',
      proposedBy: 'officer',
      decidedBy: 'manager',
    })
    expect(await codeOf(approve(bank, id))).toBe('INVALID_STATE_TRANSITION')
    expect(await codeOf(approve(bank, 'pvt_none'))).toBe('PROVISIONING_TABLE_NOT_FOUND')
  })

  test('that is not valid is rejected with the member', async () => {
    const wrong = { segments: [{ ...segments[0], stages: [] }] }
    expect(await codeOf(propose(bank, wrong))).toBe('PROVISIONING_TABLE_INVALID')
  })
})

describe('A loan that is never paid', () => {
  let loanId: string
  test('is provided for with the loss of twelve months', async () => {
    loanId = await aLentLoan(bank)
    expect(await provisionOf(bank, loanId)).toBeNull()
    await provide(bank, '2026-04-01')
    const { history, ...provision } = await provisionOf(bank, loanId)
    // 1,200.00 and the accrued interest of three weeks: 1,204.06, times 2 % times 40 %.
    expect(provision).toEqual({
      stage: 'STAGE_1',
      reasons: [],
      stageSince: '2026-03-31',
      improvingSince: null,
      monthEnd: '2026-03-31',
      exposure: { amount: '1204.06' },
      allowance: { amount: '9.63' },
    })
    expect(history.nodes).toMatchObject([
      { pdPct: '2', lgdPct: '40.0000', change: { amount: '9.63' }, used: { amount: '0.00' } },
    ])
    expect(await debitsOf(bank, 'impairment-expense')).toBe(963)
    expect(await debitsOf(bank, 'loan-loss-allowance')).toBe(-963)
  })

  test('is provided for once a month, however often a run is started', async () => {
    const { run } = await start(bank, { monthEnd: '2026-03-31' })
    await drain(bank, 'provisioning.run')
    expect(await runOf(bank, run.provisioningRunId)).toMatchObject({
      status: 'COMPLETED',
      processed: 0,
      totals: [],
    })
    await drain(bank, 'provisioning.schedule')
    expect((await bank.rows('select from provisioning.provisioning_run')).length).toBe(2)
    expect(await debitsOf(bank, 'impairment-expense')).toBe(963)
  })

  test('moves to stage 2 and then to stage 3, and tells so', async () => {
    await morningOf(bank, '2026-05-20')
    expect(await preview(bank, loanId)).toMatchObject({
      stage: 'STAGE_2',
      reasons: ['DAYS_PAST_DUE'],
    })
    expect((await provisionOf(bank, loanId)).stage).toBe('STAGE_1')
    await provide(bank, '2026-06-01')
    expect(await provisionOf(bank, loanId)).toMatchObject({
      stage: 'STAGE_2',
      reasons: ['DAYS_PAST_DUE'],
      stageSince: '2026-05-31',
    })
    await provide(bank, '2026-08-01')
    const provision = await provisionOf(bank, loanId)
    expect(provision.stage).toBe('STAGE_3')
    expect(Number(provision.allowance.amount)).toBeCloseTo(provision.exposure.amount * 0.4, 2)
    expect(provision.history.nodes.map(({ stage }: any) => stage)).toEqual([
      'STAGE_3',
      'STAGE_2',
      'STAGE_1',
    ])
    const changes = (await bank.events()).filter(
      ({ type }) => type === 'provisioning.provision.stage-changed',
    )
    expect(changes.map(({ subject, data, parties }) => [subject, data!['stage'], parties])).toEqual(
      [
        [`provision/${loanId}`, 'stage-2', []],
        [`provision/${loanId}`, 'stage-3', []],
      ],
    )
  })

  test('that is charged off uses its allowance, and the loss is booked once', async () => {
    const { allowance } = await provisionOf(bank, loanId)
    const used = Math.round(Number(allowance.amount) * 100)
    const chargeOff = `mutation ($input: ProposeFacilityLossInput!) {
      proposal: proposeFacilityLoss(input: $input) { lossProposalId } }`
    const input = { facilityId: loanId, action: 'CHARGE_OFF', reason: 'Insolvent' }
    const { proposal } = await bank.act(chargeOff, { input }, officer)
    await bank.act(
      'mutation ($id: ID!) { approveFacilityLoss(lossProposalId: $id) { state } }',
      { id: proposal.lossProposalId },
      manager,
    )
    const loss = await debitsOf(bank, 'loan-losses')
    expect(loss).toBeGreaterThan(used)
    const expense = await debitsOf(bank, 'impairment-expense')
    await drain(bank, 'provisioning.end-allowances')
    expect(await debitsOf(bank, 'loan-loss-allowance')).toBe(0)
    expect(await debitsOf(bank, 'loan-losses')).toBe(loss - used)
    expect(await debitsOf(bank, 'impairment-expense')).toBe(expense)
    const { history, ...provision } = await provisionOf(bank, loanId)
    expect([provision.allowance.amount, provision.exposure.amount]).toEqual(['0.00', '0.00'])
    expect(history.nodes[0]).toMatchObject({ used: allowance, allowance: { amount: '0.00' } })
    await drain(bank, 'provisioning.end-allowances')
    expect((await provisionOf(bank, loanId)).history.nodes).toHaveLength(4)
    expect(await codeOf(preview(bank, loanId))).toBe('FACILITY_WITHOUT_EXPOSURE')
  })
})

describe('A loan that was late and is paid', () => {
  test('returns to stage 1 one stage at a time, after its cure periods', async () => {
    const loanId = await aLentLoan(bank)
    await provide(bank, '2026-11-01')
    expect((await provisionOf(bank, loanId)).stage).toBe('STAGE_2')
    await bank.act(
      `mutation ($input: RecordRepaymentInput!) { recordRepayment(input: $input) { repaymentId } }`,
      { input: { facilityId: loanId, amount: '1000.00' } },
    )
    const stages: unknown[] = []
    for (const month of ['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01']) {
      await provide(bank, month)
      const { stage, reasons, improvingSince } = await provisionOf(bank, loanId)
      stages.push([month, stage, reasons, improvingSince])
    }
    expect(stages).toEqual([
      ['2026-12-01', 'STAGE_2', ['CURE_PERIOD'], '2026-11-30'],
      ['2027-01-01', 'STAGE_2', ['CURE_PERIOD'], '2026-11-30'],
      ['2027-02-01', 'STAGE_2', ['CURE_PERIOD'], '2026-11-30'],
      ['2027-03-01', 'STAGE_1', [], null],
    ])
  })
})

describe('A loan with a granted payment holiday', () => {
  test('stays in stage 2 until the cure period after the holiday has passed', async () => {
    const loanId = await aLentLoan(bank)
    const { request } = await bank.act(
      `mutation ($input: CreateHardshipRequestInput!) {
        request: createHardshipRequest(input: $input) { hardshipRequestId } }`,
      { input: { loanId, type: 'PAYMENT_HOLIDAY', reason: 'Out of work' } },
    )
    const { hardshipRequestId } = request
    const review = (input: object) =>
      bank.act(
        `mutation ($input: ReviewHardshipRequestInput!) {
          reviewHardshipRequest(input: $input) { status } }`,
        { input: { hardshipRequestId, ...input } },
        manager,
      )
    await review({ action: 'START' })
    await review({ action: 'APPROVE', relief: { installments: 5 } })
    const { facility } = await bank.act(
      `query ($id: ID!) { facility(facilityId: $id) { paymentHolidays { nodes { endDate } } } }`,
      { id: loanId },
    )
    expect(facility.paymentHolidays.nodes).toEqual([{ endDate: '2027-08-01' }])
    const stages: unknown[] = []
    for (const month of ['2027-07-01', '2027-09-01']) {
      await provide(bank, month)
      const { stage, reasons, improvingSince } = await provisionOf(bank, loanId)
      stages.push([month, stage, reasons, improvingSince])
    }
    // The decision was more than 90 days ago.
    expect(stages).toEqual([
      ['2027-07-01', 'STAGE_2', ['FORBEARANCE'], null],
      ['2027-09-01', 'STAGE_2', ['FORBEARANCE', 'CURE_PERIOD'], '2027-08-01'],
    ])
  })
})
