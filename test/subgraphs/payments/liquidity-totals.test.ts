/** The projection adds up in the database what it used to read row by row, with the same result. */
import 'reflect-metadata'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readPosition } from '../../../subgraphs/payments/commands/liquidity.ts'
import { projectNostro, type Flow } from '../../../subgraphs/payments/domain/liquidity.ts'
import {
  datesUntil,
  paymentDateAt,
  type Schedule,
} from '../../../subgraphs/payments/domain/standing-order.ts'
import { sct } from '../../../subgraphs/payments/rails/sct/rail.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'
import { random } from '../../kit/random.ts'

const now = new Date('2026-03-02T09:00:00Z')
const today = dateOf(now)

let database: FreshDatabase
let pool: pg.Pool
/** The number of rows that each query returned. */
let rowCounts: number[] = []
let context: Context
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const counting = {
    async query(query: pg.QueryConfig) {
      const result = await pool.query(query)
      rowCounts.push(result.rows.length)
      return result
    },
  }
  const bank = { pool: counting }
  context = { bank, caller: { partyId: null }, now: () => now } as unknown as Context
  await store('payments.payment', payments)
  await store('payments.standing_order', orders)
  await pool.query('analyze payments.payment')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const next = random(7)
const oneOf = <Value>(...values: readonly Value[]) => values[Math.floor(next() * values.length)]!
const below = (limit: number) => Math.floor(next() * limit)
/** Amounts whose sums floating-point numbers cannot hold. */
const anAmount = () => BigInt(below(10 ** 9)) * 10n ** BigInt(below(9)) + BigInt(below(100) + 1)

const common = (n: number) => ({
  party_id: `pty_${n}`,
  debtor_arrangement_id: `arr_${n}`,
  rail: oneOf('internal', 'sct', 'sct'),
  amount_minor: anAmount(),
  currency: oneOf('EUR', 'EUR', 'EUR', 'USD'),
  content_hash: '',
  version: 1,
  created_at: now,
  updated_at: now,
})

/** Of every state and direction, some overdue, some after the projection; most are settled. */
const payments = Array.from({ length: 6000 }, (_, n) => ({
  ...common(n),
  payment_id: `pay_${n}`,
  direction: oneOf('in', 'out', 'out', 'out'),
  state:
    n % 5 > 0
      ? 'settled'
      : oneOf(
          'pending-signatures',
          'scheduled',
          'accepted',
          'submitted',
          'acknowledged',
          'rejected',
          'cancelled',
        ),
  execution_date: addDays(today, below(130) - 10),
  // Some just before and just after midnight.
  cut_off_at: oneOf(
    null,
    new Date(Date.parse(`${addDays(today, below(20) - 5)}T00:00:00Z`) - below(2)),
  ),
}))

const orders = Array.from({ length: 3000 }, (_, n) => {
  const state = oneOf<Schedule['state']>('active', 'active', 'active', 'paused', 'cancelled')
  const frequency = oneOf<Schedule['frequency']>('weekly', 'monthly', 'quarterly')
  const startsOn = oneOf('2025-12-31', '2026-01-31', '2025-08-30', addDays(today, -below(300)))
  let occurrence = 0
  while (paymentDateAt({ startsOn, frequency }, occurrence) < addDays(today, -12)) occurrence += 1
  const executions = below(20)
  return {
    ...common(n),
    standing_order_id: `sto_${n}`,
    state,
    frequency,
    starts_on: startsOn,
    occurrence,
    next_on: paymentDateAt({ startsOn, frequency }, occurrence),
    ends_on: oneOf(null, null, addDays(today, below(200))),
    executions,
    max_executions: oneOf(null, null, executions + below(6), 100),
    retry_days: 3,
  }
})

async function store(table: string, rows: readonly object[]): Promise<void> {
  const text = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  await pool.query(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
    [text],
  )
}

/** The flows of each payment and each order by itself. */
function flowsUntil(until: string): Flow[] {
  const leaving = { currency: 'EUR', rail: 'sct' }
  const isLeaving = (each: { currency: string; rail: string }) =>
    each.currency === leaving.currency && each.rail === leaving.rail
  const unsettled = ['scheduled', 'accepted', 'submitted', 'acknowledged']
  const ofPayments = payments
    .filter((each) => isLeaving(each) && each.direction === 'out' && unsettled.includes(each.state))
    .map((each): Flow => {
      const date = each.cut_off_at ? dateOf(each.cut_off_at) : each.execution_date
      return flow('payment', date, each.amount_minor)
    })
  const ofOrders = orders.filter(isLeaving).flatMap((each) => {
    const schedule: Schedule = {
      state: each.state,
      frequency: each.frequency,
      startsOn: each.starts_on,
      endsOn: each.ends_on,
      maxExecutions: each.max_executions,
      executions: each.executions,
      occurrence: each.occurrence,
      nextOn: each.next_on,
      attemptOn: each.next_on,
      reasonCode: null,
    }
    return datesUntil(schedule, until).map((date) =>
      flow('standing-order', date, each.amount_minor),
    )
  })
  return [...ofPayments, ...ofOrders]
}

const flow = (kind: Flow['kind'], date: string, amountMinor: bigint): Flow => ({
  kind,
  direction: 'out',
  date: sct.leavesOn!(date),
  amountMinor,
})

test.each([1, 2, 9, 30, 31, 89, 90])('projects %i days to the cent', async (days) => {
  rowCounts = []
  const position = await readPosition(context, 'EUR', days)
  const flows = flowsUntil(addDays(today, days - 1))
  expect(position.days).toEqual(projectNostro(0n, flows, today, days))
  expect(position.days[0]!.flows.map(({ kind }) => kind)).toEqual(['payment', 'standing-order'])
  // The totals of payments are one for each day, however many payments there are.
  expect(rowCounts.every((count) => count < 1000)).toBe(true)
})

test('reads the unsettled payments by their index', async () => {
  const statements: pg.QueryConfig[] = []
  const query = (each: pg.QueryConfig) => {
    statements.push(each)
    return pool.query(each)
  }
  await readPosition({ ...context, bank: { pool: { query } } } as unknown as Context, 'EUR', 9)
  const { text } = statements.find((each) => each.text.includes('from payments.payment'))!
  await pool.query(`set plan_cache_mode = 'force_generic_plan'; prepare totals as ${text}`)
  const { rows } = await pool.query("explain execute totals('EUR', array['sct'])")
  expect(JSON.stringify(rows)).toContain('payment_unsettled_idx')
})
