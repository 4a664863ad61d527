/** With encryption on, a copy of the database shows nothing about a person. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  columnOf,
  personalDataRegister,
  registeredRows,
} from '../../kernel/domain/personal-data.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { encryptStored } from '../../subgraphs/privacy/workers/encrypt.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/platform.ts'
import { aPersonEverywhere, aPrivacyBank, markers, type PrivacyBank } from './privacy-kit.ts'

let database: FreshDatabase
let thief: Client
let privacy: PrivacyBank
const alarms: { msg: string; place?: string }[] = []
const log = pino(
  { level: 'error' },
  { write: (line: string) => void alarms.push(JSON.parse(line)) },
)
const on = { ENCRYPT_PERSONAL_DATA: 'on' }

beforeAll(async () => {
  database = await freshDatabase()
  thief = new Client(database.url)
  thief.on('error', () => undefined)
  await thief.connect()
  privacy = await aPrivacyBank(false, on, database.url, log)
  await aPersonEverywhere(privacy)
})
afterAll(async () => {
  await privacy.bank.stop()
  await thief.end()
  await database.drop()
})

/** The columns whose stored text contains one of the markers, by what a thief reads. */
async function readableColumns(): Promise<string[]> {
  const { rows: columns } = await thief.query<{ schema: string; table: string; name: string }>(
    `select table_schema as schema, table_name as table, column_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { schema, table, name } of columns) {
    const sql = `select 1 from "${schema}"."${table}" where "${name}"::text ~* $1 limit 1`
    const { rowCount } = await thief.query(sql, [Object.values(markers).join('|')])
    if (rowCount) found.push(`${schema}.${table}.${name}`)
  }
  return found.sort()
}

const plainColumns = () =>
  new Set(
    registeredRows(personalDataRegister()).flatMap(({ table, personal }) =>
      Object.entries(personal).flatMap(([name, declared]) =>
        columnOf(declared).plain === undefined ? [] : [`${table}.${name}`],
      ),
    ),
  )

const readAll = `{
  party(partyId: "pty_mona") { givenName familyName contactPoints { address } }
  case(caseId: "case_mona") { title }
}`

test('no column shows a text about the person, except those declared as plain', async () => {
  const found = await readableColumns()
  expect(found.filter((name) => !plainColumns().has(name))).toEqual([])
  expect(found).toEqual([])
})
