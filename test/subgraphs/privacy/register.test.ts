import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from 'pg'
import '../../../subgraphs/index.ts'
import '../../../oauth/personal-data.ts'
import {
  declarePersonalData,
  personalDataRegister,
  registeredRows,
  wordsOf,
} from '../../../kernel/domain/personal-data.ts'
import { encryptedColumns, indexColumnOf } from '../../../kernel/domain/encrypted-columns.ts'
import { retentionRules } from '../../../kernel/domain/retention.ts'
import { knownEvents } from '../../../kernel/events/events.ts'
import { impersonalMembers, personalEventMembers } from '../../../kernel/lifecycle/personal-data.ts'
import { columnsByTable, faultsOf } from '../../../subgraphs/privacy/domain/columns.ts'
import { erasureSteps } from '../../../subgraphs/privacy/domain/erasure-plan.ts'
import { exportSources } from '../../../subgraphs/privacy/domain/export-source.ts'
import { readColumns } from '../../../subgraphs/privacy/store/columns.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let client: Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new Client(database.url)
  client.on('error', () => undefined)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const faults = async () =>
  faultsOf(personalDataRegister(), await readColumns({ query: client.query.bind(client) } as never))

test('every column of the database that can contain text is declared', async () => {
  expect(await faults()).toEqual([])
})

test('a new table, and a new text column, must be declared', async () => {
  await client.query('begin')
  try {
    await client.query('create table parties.hobby (hobby_id text primary key, name text)')
    await client.query(
      'alter table parties.customer add column nickname text, add column extra jsonb',
    )
    await client.query(
      'alter table payments.payment add column risk_score numeric, add memo_id text',
    )
    await client.query('alter table notifications.mail drop column body')
    expect((await faults()).sort()).toEqual([
      'The column notifications.mail.body is declared and does not exist.',
      'The column parties.customer.extra is neither declared personal nor other.',
      'The column parties.customer.nickname is neither declared personal nor other.',
      'The table parties.hobby is not declared.',
    ])
  } finally {
    await client.query('rollback')
  }
})

test('an area declares its data once', () => {
  expect(() => declarePersonalData('parties', 'anything', {})).toThrow(/declared twice/)
})

test('the database can plan every export and every erasure', async () => {
  const columns = await readColumns({ query: client.query.bind(client) } as never)
  const tables = columnsByTable(columns)
  const register = personalDataRegister()
  const sources = exportSources(register, tables, false)
  expect(sources.length).toBeGreaterThan(45)
  const withoutKey = sources.filter((source) => !source.columns.some(({ isKey }) => isKey))
  expect(withoutKey.map(({ table }) => table)).toEqual([])
  const steps = erasureSteps(registeredRows(register), tables, 'party', new Date())
  expect(steps.length).toBeGreaterThan(35)
  const erasing = steps.filter(({ rule }) => retentionRules[rule].years !== null)
  for (const { table, assignments, condition, erasable, exception } of erasing) {
    const [schema, name] = table.split('.')
    const target = `"${schema}"."${name}"`
    const values = [target, assignments, erasable, 'pty_nobody']
    const erased = await client.query('select kernel.erase($1, $2, $3, $4) as n', values)
    expect(erased.rows, table).toEqual([{ n: 0 }])
    for (const each of [condition, exception?.condition ?? 'false']) {
      await client.query('select kernel.count_rows($1, $2, $3)', [target, each, 'pty_nobody'])
    }
  }
})

/** The names of the members of a schema that are any text. */
function textMembers(shape: any, name = ''): string[] {
  if (shape.anyOf) return shape.anyOf.flatMap((each: any) => textMembers(each, name))
  if (shape.type === 'array') return textMembers(shape.items, name)
  if (shape.type === 'object') {
    return Object.entries(shape.properties ?? {}).flatMap(([key, each]) => textMembers(each, key))
  }
  const isText = shape.type === 'string' && !shape.pattern && !shape.format && !shape.enum
  return isText ? [name] : []
}

test('every text in the data of events is declared personal or not', () => {
  const declared = new Set(wordsOf(`${impersonalMembers} ${personalEventMembers}`))
  const found = [...knownEvents.values()].flatMap(({ data }) => textMembers(data))
  expect(found.length).toBeGreaterThan(100)
  expect([...new Set(found)].filter((name) => !declared.has(name))).toEqual([])
})

test('what may contain text is replaced in JSON, and nothing else', async () => {
  const value = {
    reason: 'Ada',
    code: 'X',
    inner: [{ reason: ['a', null, 5], note: { reason: 1 } }],
  }
  const { rows } = await client.query('select kernel.redacted($1, $2) as value', [
    JSON.stringify(value),
    ['reason'],
  ])
  expect(rows[0].value).toEqual({
    reason: '[erased]',
    code: 'X',
    inner: [{ reason: ['[erased]', null, 5], note: { reason: 1 } }],
  })
})

test('append-only tables still reject every other change', async () => {
  await client.query(
    'alter table origination.credit_decision drop constraint credit_decision_application_id_fkey',
  )
  await client.query(
    `insert into origination.credit_decision select (json_populate_record(
    null::origination.credit_decision, $1)).*`,
    [
      JSON.stringify({
        decision_id: 'dec_1',
        application_id: 'app_1',
        party_id: 'pty_1',
        number: 1,
        outcome: 'approved',
        decision_mode: 'manual',
        application_status: 'approved',
        reasons: [],
        conditions: [],
        decided_by: 'a',
        decided_at: '2026-01-01',
        recorded_by: 'a',
        recorded_at: '2026-01-01',
        comment: 'a secret',
      }),
    ],
  )
  const change = "update origination.credit_decision set comment = 'x'"
  await expect(client.query(change)).rejects.toThrow(/append-only/)
  const erase = `select kernel.erase('origination.credit_decision', 'comment = null', 'party_id = $1', 'pty_1')`
  expect((await client.query(erase)).rows).toEqual([{ erase: 1 }])
  await expect(client.query(change)).rejects.toThrow(/append-only/)
  await expect(client.query('delete from origination.credit_decision')).rejects.toThrow(
    /append-only/,
  )
})

const storesText = new Set(['text', 'json', 'jsonb'])

test('every encrypted column can store text, and every blind index has its column', async () => {
  const columns = await readColumns({ query: client.query.bind(client) } as never)
  const typeOf = new Map(columns.map(({ table, name, type }) => [`${table}.${name}`, type]))
  const encrypted = [...encryptedColumns(personalDataRegister())].flatMap(([table, own]) =>
    [...own].map(([name, { index }]) => ({ table, name, index })),
  )
  expect(encrypted.length).toBeGreaterThan(60)
  const wrong = encrypted.filter(
    ({ table, name }) => !storesText.has(typeOf.get(`${table}.${name}`)!),
  )
  expect(wrong).toEqual([])
  for (const { table, name, index } of encrypted) {
    if (index) expect(typeOf.get(`${table}.${indexColumnOf(name)}`)).toBe('text[]')
  }
})

test('a new personal column is encrypted unless the declaration says why not', () => {
  const area = { area: 'hobbies', purpose: 'leisure' }
  const personal = {
    title: 'identity',
    day: { category: 'identity', plain: 'SQL calculates with it.' },
    notes: { category: 'communication', members: 'text' },
  } as const
  const rows = { party: 'party_id', rule: 'service', personal } as const
  const columns = encryptedColumns([{ ...area, tables: { 'hobbies.hobby': rows } }])
  expect([...columns.get('hobbies.hobby')!.keys()]).toEqual(['title', 'notes'])
})
