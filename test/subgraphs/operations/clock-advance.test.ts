/** An advance of the clock is tracked until the bank has caught up with it, despite failures and restarts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayMs } from '../../../kernel/domain/dates.ts'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { aPlatform, eventually, type Platform } from '../../kit/platform.ts'

/** More facilities than the end of day closes in one commit. */
const facilities = 250
const ids = Array.from({ length: facilities }, (_, at) => `fac_${String(at).padStart(4, '0')}`)

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  await bank.act(`mutation { createPostingInstruction(input: { arrangementId: "arr_money", direction: IN,
    amount: { amount: "1000000.00", currency: "EUR" } }) { status } }`)
  for (const id of ids) {
    await bank.act(`mutation { openFacility(input: { facilityId: "${id}", customerId: "cus_ada",
      kind: CONSUMER_LOAN, limit: { amount: "1200.00", currency: "EUR" }, ratePct: "5.4",
      installments: 24, disburse: true, settlementArrangementId: "arr_money" }) { facilityId } }`)
  }
}, 180_000)
afterAll(() => bank.stop())

const fields = `clockAdvanceId from to status businessDate targetBusinessDate facilitiesBehind waitingFor
  failures { job facilityId businessDate code detail } requestedBy completedAt`

async function advance(platform: Platform, days: number) {
  const to = new Date(platform.bank.now().getTime() + days * dayMs).toISOString()
  const { body } = await platform.graph(
    `mutation ($to: DateTime!) { advanceClock(to: $to) { now clockAdvance { ${fields} } } }`,
    { to },
  )
  expect(body.errors).toBeUndefined()
  return body.data.advanceClock.clockAdvance
}

async function read(platform: Platform, id: string) {
  const { body } = await platform.graph(
    `query ($id: ID!) { clockAdvance(clockAdvanceId: $id) { ${fields} } }`,
    { id },
  )
  expect(body.errors).toBeUndefined()
  return body.data.clockAdvance
}

/** Waits until an advance has a status. */
const until = (platform: Platform, id: string, status: string) =>
  eventually(async () => {
    const found = await read(platform, id)
    return found.status === status && found
  }, 90_000)

const eventsOf = async (platform: Platform, id: string) => {
  const query = `{ businessEvents(subject: "clock-advance/${id}") { nodes { type } } }`
  const { body } = await platform.graph(query)
  return body.data.businessEvents.nodes.map(({ type }: any) => type.split('.').at(-1))
}

/** Checks that every facility is closed through the day, and that the end-of-day run is complete. */
async function expectClosed(platform: Platform, through: string, late = 0) {
  const { body } =
    await platform.graph(`{ endOfDayRuns(first: 1) { nodes { businessDate total done completedAt } }
    endOfDayPosition { closedThrough behind failures { facilityId } } lendingFindings { invariant } }`)
  const { endOfDayRuns, endOfDayPosition, lendingFindings } = body.data
  expect(endOfDayPosition).toEqual({ closedThrough: through, behind: 0, failures: [] })
  const [run] = endOfDayRuns.nodes
  expect(run).toMatchObject({ businessDate: through, completedAt: expect.any(String) })
  // A facility that failed at first is closed after the run was completed.
  expect(run.total - run.done).toBeLessThanOrEqual(late)
  expect(lendingFindings).toEqual([])
}

test('an advance by a month is running until every facility is closed, and then completes', async () => {
  const started = await advance(bank, 31)
  expect(started).toMatchObject({
    status: 'RUNNING',
    targetBusinessDate: addDays(started.to.slice(0, 10), -1),
    requestedBy: 'test-client',
    completedAt: null,
  })
  const done = await until(bank, started.clockAdvanceId, 'COMPLETED')
  expect(done).toMatchObject({
    businessDate: done.targetBusinessDate,
    facilitiesBehind: 0,
    waitingFor: [],
    failures: [],
    completedAt: expect.any(String),
  })
  await expectClosed(bank, done.targetBusinessDate)
  await eventually(async () => (await eventsOf(bank, done.clockAdvanceId)).join() === 'completed')
  const { body } = await bank.graph('{ environment { clockAdvance { clockAdvanceId } } }')
  expect(body.data.environment.clockAdvance.clockAdvanceId).toBe(done.clockAdvanceId)
}, 120_000)

test('reports a facility whose end of day fails with the reason, and completes once it succeeds', async () => {
  const block = (isClosed: boolean) =>
    bank.bank.pool.query(
      `update ledger.balance set is_closed = $1, stamp = gen_random_uuid() where account_id = 'loan@fac_0007'`,
      [isClosed],
    )
  await block(true)
  const { clockAdvanceId } = await advance(bank, 31)
  const failed = await until(bank, clockAdvanceId, 'FAILED')
  expect(failed).toMatchObject({
    facilitiesBehind: 1,
    waitingFor: ['lending.end-of-day'],
    failures: [
      {
        job: 'lending.end-of-day',
        facilityId: 'fac_0007',
        businessDate: expect.any(String),
        code: 'ARRANGEMENT_CLOSED',
      },
    ],
    completedAt: null,
  })
  await block(false)
  await bank.act('mutation { runJob(name: "lending.end-of-day") { name } }')
  const done = await until(bank, clockAdvanceId, 'COMPLETED')
  expect(done.failures).toEqual([])
  await expectClosed(bank, done.targetBusinessDate, 1)
  await eventually(async () => (await eventsOf(bank, clockAdvanceId)).join() === 'failed,completed')
}, 240_000)

test('is not completed while a job fails that does not follow the clock itself', async () => {
  const rename = (from: string, to: string) =>
    bank.bank.pool.query(`alter table general_ledger.${from} rename to ${to}`)
  await rename('daily_total', 'lost_total')
  const { clockAdvanceId } = await advance(bank, 1)
  const failed = await until(bank, clockAdvanceId, 'FAILED')
  await rename('lost_total', 'daily_total')
  const job = 'general-ledger.date-postings'
  // The job that checks the books reads the same table.
  expect(failed.waitingFor).toContain(job)
  expect(failed.failures).toContainEqual(expect.objectContaining({ job, facilityId: null }))
  await until(bank, clockAdvanceId, 'COMPLETED')
}, 240_000)

test('completes after the process was killed midway and another one started', async () => {
  const { commits, pool } = bank.bank
  const { commit } = commits
  let closed = 0
  // After the first batch of facilities every commit fails: the process is as good as dead.
  commits.commit = (prepared) => {
    if (closed > 0) return Promise.reject(new Error('The plug was pulled.'))
    if (prepared.statement.text.includes('lending.end_of_day_run')) closed++
    return commit.call(commits, prepared)
  }
  const { clockAdvanceId } = await advance(bank, 31)
  await eventually(() => closed > 0, 30_000)
  const databaseUrl = pool.options.connectionString
  // Another process starts on the database, with nothing that the dead one had in memory.
  const next = await aPlatform('sandbox', databaseUrl)
  try {
    const done = await until(next, clockAdvanceId, 'COMPLETED')
    await expectClosed(next, done.targetBusinessDate)
  } finally {
    await next.stop()
    commits.commit = commit
  }
}, 240_000)

test('returns null for an unknown advance, and denies delegated users', async () => {
  const query = '{ clockAdvance(clockAdvanceId: "cad_none") { status } }'
  // CLOCK_ADVANCE_NOT_FOUND appears in the refusal audit only; the query returns null.
  expect((await bank.graph(query)).body).toMatchObject({ data: { clockAdvance: null } })
  const token = bank.token({ partyId: 'pty_ada' })
  const { body } = await bank.graph(query, {}, { token })
  expect(body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
})
