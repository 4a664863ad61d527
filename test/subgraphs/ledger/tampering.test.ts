/** Changes to the journal that bypass the program, even by the owner of the database, are detected. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyJournal } from '../../../ledger/checkpoints.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { random } from '../../kit/random.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aggregateAll, aBusyDay, inVain, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
let lines = 0
beforeAll(async () => {
  bank = await aSubgraph(payments)
  // Each day gets its own checkpoints.
  for (const name of ['one', 'two', 'three']) {
    await aBusyDay(bank, name)
    await writeAllCheckpoints(bank)
  }
  lines = (await verifyJournal(bank.bank.pool)).linesChecked
})
afterAll(() => bank.drop())

/** The first line of the checkpoint that contains a line. */
const checkpointOf = (line: number) =>
  `(select max(first_line) from ledger.checkpoint where first_line <= ${line})`
const at = (line: number) => `(${line} - first_line + 1)::integer`
const has = (line: number) =>
  `(select posting_instruction_ids[${at(line)}] from ledger.checkpoint where first_line = ${checkpointOf(line)})`
const entriesOf = (line: number) => `posting_instruction_id = ${has(line)}`
const firstEntry = (line: number) => `${entriesOf(line)} and ordinal = 1`
const swapped = (table: string, column: string, key: string) => (a: string, b: string) =>
  `update ${table} t set ${column} = o.${column} from ${table} o
    where (t.${key} = ${a} and o.${key} = ${b}) or (t.${key} = ${b} and o.${key} = ${a})`

/** Ways to change what a checkpoint recorded about one line, or two; the first of them is then reported. */
const tamperings: ((line: number, later: number) => string)[] = [
  ...[
    `amount = amount + 1`,
    `account_id = 'arr_mallory'`,
    `side = case side when 'debit' then 'credit' else 'debit' end`,
    `phase = 'pending-in', committed_after = 7`,
    `currency = 'GBP'`,
    `value_date = value_date + 1`,
    `booked_at = booked_at + interval '1 millisecond'`,
    `address = 'other'`,
  ].map(
    (change) => (line: number) => `update ledger.entry set ${change} where ${firstEntry(line)}`,
  ),
  ...[
    `details = details || ' '`,
    `client_id = 'mallory'`,
    `value_date = value_date - 1`,
    `booked_at = booked_at - interval '1 millisecond'`,
    `type = type || '-'`,
    `ordinal = ordinal + 1`,
    `client_transaction_id = 'mallory'`,
  ].map(
    (change) => (line: number) =>
      `update ledger.posting_instruction set ${change} where ${entriesOf(line)}`,
  ),
  (line) => `delete from ledger.entry where ${firstEntry(line)}`,
  (line) => `delete from ledger.posting_instruction where ${entriesOf(line)}`,
  (line) =>
    `update ledger.checkpoint set digests = set_byte(digests, ${at(line)} * 32 - 1,
      255 - get_byte(digests, ${at(line)} * 32 - 1)) where first_line = ${checkpointOf(line)}`,
  (line) =>
    `update ledger.checkpoint set posting_instruction_ids[${at(line)}] = 'pin_none' where first_line = ${checkpointOf(line)}`,
  (line, later) =>
    `update ledger.checkpoint set posting_instruction_ids[${at(line)}] = ${has(later)} where first_line = ${checkpointOf(line)}`,
  (
    line,
  ) => `insert into ledger.entry select account_id, address, 1000000 + sequence, posting_instruction_id, 9, phase,
    side, amount, currency, booked_at, value_date from ledger.entry where ${firstEntry(line)}`,
  (line, later) =>
    swapped(
      'ledger.posting_instruction',
      'details',
      'posting_instruction_id',
    )(has(line), has(later)),
  (line, later) =>
    `update ledger.entry set posting_instruction_id = ${has(later)}, ordinal = 9 where ${firstEntry(line)}`,
]

/** A line with entries, so that there is something to change, and a later one. */
async function twoLines(client: pg.PoolClient, dice: () => number): Promise<[number, number]> {
  const { rows } = await client.query<{ line: string }>(
    `select s.first_line + t.n - 1 as line
      from ledger.checkpoint s, unnest(s.posting_instruction_ids) with ordinality t (id, n)
      join ledger.posting_instruction p on p.posting_instruction_id = t.id
      where p.status = 'accepted' order by line`,
  )
  const at = Math.floor(dice() * (rows.length - 2))
  const then = at + 1 + Math.floor(dice() * (rows.length - at - 2))
  return [Number(rows[at]!.line), Number(rows[then]!.line)]
}

