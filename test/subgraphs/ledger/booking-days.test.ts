/** The trial balance at an earlier time is the sum of all entries by then, however far the totals of days are. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queries } from '../../../kernel/database/read-rows.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { writeCheckpoints } from '../../../ledger/checkpoints.ts'
import {
  areDaysToTotalSql,
  readTrialBalance,
  totalBookingDays,
} from '../../../ledger/trial-balance.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { random } from '../../kit/random.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, pay, post } from '../payments/kit.ts'
import { aBusyDay, inVain, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  for (const id of accountIds) await anAccount(bank, id)
})
afterAll(() => bank.drop())

const accountIds = ['arr_one', 'arr_two', 'arr_three']
const dayMs = 86_400_000

interface Entry {
  code: string
  type: string
  currency: string
  side: string
  amount: string
  booked_at: Date
  [column: string]: unknown
}

/** Adds up entries, as the trial balance should. */
async function summed(currency: string | null, asOf: Date) {
  const entries = (await bank.rows(
    "select a.code, a.type, e.currency, e.side, e.amount::text, e.booked_at from ledger.entry e join ledger.account a using (account_id) where e.phase = 'committed'",
  )) as Entry[]
  const totals: Record<string, { debitMinor: bigint; creditMinor: bigint }> = {}
  for (const entry of entries) {
    if (entry.booked_at > asOf || (currency !== null && entry.currency !== currency)) continue
    const key = `${entry.currency} ${entry.code} ${entry.type}`
    const total = (totals[key] ??= { debitMinor: 0n, creditMinor: 0n })
    total[entry.side === 'debit' ? 'debitMinor' : 'creditMinor'] += BigInt(entry.amount)
  }
  return totals
}

async function read(currency: string | null, asOf: Date | null, queries: Queries = bank.bank.pool) {
  const balances = await readTrialBalance(queries, currency, asOf)
  return Object.fromEntries(
    balances.flatMap((balance) =>
      balance.accounts.map(({ code, type, debitMinor, creditMinor }) => [
        `${balance.currency} ${code} ${type}`,
        { debitMinor, creditMinor },
      ]),
    ),
  )
}

/** Adds up the balances of all accounts, which the trial balance of now should equal. */
async function ofBalances(currency: string | null) {
  const rows = await bank.rows(
    `select currency || ' ' || code || ' ' || type as key, sum(committed_debit)::text as debit,
       sum(committed_credit)::text as credit
     from ledger.current_balance where $1::text is null or currency = $1 group by 1`,
    [currency],
  )
  return Object.fromEntries(
    rows.map(({ key, debit, credit }) => [
      key,
      { debitMinor: BigInt(debit), creditMinor: BigInt(credit) },
    ]),
  )
}

const findings = async () =>
  (await checkLedger(bank.bank.pool)).map(({ invariant, subject }) => `${invariant}: ${subject}`)

test('at any time, with totals that lag by any amount', async () => {
  const draw = random(20_260)
  const started = bank.bank.now().getTime()
  await aBusyDay(bank, 'first')
  const steps = [
    () => post(bank, pay(accountIds[Math.floor(draw() * 3)]!, `${1 + Math.floor(draw() * 90)}.37`)),
    async () => bank.clock.advance(Math.floor(draw() * draw() * 3 * dayMs)),
    () => bank.rows('select kernel.sequence_events(2)'),
    () => writeCheckpoints(bank.bank.pool),
    () => Promise.all([totalBookingDays(bank.bank.pool), totalBookingDays(bank.bank.pool)]),
  ]
  const lags = new Set<number>()
  for (let step = 0; step < 150; step++) {
    await steps[Math.floor(draw() * steps.length)]!()
    if (step % 5 > 0) continue
    const asOf = new Date(started + draw() * (bank.bank.now().getTime() - started + dayMs))
    const currency = draw() < 0.5 ? 'EUR' : null
    expect(await read(currency, asOf), asOf.toISOString()).toEqual(await summed(currency, asOf))
    expect(await read(currency, null)).toEqual(await ofBalances(currency))
    const [row] = await bank.rows(
      'select count(*)::int as lag from ledger.postings_without_total() as id',
    )
    lags.add(Number(row!['lag']))
  }
  expect(lags.size).toBeGreaterThan(5)
  expect(await findings()).toEqual([])
})

test('at the first and the last moment of a day, before the first posting and after the last', async () => {
  const times = (await bank.rows(
    'select distinct booked_at from ledger.entry order by 1',
  )) as unknown as { booked_at: Date }[]
  const [first, last] = [times[0]!.booked_at.getTime(), times.at(-1)!.booked_at.getTime()]
  const midnight = Math.floor(last / dayMs) * dayMs
  const moments = [first - 1, first, midnight - 1, midnight, last, last + 400 * dayMs]
  for (const moment of moments) {
    const asOf = new Date(moment)
    expect(await read(null, asOf), asOf.toISOString()).toEqual(await summed(null, asOf))
  }
  expect(await read(null, new Date(first - 1))).toEqual({})
})

test('the totals end with the last checkpoint, and nothing is due then', async () => {
  await writeAllCheckpoints(bank)
  while ((await totalBookingDays(bank.bank.pool)) > 0);
  expect(await bank.rows('select ledger.postings_without_total() as id')).toEqual([])
  expect(await bank.rows(`select (${areDaysToTotalSql}) as "isDue"`)).toEqual([{ isDue: false }])
  expect(await findings()).toEqual([])
})

test('now, also for accounts without entries, and in the order of currencies and codes', async () => {
  await anAccount(bank, 'arr_unused', { currency: 'SEK' })
  for (const currency of [null, 'EUR', 'SEK', 'CHF', 'ZAR']) {
    expect(await read(currency, null)).toEqual(await ofBalances(currency))
  }
  const unused = { debitMinor: 0n, creditMinor: 0n }
  expect(await read('SEK', null)).toEqual({ 'SEK customer liability': unused })
  const keys = Object.keys(await read(null, null))
  expect(keys).toEqual(keys.toSorted())
})

test('the trial balance of now looks at no balance, unless the totals are far behind', async () => {
  const statistics = `select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans
    from pg_stat_xact_user_tables where relid = 'ledger.balance'::regclass`
  const scans = async (client: pg.PoolClient): Promise<number> =>
    Number((await client.query(statistics)).rows[0].scans)
  await inVain(bank, async (client) => {
    const expected = await ofBalances(null)
    const before = await scans(client)
    expect(await read(null, null, client)).toEqual(expected)
    expect(await scans(client)).toBe(before)
    await client.query('update ledger.booking_day_reach set first_line = -20001')
    expect(await read(null, null, client)).toEqual(expected)
    expect(await scans(client)).toBeGreaterThan(before)
  })
})

test('a total that was changed is found', async () => {
  await bank.rows(
    'update ledger.booking_day_total set debit_minor = debit_minor + 1 where (booked_on, code, currency) = (select booked_on, code, currency from ledger.booking_day_total order by 1, 2, 3 limit 1)',
  )
  expect(await findings()).toEqual([
    expect.stringMatching(/^the totals of a day are the sums of the entries booked on it: \d{4}-/),
  ])
})
