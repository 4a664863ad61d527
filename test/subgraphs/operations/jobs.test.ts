import { afterAll, beforeAll, expect, test } from 'vitest'
import { subgraphs } from '../../../subgraphs/index.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { addDays, addMs, dateOf } from '../../../kernel/domain/dates.ts'
import { startWorkers, type Worker } from '../../../kernel/work/worker.ts'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { eventually } from '../../kit/platform.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live')
})
afterAll(() => bank.stop())

const selection = `name purpose status businessDate everyMs lastRunAt lastWorkedAt lastDone nextDueAt
  progress { businessDate done total } lastError { code detail } requestedAt requestedBy`
const jobs = async (): Promise<any[]> =>
  (await bank.graph(`{ jobs { ${selection} } }`)).body.data.jobs
const job = async (name: string) => (await jobs()).find((each) => each.name === name)
const run = (name: string, options = {}) =>
  bank.graph(
    `mutation ($name: String!) { runJob(name: $name) { ${selection} } }`,
    { name },
    options,
  )

test('lists every worker of every area as a job with its purpose, and runs it', async () => {
  const names = subgraphs.flatMap(({ workers }) => workers.map(({ name }) => name)).sort()
  const before = dateOf(bank.bank.now())
  const known = await eventually(async () => {
    const all = await jobs()
    return all.every(({ lastRunAt, status }) => lastRunAt || status === 'RUNNING') && all
  }, 60_000)
  expect(known.map(({ name }: any) => name)).toEqual(names)
  for (const { name, purpose, status, businessDate, nextDueAt } of known) {
    expect([name, purpose]).toEqual([
      expect.stringMatching(/^[a-z-]+\.[a-z-]+$/),
      expect.stringMatching(/\.$/),
    ])
    expect(['IDLE', 'RUNNING']).toContain(status)
    expect([before, dateOf(bank.bank.now())]).toContain(businessDate)
    if (status === 'IDLE') expect(Date.parse(nextDueAt)).toBeGreaterThan(Date.now() - 60_000)
  }
}, 90_000)

/** A worker that rests for an hour unless it is requested. */
function aWorker(name: string, change: Partial<Worker>): Worker {
  return { name, purpose: 'Is tried.', everyMs: 3_600_000, run: async () => 0, ...change }
}

