/** What people decide about expected credit losses: tables, overlays and stages. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { eur } from '../fees/fee-kit.ts'
import {
  aLentLoan,
  aLoan,
  aProvisioningBank,
  aTable,
  codeOf,
  debitsOf,
  drain,
  draw,
  expectReconciled,
  morningOf,
  officer,
  preview,
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
  await aTable(bank)
})
afterAll(() => bank.drop())
afterEach(() => expectReconciled(bank))

describe('An employee', () => {
  test('sets the lowest stage with a reason, and ends it', async () => {
    const loanId = await aLentLoan(bank)
    const set = (stage: string, facilityId = loanId) =>
      bank.act(
        `mutation ($input: SetFacilityStageInput!) { override: setFacilityStage(input: $input) {
          stageOverrideId status setBy facility { facilityId } } }`,
        { input: { facilityId, stage, reason: 'Lost the job' } },
        officer,
      )
    expect(await codeOf(set('STAGE_1'))).toBe('VALIDATION_FAILED')
    expect(await codeOf(set('STAGE_2', 'loan_none'))).toBe('FACILITY_NOT_FOUND')
    const { override } = await set('STAGE_2')
    expect(override).toMatchObject({
      status: 'ACTIVE',
      setBy: 'officer',
      facility: { facilityId: loanId },
    })
    expect(await codeOf(set('STAGE_3'))).toBe('RESOURCE_EXISTS')
    expect(await preview(bank, loanId)).toMatchObject({ stage: 'STAGE_2', reasons: ['MANUAL'] })
    const end = (id: string) =>
      bank.act(
        `mutation ($id: ID!) { endStageOverride(stageOverrideId: $id, reason: "New job") {
          status endedBy } }`,
        { id },
        officer,
      )
    expect(await codeOf(end('sov_none'))).toBe('STAGE_OVERRIDE_NOT_FOUND')
    const { endStageOverride } = await end(override.stageOverrideId)
    expect(endStageOverride).toEqual({ status: 'ENDED', endedBy: 'officer' })
    expect(await preview(bank, loanId)).toMatchObject({ stage: 'STAGE_1', reasons: [] })
  })
})

describe('A new table', () => {
  test('is previewed without a booking, and applies from its month with its overlays', async () => {
    await morningOf(bank, '2026-04-20')
    const limitId = await aLoan(bank, {
      kind: 'REVOLVING',
      limit: eur('1000.00'),
      installments: null,
      disburse: false,
    })
    await draw(bank, limitId, '400.00')
    await aTable(bank, {
      effectiveFrom: '2026-04-30',
      reason: 'Floods',
      segments: [
        { ...segments[0], overlayAmount: eur('500.00'), overlayReason: 'Floods' },
        { ...segments[1], overlayPct: '10', overlayReason: 'New customers' },
      ],
    })
    await morningOf(bank, '2026-05-01')
    const before = await debitsOf(bank, 'impairment-expense')
    const { run } = await start(bank, { dryRun: true })
    await drain(bank, 'provisioning.run')
    const dry = await runOf(bank, run.provisioningRunId)
    expect(dry).toMatchObject({ status: 'COMPLETED', dryRun: true, monthEnd: '2026-04-30' })
    expect(await debitsOf(bank, 'impairment-expense')).toBe(before)
    expect(await provisionOf(bank, limitId)).toBeNull()

    await drain(bank, 'provisioning.schedule')
    await drain(bank, 'provisioning.run')
    const runs = await bank.rows(
      "select provisioning_run_id as id from provisioning.provisioning_run where month_end = '2026-04-30' and not is_dry_run",
    )
    const booked = await runOf(bank, runs[0]!['id'])
    expect(booked.totals).toEqual(dry.totals)
    expect(booked.totals).toContainEqual(
      expect.objectContaining({
        stage: null,
        segment: 'CONSUMER_LOAN',
        facilities: 0,
        allowance: { amount: '500.00' },
      }),
    )
    const limit = await provisionOf(bank, limitId)
    // 400.00 drawn and 75 % of 600.00, with accrued interest; 2 % times 50 %, and 10 % more.
    const [item] = limit.history.nodes
    expect(Number(limit.exposure.amount)).toBeGreaterThanOrEqual(850)
    expect(Number(item.allowance.amount)).toBeCloseTo(limit.exposure.amount * 0.011, 1)
    expect(Number(item.expectedLoss.amount)).toBeLessThan(Number(item.allowance.amount))
  })

  test('releases an overlay that it no longer has', async () => {
    await aTable(bank, { effectiveFrom: '2026-05-31', reason: 'Dry' })
    await provide(bank, '2026-06-01')
    const { provisions } = await bank.act(
      '{ provisions { nodes { facility { facilityId } allowance { amount } } } }',
    )
    const overlays = provisions.nodes.filter(({ facility }: any) => facility === null)
    expect(overlays).toEqual([{ facility: null, allowance: { amount: '0.00' } }])
  })

  test('without a segment fails the run, which is resumed after the segment was added', async () => {
    await aTable(bank, { effectiveFrom: '2026-06-30', segments: [segments[0]], reason: 'Mistake' })
    await provide(bank, '2026-07-01')
    const [row] = await bank.rows(
      "select provisioning_run_id as id from provisioning.provisioning_run where status = 'failed'",
    )
    const id = row!['id']
    expect(await runOf(bank, id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'PROVISIONING_TABLE_MISSING',
    })
    await aTable(bank, { effectiveFrom: '2026-06-30', reason: 'Correction' })
    const resume = (runId: string) =>
      bank.act(
        'mutation ($id: ID!) { run: resumeProvisioningRun(provisioningRunId: $id) { status } }',
        { id: runId },
      )
    expect(await codeOf(resume('pvr_none'))).toBe('PROVISIONING_RUN_NOT_FOUND')
    expect((await resume(id)).run.status).toBe('SCHEDULED')
    await drain(bank, 'provisioning.run')
    expect(await runOf(bank, id)).toMatchObject({ status: 'COMPLETED', failureCode: null })
  })
})

test('customers see nothing of it', async () => {
  const ada = aCaller({ partyId: 'pty_ada' })
  for (const query of [
    'allowanceReport { totals { segment } }',
    'provisions { nodes { stage } }',
  ]) {
    expect(await codeOf(bank.act(`{ ${query} }`, {}, ada))).toBe('NOT_FOR_DELEGATED_USERS')
  }
  const facilities = '{ facilities(first: 1) { nodes { provision { stage } } } }'
  expect((await bank.act(facilities, {}, ada)).facilities.nodes).toEqual([{ provision: null }])
})
