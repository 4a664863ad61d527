/** What shares sessions with others through PgBouncer in transaction mode. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireSameDatabase } from '../../host/require-same-database.ts'
import { requireTimeouts } from '../../host/require-timeouts.ts'
import { RowSecurity } from '../../kernel/authorization/row-security.ts'
import { openDatabase, type Database } from '../../kernel/database/db.ts'
import { PipelinedConnection } from '../../kernel/database/pipelined-connection.ts'
import { sessionTimeouts } from '../../kernel/database/pooler.ts'
import { isUnavailable } from '../../kernel/database/sql-errors.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { freePort } from '../kit/free-port.ts'
import { hasPooler, Pooler } from '../kit/pooler.ts'

const insertPartiesSql = `
  insert into parties.party (party_id, kind, status, language, time_zone, contact_points,
    marketing_opt_out, marketing_opt_out_channels, suppressed_channels, content_hash, version,
    created_at, updated_at)
  select id, 'person', 'active', 'en', 'UTC', '[]', false, '{}', '{}', '', 1, now(), now()
  from unnest($1::text[]) as id`
const log = pino({ level: 'silent' })
const poolSize = 2

let direct: FreshDatabase
let pooler: Pooler

/** Starts a network to the pooler in which a large request arrives in several parts. */
async function slowNetwork(port: number): Promise<Server> {
  const partSize = 2000
  const server = createServer((client) => {
    const target = connect(Number(new URL(pooler.url).port), '127.0.0.1')
    target.pipe(client)
    for (const socket of [client, target]) socket.on('error', () => undefined)
    client.on('close', () => target.destroy())
    void forward(client, target)
  })
  async function forward(client: Socket, target: Socket) {
    for await (const chunk of client as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += partSize) {
        target.write(chunk.subarray(at, at + partSize))
        await sleep(1)
      }
    }
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Sends four statements at once, longer than the buffer of PgBouncer, and checks their results. */
async function echo(connection: PipelinedConnection, mark: string): Promise<unknown> {
  const padding = mark.repeat(3000)
  const statements = Array.from({ length: 4 }, (_, at) => ({
    name: `echo_${at}`,
    text: `select ${at} as at, $1::text as padding`,
    values: [padding],
  }))
  const results = await connection.send(statements)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) return (failure.reason as Error).message
  const rows = results.map((result) => (result as PromiseFulfilledResult<pg.QueryResult>).value)
  return rows.every(({ rows: [row] }, at) => row.at === at && row.padding === padding)
}