test('reports the progress of a job, and runs a requested one at once', async () => {
  let left = [3, 2, 1, 0]
  let looks = 0
  const counting = aWorker('test.counts', {
    async run() {
      looks++
      return left.shift() ?? 0
    },
    progress: async () => ({ businessDate: '2026-03-01', done: 6, total: 10 }),
  })
  const workers = startWorkers(bank.bank, [counting])
  try {
    const worked = await eventually(async () => {
      const found = await job('test.counts')
      return found?.lastDone === 6 && found
    })
    expect(worked).toMatchObject({
      progress: { businessDate: '2026-03-01', done: 6, total: 10 },
      requestedAt: null,
    })
    expect(Date.parse(worked.nextDueAt)).toBeGreaterThan(Date.now() + 3_000_000)
    const before = looks
    left = [5]
    const { body } = await run('test.counts', {
      token: bank.token({ clientId: 'operator' }),
      key: 'run-1',
    })
    expect(body.data.runJob).toMatchObject({ name: 'test.counts', requestedBy: 'operator' })
    await eventually(async () => (await job('test.counts')).lastDone === 5)
    expect(looks).toBe(before + 2)
    const again = await run('test.counts', {
      token: bank.token({ clientId: 'operator' }),
      key: 'run-1',
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  } finally {
    await workers.stop()
  }
})

test('shows the jobs that close the business date as one nightly run', async () => {
  const query =
    '{ nightlyRun { businessDate status estimatedEndAt steps { phase status job { name } } } }'
  const nightlyRun = async () => (await bank.graph(query)).body.data.nightlyRun
  const steps = subgraphs.flatMap(({ workers }) =>
    workers.flatMap(({ name, nightlyPhase }) => (nightlyPhase ? [name] : [])),
  )
  const completed = await eventually(async () => {
    const run = await nightlyRun()
    return run.status === 'COMPLETED' && run.steps.length === steps.length && run
  }, 90_000)
  expect(completed.businessDate).toBe(addDays(dateOf(bank.bank.now()), -1))
  expect(completed.steps.map(({ job: { name } }: any) => name).sort()).toEqual(steps.sort())
  const worker = aWorker('test.closes', {
    nightlyPhase: 'fees',
    async run() {
      throw new Error('The fees are gone.')
    },
  })
  const workers = startWorkers(bank.bank, [worker])
  try {
    const failed = await eventually(async () => {
      const run = await nightlyRun()
      return run.status === 'FAILED' && run
    })
    expect(failed.steps.find(({ status }: any) => status === 'FAILED')).toEqual({
      phase: 'FEES',
      status: 'FAILED',
      job: { name: 'test.closes' },
    })
  } finally {
    await workers.stop()
    await bank.bank.pool.query("delete from kernel.job where name = 'test.closes'")
  }
  const token = bank.token({ partyId: 'pty_ada' })
  expect((await bank.graph(query, {}, { token })).body.errors[0].extensions.code).toBe(
    'NOT_FOR_DELEGATED_USERS',
  )
}, 120_000)

test('reports a job as failed with its error until it succeeds, and as stale without a process', async () => {
  let isBroken = true
  const breaking = aWorker('test.breaks', {
    async run() {
      if (isBroken) throw new Error('The disk is full.')
      return 0
    },
  })
  const workers = startWorkers(bank.bank, [breaking])
  try {
    const failed = await eventually(async () => {
      const found = await job('test.breaks')
      return found?.status === 'FAILED' && found
    })
    expect(failed.lastError).toEqual({ code: 'INTERNAL', detail: 'Error: The disk is full.' })
    isBroken = false
    await run('test.breaks')
    await eventually(async () => (await job('test.breaks')).status === 'IDLE')
    expect((await job('test.breaks')).lastError.detail).toBe('Error: The disk is full.')
  } finally {
    await workers.stop()
  }
  // No process reports the job any longer.
  await bank.bank.pool.query('update kernel.job set seen_at = $1 where name = $2', [
    addMs(new Date(), -120_000),
    'test.breaks',
  ])
  expect(await job('test.breaks')).toMatchObject({ status: 'STALE', nextDueAt: null })
})

test.each([
  { times: 3, status: 'IDLE', when: 'loses a race against other processes' },
  { times: 100, status: 'FAILED', when: 'never wins a race' },
])('reports a job that $when as $status', async ({ times, status }) => {
  let races = 0
  const racing = aWorker(`test.races-${times}`, {
    async run() {
      if (races++ < times) throw new Problem('VERSION_CONFLICT')
      return 0
    },
  })
  const workers = startWorkers(bank.bank, [racing])
  try {
    const known = await eventually(async () => {
      const found = await job(racing.name)
      return races > 3 && found?.status === status && found
    })
    expect(known).toMatchObject({ status })
    expect(known.lastError === null).toBe(status === 'IDLE')
  } finally {
    await workers.stop()
  }
})

test('does not write a row for every run that finds nothing to do', async () => {
  let looks = 0
  const idle = aWorker('test.idles', { everyMs: 5, run: async () => ((looks += 1), 0) })
  const workers = startWorkers(bank.bank, [idle])
  const writes = new Set<string>()
  try {
    await eventually(async () => {
      const sql = 'select xmin::text from kernel.job where name = $1'
      const { rows } = await bank.bank.pool.query<{ xmin: string }>(sql, ['test.idles'])
      if (rows[0]) writes.add(rows[0].xmin)
      return looks > 200
    })
    expect(writes.size).toBeLessThanOrEqual(3)
  } finally {
    await workers.stop()
  }
})

test('rejects an unknown job, and denies delegated users', async () => {
  expect((await run('nobody.does-this')).body.errors[0].extensions.code).toBe('JOB_NOT_FOUND')
  const token = bank.token({ partyId: 'pty_ada' })
  const { body } = await bank.graph('{ jobs { name } }', {}, { token })
  expect(body.errors[0].extensions.code).toBe('NOT_FOR_DELEGATED_USERS')
  expect((await run('lending.end-of-day', { token })).body.errors[0].extensions.code).toBe(
    'INSUFFICIENT_SCOPE',
  )
})

test('wakes a worker on the events that it waits for, and on no others', async () => {
  let looks = 0
  const waiting = aWorker('test.waits', {
    wakeOn: ['parties.party.*'],
    run: async () => ((looks += 1), 0),
  })
  const workers = startWorkers(bank.bank, [waiting])
  try {
    await eventually(() => looks === 1)
    const before = bank.bank.events.head
    const token = bank.token({ clientId: 'operator' })
    await run('products.expire-offers', { token, key: 'woken-1' })
    await eventually(() => bank.bank.events.head > before)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(looks).toBe(1)
    const { body } = await bank.graph(
      'mutation ($input: CreatePartyInput!) { createParty(input: $input) { partyId } }',
      { input: { kind: 'PERSON', givenName: 'Ada', familyName: 'Lovelace' } },
      { key: 'woken-2' },
    )
    expect(body.errors).toBeUndefined()
    await eventually(() => looks === 2)
  } finally {
    await workers.stop()
  }
})

test('records any error of a job, without blocking the records of others', async () => {
  const described = [`${'x'.repeat(292)}👍`, 'a\0b']
  const failing = described.map((text, at) =>
    aWorker(`test.fails-${at}`, { run: () => Promise.reject(new Error(text)) }),
  )
  const workers = startWorkers(bank.bank, [...failing, aWorker('test.beside', {})])
  try {
    const details = await eventually(async () => {
      const found = await Promise.all(['test.fails-0', 'test.fails-1', 'test.beside'].map(job))
      return found.every(Boolean) && found.map(({ lastError }) => lastError?.detail ?? null)
    })
    expect(details).toEqual([`Error: ${'x'.repeat(292)}\uFFFD`, 'Error: ab', null])
  } finally {
    await workers.stop()
  }
})
