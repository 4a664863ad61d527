/** Expected credit losses of overdrafts on a bank with the whole graph. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { interest } from '../../../subgraphs/interest/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { anAccount } from '../fees/fee-kit.ts'
import { killedAfter, runToEnd } from '../interest/crash-kit.ts'
import { ada, eur, post, sequenced, type InterestBank } from '../interest/kit.ts'
import {
  aProvisioningBank,
  aTable,
  codeOf,
  debitsOf,
  drain,
  expectReconciled,
  manager,
  morningOf,
  officer,
  provide,
  segments,
  step,
  type ProvisioningBank,
} from './kit.ts'

let bank: ProvisioningBank
/** The same bank as the helpers of overdrafts take it. */
let own: InterestBank
/** An account with a limit of 1,000.00 of which 600.00 are drawn, and one without a limit. */
let limited: string
let unlimited: string
beforeAll(async () => {
  bank = await aProvisioningBank()
  own = bank as unknown as InterestBank
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  const productId = 'prd_overdraft'
  const input = {
    productId,
    name: 'Current account',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    overdraft: { annualRatePct: '0', unarrangedRatePct: '0' },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
  limited = await anAccount(bank, productId, { overdraftLimit: eur('1000.00') })
  unlimited = await anAccount(bank, productId)
  await post(own, limited, 'OUT', '600.00')
})
afterAll(() => bank.drop())
afterEach(() => expectReconciled(bank))

/** Runs the workers of the night that follow accounts and derive their exposures. */
async function derive() {
  await sequenced(bank)
  const names = ['follow-interest', 'follow-overdrafts', 'accrue-overdraft-interest']
  for (const name of names) {
    const worker = interest.workers.find((each) => each.name === `accounts.${name}`)!
    await runToEnd(() => worker.run(bankContext(bank.bank)))
  }
}

/** Moves the clock to the first of a month, derives the exposures and provides for the month before. */
async function monthEnd(date: string) {
  await morningOf(bank, date)
  await derive()
  await provide(bank, date)
}

/** How far the exposures of all accounts are derived. */
const derivedThrough = async (): Promise<string> =>
  (await bank.act('{ overdraftExposurePosition { derivedThrough } }')).overdraftExposurePosition
    .derivedThrough

/** The statuses of all runs, by month. */
const statuses = async () =>
  (await bank.rows('select status from provisioning.provisioning_run order by month_end')).map(
    ({ status }) => status,
  )

const provisionOf = async (id: string, caller = officer) => {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { overdraftProvision {
      provisionId segment stage reasons exposure { amount } allowance { amount } facility { facilityId }
      arrangement { arrangementId } history { nodes { daysPastDue change { amount } } } } } }`,
    { id },
    caller,
  )
  return accountArrangement.overdraftProvision
}

const preview = async (id: string) => {
  const { overdraftProvisionPreview } = await bank.act(
    `query ($id: ID!) { overdraftProvisionPreview(arrangementId: $id) { stage daysPastDue pdPct
      exposure { amount } allowance { amount } change { amount } } }`,
    { id },
  )
  return overdraftProvisionPreview
}

const setStage = (arrangementId: string, stage: string, caller = officer) =>
  bank.act(
    `mutation ($input: SetOverdraftStageInput!) { setOverdraftStage(input: $input) {
      facilityId facility { facilityId } arrangement { arrangementId } stage } }`,
    { input: { arrangementId, stage, reason: 'No salary' } },
    caller,
  )

const eventsOf = async (id: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `overdraft-provision/${id}`)
    .map(({ type, data, parties }) => [type.split('.').at(-1), data!['stage'], parties])

test('a table without the segment leaves overdrafts out, and its run waits for no exposure', async () => {
  await aTable(bank)
  await morningOf(bank, '2026-04-01')
  await sequenced(bank)
  const follower = interest.workers.find(({ name }) => name === 'accounts.follow-interest')!
  await runToEnd(() => follower.run(bankContext(bank.bank)))
  expect((await derivedThrough()) < '2026-03-31').toBe(true)
  await drain(bank, 'provisioning.schedule')
  expect(await statuses()).toEqual(['scheduled'])
  await monthEnd('2026-04-01')
  expect(await statuses()).toEqual(['completed'])
  expect(await provisionOf(limited)).toBeNull()
  expect(await codeOf(preview(limited))).toBe('PROVISIONING_TABLE_MISSING')
})

test('an overdraft is provided for with its converted undrawn limit', async () => {
  const { stages } = segments[0]!
  const overdraft = { segment: 'OVERDRAFT', creditConversionPct: '50', stages }
  await aTable(bank, { effectiveFrom: '2026-04-30', segments: [...segments, overdraft] })
  bank.clock.set('2026-04-05T10:00:00Z')
  const input = { arrangementId: unlimited, direction: 'OUT', amount: eur('200.00'), advice: true }
  await bank.act(
    'mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) { status } }',
    { input },
    aCaller(),
  )
  await morningOf(bank, '2026-05-01')
  expect((await derivedThrough()) < '2026-04-30').toBe(true)
  await drain(bank, 'provisioning.schedule')
  expect(await statuses()).toEqual(['completed'])
  await monthEnd('2026-05-01')
  expect(await statuses()).toEqual(['completed', 'completed'])
  // 600.00 and half of 400.00, times 2 % times 40 %.
  expect(await provisionOf(limited)).toMatchObject({
    provisionId: `overdraft/${limited}`,
    segment: 'OVERDRAFT',
    stage: 'STAGE_1',
    exposure: { amount: '800.00' },
    allowance: { amount: '6.40' },
    facility: null,
    arrangement: { arrangementId: limited },
  })
  expect(await provisionOf(unlimited)).toMatchObject({
    stage: 'STAGE_1',
    exposure: { amount: '200.00' },
    allowance: { amount: '1.60' },
    history: { nodes: [{ daysPastDue: 26 }] },
  })
  expect(await debitsOf(bank, 'impairment-expense')).toBe(800)
  expect(await provisionOf(limited, ada)).toBeNull()
  const again = 'mutation { startProvisioningRun(input: {}) { provisioningRunId } }'
  await bank.act(again)
  await drain(bank, 'provisioning.run')
  expect(await debitsOf(bank, 'impairment-expense')).toBe(800)
})

test('a person sets the lowest stage', async () => {
  expect(await codeOf(setStage(limited, 'STAGE_1'))).toBe('VALIDATION_FAILED')
  expect(await codeOf(setStage('arr_none', 'STAGE_2'))).toBe('ARRANGEMENT_NOT_FOUND')
  expect(await codeOf(setStage(limited, 'STAGE_2', ada))).toBe('NOT_FOR_DELEGATED_USERS')
  expect(await codeOf(setStage(limited, 'STAGE_2', aCaller()))).toBe('PERSON_REQUIRED')
  expect((await setStage(limited, 'STAGE_2')).setOverdraftStage).toEqual({
    facilityId: `overdraft/${limited}`,
    facility: null,
    arrangement: { arrangementId: limited },
    stage: 'STAGE_2',
  })
  expect(await codeOf(setStage(limited, 'STAGE_3'))).toBe('RESOURCE_EXISTS')
  expect(await preview(limited)).toEqual({
    stage: 'STAGE_2',
    daysPastDue: 0,
    pdPct: '15.5',
    exposure: { amount: '800.00' },
    allowance: { amount: '49.60' },
    change: { amount: '43.20' },
  })
  expect(await preview('arr_none')).toBeNull()
  expect(await codeOf(preview(bank.accountId))).toBe('FACILITY_WITHOUT_EXPOSURE')
})

test('days past due decide the stage, and a run that dies books once', async () => {
  await morningOf(bank, '2026-06-01')
  await derive()
  await drain(bank, 'provisioning.schedule')
  const { queryGraph } = bank.bank
  // One account on a page, so that the run has several checkpoints.
  bank.bank.queryGraph = (document, variables) =>
    queryGraph(document, 'first' in (variables as object) ? { ...variables, first: 1 } : variables)
  for (const commits of [0, 1, 1, 1]) {
    await killedAfter(own, commits, () => drain(bank, 'provisioning.run'))
    await bank.rows('update provisioning.provisioning_run set leased_until = null, lease_id = null')
  }
  const other = bank.another()
  other.bank.queryGraph = bank.bank.queryGraph
  other.bank.clock.now = bank.bank.clock.now
  await Promise.all([step(bank), step(other)])
  await drain(bank, 'provisioning.run')
  bank.bank.queryGraph = queryGraph
  expect(await provisionOf(unlimited)).toMatchObject({
    stage: 'STAGE_2',
    reasons: ['DAYS_PAST_DUE'],
    allowance: { amount: '12.40' },
    history: { nodes: [{ daysPastDue: 57 }, { daysPastDue: 26 }] },
  })
  expect(await provisionOf(limited)).toMatchObject({
    stage: 'STAGE_2',
    reasons: ['MANUAL'],
    allowance: { amount: '49.60' },
  })
  expect(await debitsOf(bank, 'impairment-expense')).toBe(6200)
  await monthEnd('2026-08-01')
  expect(await provisionOf(unlimited)).toMatchObject({
    stage: 'STAGE_3',
    allowance: { amount: '80.00' },
  })
  expect(await eventsOf(unlimited)).toEqual([
    ['stage-changed', 'stage-2', []],
    ['stage-changed', 'stage-3', []],
  ])
})

test('a repaid or closed account releases its allowance', async () => {
  bank.clock.set('2026-08-02T10:00:00Z')
  await post(own, unlimited, 'IN', '200.00')
  await morningOf(bank, '2026-08-03')
  await drain(bank, 'provisioning.end-allowances')
  expect((await provisionOf(unlimited)).allowance.amount).toBe('80.00')
  await derive()
  await drain(bank, 'provisioning.end-allowances')
  expect(await provisionOf(unlimited)).toMatchObject({
    exposure: { amount: '0.00' },
    allowance: { amount: '0.00' },
  })
  expect((await eventsOf(unlimited)).at(-1)![0]).toBe('ended')
  await post(own, limited, 'IN', '600.00')
  for (const mutation of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
    await bank.act(
      `mutation { ${mutation}(arrangementId: "${limited}") { __typename } }`,
      {},
      manager,
    )
  }
  await drain(bank, 'provisioning.end-allowances')
  expect((await provisionOf(limited)).allowance.amount).toBe('0.00')
  expect(await debitsOf(bank, 'loan-loss-allowance')).toBe(0)
  expect(await debitsOf(bank, 'impairment-expense')).toBe(0)
})
