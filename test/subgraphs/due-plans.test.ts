/** What the heartbeat reads every second for each worker, in tables with 10,000 rows of which none is due. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillTable } from '../kit/filled-table.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'
import { exposedThroughSql } from '../../subgraphs/interest/store/exposure.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { payments } from '../../subgraphs/payments/index.ts'

const count = 10_000
/** A table of 10,000 rows has more than a hundred pages. */
const maxBuffers = 20

const due = subgraphs
  .flatMap((subgraph) => subgraph.workers)
  .flatMap(({ name, isDueSql }) => (isDueSql ? [{ name, isDueSql }] : []))
const allSql = due.map(({ isDueSql }) => isDueSql).join('\n')
/** Tables of one row, a sequence, and one whose last row is compared with a position. */
const single = [
  'general_ledger.book',
  'general_ledger.dimension_reach',
  'ledger.aggregation',
  'ledger.booking_day_reach',
  'ledger.checkpoint',
  'ledger.deferred_sequence',
]
/** Tables with rows of records; those of the kernel have one row for the log or for each consumer. */
const tables = new Set(
  [...allSql.matchAll(/from (\w+\.\w+)/g)].map((match) => match[1]!).filter(isOfRecords),
)

function isOfRecords(table: string): boolean {
  return !table.startsWith('kernel.') && !single.includes(table)
}

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  for (const table of tables) await fill(table)
  await bank.rows('vacuum analyze')
}, 120_000)
afterAll(() => bank.drop())

/**
 * Fills a table with rows that have what its condition demands, such as the state, but whose dates are
 * far ahead.
 */
async function fill(table: string): Promise<void> {
  const conditions = due
    .filter(({ isDueSql }) => isDueSql.includes(`${table} `))
    .map((each) => each.isDueSql)
    .join(' ')
  await fillTable(bank, table, count, (name, type) => valueOf(name, type, conditions))
}

function valueOf(name: string, type: string, conditions: string): string {
  const literal = new RegExp(`\\b${name} (?:=|in) \\(?'([^']+)'`).exec(conditions)?.[1]
  // An application is accepted for some minutes, until its loan is booked.
  if (literal === 'accepted') return "'booked'"
  // Most payments are of a rail that has no worker.
  if (name === 'rail') return "'internal'"
  if (literal) return `'${literal}'`
  if (type === 'boolean') return String(!/ended|closing|closed|queued|due|suspended/.test(name))
  if (name === 'breached_at' || name.startsWith('lease')) return 'null'
  if (type.startsWith('timestamp') || type === 'date') return "'2999-01-01'"
  if (type === 'text') return `'${name}_' || n`
  if (type.startsWith('json')) return "'{}'"
  if (type.endsWith('[]')) return "'{}'"
  if (type === 'uuid') return 'gen_random_uuid()'
  return name === 'open' ? '1' : 'n'
}

/** Returns how many pages a prepared statement reads, with a plan for any values. */
async function buffersOf(sql: string, parameters: string): Promise<number> {
  const client = await bank.bank.pool.connect()
  try {
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    await client.query(`prepare looked as ${sql}`)
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute looked${parameters}`,
    )
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  } finally {
    client.release(true)
  }
}

test.each(due)('$name looks for work without reading what is not due', async ({ isDueSql }) => {
  const sql = `select $1::timestamptz, (${isDueSql})`
  expect(await buffersOf(sql, "('2026-01-01')")).toBeLessThan(maxBuffers)
})

test('the heartbeat keeps its plan, because planning takes longer than reading', async () => {
  const client = await bank.bank.pool.connect()
  try {
    const parts = due.map(({ isDueSql }) => `(${isDueSql})`).join(', ')
    const query = { name: 'heartbeat', text: `select $1::timestamptz, ${parts}` }
    for (let beat = 0; beat < 10; beat++) {
      await client.query({ ...query, values: [new Date()] })
    }
    const { rows } = await client.query(
      "select generic_plans::int as kept from pg_prepared_statements where name = 'heartbeat'",
    )
    // PostgreSQL plans the first five for their values.
    expect(rows).toEqual([{ kept: 5 }])
  } finally {
    client.release(true)
  }
})

test('reads through which day all exposures are derived from two ends of indexes', async () => {
  await bank.rows('update interest.overdraft_position set exposure_through = accrued_through')
  await bank.rows('vacuum analyze interest.overdraft_position')
  expect(await buffersOf(exposedThroughSql, '')).toBeLessThan(maxBuffers)
})