const seed = Number(process.env['TAMPER_SEED'] ?? 1)

test.each(Array.from({ length: 50 }, (_, at) => at))(
  'locates tampering %i at its line',
  async (at) => {
    const tamper = tamperings[at % tamperings.length]!
    await inVain(bank, async (client) => {
      const [line, later] = await twoLines(client, random(seed * 1000 + at))
      const sql = tamper(line, later)
      await client.query(sql)
      const found = await verifyJournal(client)
      expect({ sql, badLine: found.badLine }).toEqual({ sql, badLine: line })
      expect(found.linesChecked).toBe(line - 1)
    })
  },
)

test.each([
  'delete from ledger.checkpoint where first_line = $1',
  `update ledger.checkpoint set hash = repeat('0', 64) where first_line = $1`,
  `update ledger.checkpoint set digests = digests || digests where first_line = $1`,
  `update ledger.checkpoint set first_line = first_line + 1 where first_line = $1`,
  `update ledger.checkpoint t set hash = o.hash from ledger.checkpoint o
    where t.first_line >= $1 and o.first_line >= $1 and o.first_line <> t.first_line`,
])('locates damage to a checkpoint at its first line: %s', async (sql) => {
  const rows = await bank.rows('select first_line::int as line from ledger.checkpoint order by 1')
  const line = rows[1]!['line'] as number
  await inVain(bank, async (client) => {
    await client.query(sql, [line])
    expect(await verifyJournal(client)).toMatchObject({ badLine: line, linesChecked: line - 1 })
  })
})

test('returns a different head hash when lines are cut off the end', async () => {
  const { head } = await verifyJournal(bank.bank.pool)
  await inVain(bank, async (client) => {
    const { rows } = await client.query<{ first_line: string }>(
      `delete from ledger.checkpoint where first_line = (select max(first_line) from ledger.checkpoint) returning first_line`,
    )
    const cut = await verifyJournal(client)
    expect(cut).toMatchObject({ badLine: null, linesChecked: Number(rows[0]!.first_line) - 1 })
    expect(cut.linesChecked).toBeLessThan(lines)
    expect(cut.head).not.toBe(head)
  })
})

describe('database constraints on the journal', () => {
  const tables = ['entry', 'posting_instruction', 'posting_batch', 'checkpoint']
  const actions = (table: string) => [
    `update ledger.${table} set ${table === 'checkpoint' ? "hash = ''" : 'booked_at = now()'}`,
    `delete from ledger.${table}`,
    `truncate ledger.${table} cascade`,
  ]
  test.each(tables.flatMap(actions))('reject %s', async (sql) => {
    await expect(bank.rows(sql)).rejects.toMatchObject({ code: 'BG003' })
  })

  const line = (ordinal: number, side: string, phase: string, currency: string) =>
    `('arr_one-ada', 'default', ${900 + ordinal}, 'pin_x', ${ordinal}, '${phase}', '${side}', 5, '${currency}', now(), now())`
  test.each([
    ['one side only', [line(1, 'debit', 'committed', 'EUR')]],
    ['two phases', [line(1, 'debit', 'committed', 'EUR'), line(2, 'credit', 'pending-in', 'EUR')]],
    [
      'two currencies',
      [line(1, 'debit', 'committed', 'EUR'), line(2, 'credit', 'committed', 'USD')],
    ],
  ])('reject entries that do not balance: %s', async (_, rows) => {
    const insert = bank.rows(`insert into ledger.entry values ${rows.join(', ')}`)
    await expect(insert).rejects.toMatchObject({ code: 'BG004' })
  })

  test('reject an authorization whose amounts do not add up', async () => {
    const update = bank.rows('update ledger.authorization set settled = settled + 1')
    await expect(update).rejects.toMatchObject({ code: '23514' })
  })
})

test('aggregation never changes a balance, whatever is posted in between', async () => {
  const read = () => bank.rows('select * from ledger.current_balance order by account_id')
  for (const name of ['four', 'five', 'six', 'seven']) {
    await aBusyDay(bank, name)
    const before = await read()
    await aggregateAll(bank)
    expect(await read()).toEqual(before)
  }
  const [aggregated] = await bank.rows(
    `select up_to::int as up_to, (select committed_debit::int from ledger.balance where account_id = 'settlement/EUR') as debit from ledger.aggregation`,
  )
  expect(aggregated!['up_to']).toBeGreaterThan(0)
  expect(aggregated!['debit']).toBeGreaterThan(0)
})
