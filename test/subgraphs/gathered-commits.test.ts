/**
 * Group commits: when the response is lost the outcome is unknown, so nothing may be executed
 * twice.
 */
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '../../kernel/database/db.ts'
import { problemOf } from '../../kernel/graph/errors.ts'
import { PipelinedConnection } from '../../kernel/database/pipelined-connection.ts'
import { isUnavailable } from '../../kernel/database/sql-errors.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/eventually.ts'

const log = pino({ level: 'silent' })
let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, log)
  await database.pool.query('create table noted (what text not null)')
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const note = (what: string) =>
  database.commits.commit({
    statement: {
      name: 'note',
      text: 'insert into noted values ($1) returning what',
      values: [what],
    },
    events: null,
  })
const noted = async () =>
  (await database.pool.query('select what from noted order by 1')).rows.map(({ what }) => what)

test.each([
  Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH' }),
  Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
  new TypeError('A parser of ours failed.'),
])(
  'executes a group once when its response is lost with "%s", and reports it as unavailable',
  async (reason) => {
    await database.pool.query('truncate noted')
    const send = PipelinedConnection.prototype.send
    const spy = vi.spyOn(PipelinedConnection.prototype, 'send')
    spy.mockImplementationOnce(async function (this: PipelinedConnection, statements) {
      const answers = await send.call(this, statements)
      return [...answers.slice(0, -1), { status: 'rejected', reason }]
    })
    const outcomes = await Promise.allSettled([note('a'), note('b')])
    expect(await noted()).toEqual(['a', 'b'])
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('rejected')
      expect(isUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
  },
)

test('fails a statement that the database rejects, and commits the others of its group', async () => {
  await database.pool.query('truncate noted')
  const [a, b] = await Promise.allSettled([note('a'), note(null as never)])
  expect(a.status).toBe('fulfilled')
  expect((b as PromiseRejectedResult).reason.code).toBe('23502')
  expect(await noted()).toEqual(['a'])
})

test('returns a retryable DEPENDENCY_UNAVAILABLE when the connection ends while Prisma reads', async () => {
  const sleeping = database.db.$queryRaw`select pg_sleep(10)::text`.catch((error: unknown) => error)
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where query like '%pg_sleep%' and pid <> pg_backend_pid() and datname = current_database()`
  await eventually(async () => (await database.pool.query(end)).rowCount === 1)
  const error = await sleeping
  expect((error as Error).name).toBe('PrismaClientKnownRequestError')
  expect(problemOf(error, log)).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE', status: 503 })
})

test('reports DEPENDENCY_UNAVAILABLE for every kind of access when the server is unreachable', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', log)
  const errors = await Promise.all(
    [
      away.db.$queryRaw`select 1`,
      away.pool.query('select 1'),
      away.reads.query({ text: 'select 1' }),
      away.commits.commit({
        statement: { name: 'one', text: 'select 1', values: [] },
        events: null,
      }),
    ].map((each) =>
      each.then(
        () => null,
        (error: unknown) => error,
      ),
    ),
  )
  for (const error of errors) expect(problemOf(error, log).code).toBe('DEPENDENCY_UNAVAILABLE')
  await away.close()
})
