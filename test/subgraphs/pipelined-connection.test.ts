/** Sends statements in one write over one connection, which is replaced when it is lost. */
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PipelinedConnection } from '../../kernel/database/pipelined-connection.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/eventually.ts'

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const name = 'bankgraph pipelined'
const mine = async () =>
  (await pool.query('select pid from pg_stat_activity where application_name = $1', [name])).rows

test('sends over a new connection when the old one is lost, and leaves no other behind', async () => {
  const connection: PipelinedConnection = new PipelinedConnection(
    { connectionString: database.url, application_name: name },
    pino({ level: 'warn' }, { write: () => void again() }),
  )
  const sent: Promise<unknown>[] = []
  const again = () => sent.push(connection.send(['select 1']))
  await connection.send(['select 1'])
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [name],
  )
  await eventually(async () => sent.length > 0)
  await Promise.all(sent)
  await connection.send(['select 1'])
  expect(await mine()).toHaveLength(1)
  await connection.close()
  await eventually(async () => (await mine()).length === 0)
})
