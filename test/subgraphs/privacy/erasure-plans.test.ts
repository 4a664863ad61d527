/** An erasure finds the rows of one person by indexes, however many rows of others there are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from 'pg'
import '../../../subgraphs/index.ts'
import '../../../oauth/personal-data.ts'
import { personalDataRegister, registeredRows } from '../../../kernel/domain/personal-data.ts'
import type { DataSubject } from '../../../subgraphs/privacy/domain/data-subject.ts'
import { columnsByTable, quotedTable } from '../../../subgraphs/privacy/domain/columns.ts'
import { erasureSteps, type ErasureStep } from '../../../subgraphs/privacy/domain/erasure-plan.ts'
import { readColumns } from '../../../subgraphs/privacy/store/columns.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let client: Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Tables that stay small, because each row is a decision of an administrator. */
const smallTables = new Set(['oauth_client', 'endpoint'])

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** The tables that a plan reads as a whole: without an index, or through all entries of one. */
function wholeScans(node: PlanNode): string[] {
  if (smallTables.has(node['Relation Name'] ?? '')) return []
  const type = node['Node Type']
  const isScan = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(type)
  const name = node['Relation Name'] ?? type
  const isWhole = isScan && node['Index Cond'] === undefined
  return [...(isWhole ? [name] : []), ...(node.Plans ?? []).flatMap(wholeScans)]
}

async function planOf({ table, condition }: ErasureStep): Promise<PlanNode> {
  const text = `explain (format json) select from ${quotedTable(table)} t where ${condition}`
  const { rows } = await client.query(text.replaceAll('$1', "'pty_x'"))
  return rows[0]['QUERY PLAN'][0].Plan
}

async function stepsOf(kind: DataSubject['kind']): Promise<ErasureStep[]> {
  const tables = columnsByTable(await readColumns(client))
  return erasureSteps(registeredRows(personalDataRegister()), tables, kind, new Date())
}

test.each(['party', 'employee'] as const)(
  'no step of the erasure of a person (%s) reads a whole table',
  async (kind) => {
    const steps = await stepsOf(kind)
    // The tables are empty, so that PostgreSQL would read them as a whole if it may.
    await client.query('set enable_seqscan = off')
    const scanned: string[] = []
    for (const step of steps) {
      const scans = wholeScans(await planOf(step))
      if (scans.length > 0) scanned.push(`${step.table} (${step.condition}): ${scans.join(', ')}`)
    }
    await client.query('reset enable_seqscan')
    expect(steps.length).toBeGreaterThan(5)
    expect(scanned).toEqual([])
  },
)

test('of 100,000 stored responses, an erasure reads those of the person', async () => {
  await client.query(
    `insert into kernel.idempotency select '["client",null]', 'updateParty', 'key-' || n, 'f',
       json_build_object('partyId', 'pty_' || n % 50000, 'displayName', repeat('x', 500))::text,
       null, now(), true, array['party/pty_' || n % 50000]
     from generate_series(1, 100000) n`,
  )
  await client.query('vacuum analyze kernel.idempotency')
  const step = (await stepsOf('party')).find(({ table }) => table === 'kernel.idempotency')!
  expect(JSON.stringify(await planOf(step))).toContain('idempotency_persons_idx')
  const { rows } = await client.query('select kernel.erase($1, $2, $3, $4) as erased', [
    quotedTable(step.table),
    step.assignments,
    step.erasable,
    'pty_7',
  ])
  expect(rows).toEqual([{ erased: 2 }])
})