describe.skipIf(!hasPooler)('through a pooler', () => {
  let database: Database
  beforeAll(async () => {
    direct = await freshDatabase()
    pooler = await Pooler.start(direct.url, { poolSize })
    database = openDatabase(pooler.url, log, { directUrl: direct.url })
  })
  afterAll(async () => {
    await database?.close()
    await pooler?.remove()
    await direct?.drop()
  })

  test('statements of which only a part has arrived get their own results', async () => {
    const port = await freePort()
    const network = await slowNetwork(port)
    const url = new URL(pooler.url)
    url.port = String(port)
    const connections = Array.from(
      { length: 6 },
      () => new PipelinedConnection({ connectionString: url.href, isPooled: true }, log),
    )
    const results = await Promise.all(
      connections.flatMap((connection, at) =>
        Array.from({ length: 20 }, async (_, round) => {
          await sleep(round * 5)
          return echo(connection, 'abcdef'[at]!)
        }),
      ),
    )
    expect(new Set(results)).toEqual(new Set([true]))
    await Promise.all(connections.map((connection) => connection.close()))
    expect((await pooler.show('servers')).length).toBe(poolSize)
    network.close()
  })

  test('a session has no timeout of a group of commits, and its transactions have', async () => {
    const lockTimeoutOf = async (pool: Pick<pg.Pool, 'query'>) =>
      (await pool.query("select current_setting('lock_timeout') as value")).rows[0].value
    const statement = {
      name: 'lock_timeout',
      text: "select current_setting('lock_timeout') as value",
      values: [],
    }
    const row = await database.commits.commit({ statement, events: null })
    expect(row).toEqual({ value: '50ms' })
    expect(await lockTimeoutOf(database.pool)).toBe('2s')
    expect(await lockTimeoutOf(database.locks)).toBe('2s')
  })

  test('a party never sees the rows of the party before it', async () => {
    const ids = ['pty_one', 'pty_two']
    await database.pool.query(insertPartiesSql, [ids])
    const rowSecurity = (await RowSecurity.open(database, log))!
    const rows = ids.map((partyId) => ({ partyId }))
    const reads = Array.from({ length: 200 }, async (_, at) => {
      const partyId = ids[at % 2]!
      const visible = await rowSecurity.keepVisible(partyId, 'party', rows)
      // The setting of the party ends with its transaction.
      const setting = "select current_setting('bank.party', true) as party"
      const { rows: after } = await database.pool.query<{ party: string | null }>(setting)
      return visible.length === 1 && visible[0]!.partyId === partyId && !after[0]!.party
    })
    expect(new Set(await Promise.all(reads))).toEqual(new Set([true]))
  })

  test('no statement stays prepared in a session', async () => {
    const query = { name: 'named', text: 'select $1::int as one', values: [1] }
    const runs = Array.from({ length: 10 }, () => database.pool.query(query))
    expect((await Promise.all(runs)).map(({ rows }) => rows[0].one)).toEqual(Array(10).fill(1))
    const prepared = 'select count(*)::int as count from pg_prepared_statements'
    expect((await database.pool.query(prepared)).rows).toEqual([{ count: 0 }])
  })

  test('a pooler whose server is gone is passed over for another one', async () => {
    const gone = new URL(direct.url)
    gone.search = ''
    gone.port = String(await freePort())
    const useless = await Pooler.start(gone.href, { poolSize })
    const url = pooler.url.replace('@', `@${new URL(useless.url).host},`)
    const several = openDatabase(url, log, { directUrl: direct.url })
    const { rows } = await several.pool.query('select pg_is_in_recovery() as is_standby')
    expect(rows).toEqual([{ is_standby: false }])
    await several.close()
    await useless.remove()
  })

  test('a statement that waits too long for a session can be repeated', async () => {
    const options = { poolSize: 1, settings: 'query_wait_timeout = 1' }
    const small = await Pooler.start(direct.url, options)
    const waiting = openDatabase(small.url, log, { directUrl: direct.url })
    const holder = await waiting.pool.connect()
    await holder.query('begin')
    const error = await waiting.pool.query('select 1').catch((reason: Error) => reason)
    expect(error).toMatchObject({ message: 'query_wait_timeout' })
    expect(isUnavailable(error)).toBe(true)
    await holder.query('commit')
    holder.release()
    await waiting.close()
    await small.remove()
  })

  test('the timeouts of the documented file are accepted', async () => {
    await requireTimeouts({ ...live, databaseUrl: pooler.url, isPooled: true })
    await requireTimeouts({ ...live, databaseUrl: direct.url, isPooled: false })
  })

  test('a timeout in the URL of the database itself is accepted', async () => {
    const separator = direct.url.includes('?') ? '&' : '?'
    const databaseUrl = `${direct.url}${separator}statement_timeout=30000`
    await requireTimeouts({ ...live, databaseUrl, isPooled: false })
  })

  test('the direct URL of another database is refused', async () => {
    const pooled = { ...live, databaseUrl: pooler.url }
    const past = { setting: 'DATABASE_DIRECT_URL', databaseUrl: direct.url }
    await requireSameDatabase(pooled, past)
    const other = await freshDatabase()
    await expect(requireSameDatabase(pooled, { ...past, databaseUrl: other.url })).rejects.toThrow(
      'DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database.',
    )
    await other.drop()
  })

  test.each([
    ['rejects', '', 'unsupported startup parameter: statement_timeout.'],
    ['ignores', `ignore_startup_parameters = ${Object.keys(sessionTimeouts).join()}`, 'is 0 ms'],
  ])('a pooler that %s the timeouts of the program', async (_, settings, reason) => {
    const error = await refusal(settings, false)
    expect(error).toContain(reason)
    expect(error).toContain('set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.')
  })

  test('a pooler whose sessions have no timeouts is refused, with what to set', async () => {
    const error = await refusal('', true)
    expect(error).toMatch(/^DATABASE_URL: \w+ is 0 ms in the sessions of the database, /)
    const [, sql] =
      /Set the timeouts in PostgreSQL and reconnect the pooler: (.+) Or set them/.exec(error)!
    await database.locks.query(sql!)
    const reconnected = await Pooler.start(direct.url, { poolSize, hasTimeouts: false })
    await requireTimeouts({ ...live, databaseUrl: reconnected.url, isPooled: true })
    await reconnected.remove()
    await database.locks.query(sql!.replace(/ set \w+ = \d+/g, ' reset all'))
  })
})

const live = { setting: 'DATABASE_URL' }

/** Why the program does not start with a pooler whose sessions have no timeouts. */
async function refusal(settings: string, isPooled: boolean): Promise<string> {
  const without = await Pooler.start(direct.url, { poolSize, hasTimeouts: false, settings })
  const refused = requireTimeouts({ ...live, databaseUrl: without.url, isPooled })
  const error = await refused.catch((reason: Error) => reason)
  await without.remove()
  return (error as Error).message
}
