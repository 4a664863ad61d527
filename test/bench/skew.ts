import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { print, record } from './report.ts'
import {
  isSmoke,
  median,
  ratio,
  start,
  stop,
  takeTurns,
  type Contender,
  type Side,
} from './turns.ts'
import { draw } from './zipf.ts'

const accounts = 10_000
const skew = 2
const writers = isSmoke ? 2 : 5
const inFlight = 64
const goals = { uniform: 0.7, peer: 6 }

/**
 * Transfers between few accounts: five processes post on one PostgreSQL, and most transfers touch the
 * same account. The yardsticks are their own rate with equally frequent accounts, and a transaction
 * with two updates for each transfer, as most would write it.
 */
export async function benchSkew(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('bench_skew')
  const url = server.url('bench_skew')
  await migrate(url)
  const pool = new pg.Pool({ connectionString: url, max: writers * 8 })
  pool.on('error', () => undefined)
  await pool.query(openSql)
  const contenders: Contender[] = []
  try {
    for (let at = 0; at < writers; at++) contenders.push(await start('posting-writer', url, folder))
    print(`Transfers a second between ${accounts} accounts, ${writers} writer processes`)
    const sides: Side[] = [
      { label: 'skewed', turn: (seconds) => posted(contenders, seconds, skew) },
      { label: 'uniform', turn: (seconds) => posted(contenders, seconds, 0) },
      { label: 'updates', turn: (seconds) => updated(pool, seconds) },
    ]
    const figures = await takeTurns(sides)
    const [own, uniform, updates] = sides.map((side) => figures.get(side)!) as [
      number[],
      number[],
      number[],
    ]
    const value = `${median(own).toFixed(0)} /s`
    const compare = (peer: string, other: number[], goal: number) => {
      const times = ratio(own, other)
      const peerFigure = `${peer}: ${median(other).toFixed(0)} /s`
      record({
        what: `transfers, Zipf ${skew}`,
        value,
        peer: peerFigure,
        ratio: times,
        goal: `at least ${goal}`,
        isMet: times >= goal,
      })
    }
    compare('the same, all accounts equally frequent', uniform, goals.uniform)
    compare('one transaction with two updates for each transfer', updates, goals.peer)
  } finally {
    await Promise.all(contenders.map(stop))
    await pool.end()
  }
}

async function posted(contenders: Contender[], seconds: number, exponent: number): Promise<number> {
  const request = { accounts, inFlight, seconds, skew: exponent }
  const each = contenders.map(({ child }) => {
    child.send(request)
    return new Promise<number>((resolve) => {
      // The loader of TypeScript reports the modules it loads over the same channel.
      const take = (message: unknown) => {
        if (typeof message !== 'number') return
        child.off('message', take)
        resolve(message)
      }
      child.on('message', take)
    })
  })
  return (await Promise.all(each)).reduce((sum, rate) => sum + rate, 0)
}

/** Locks both rows in the order of their IDs, so that no two transfers wait for each other. */
async function updated(pool: pg.Pool, seconds: number): Promise<number> {
  const until = Date.now() + seconds * 1000
  const next = draw(accounts, skew)
  let done = 0
  const client = async () => {
    const connection = await pool.connect()
    for (; Date.now() < until; done++) {
      const [debtor, creditor] = [next(), next()]
      const changes = [
        { id: debtor, change: -100 },
        { id: creditor, change: 100 },
      ].sort((one, other) => one.id - other.id)
      await connection.query('begin')
      for (const { id, change } of changes) {
        await connection.query({
          name: 'change',
          text: 'update skew_account set balance = balance + $1 where id = $2',
          values: [change, id],
        })
      }
      await connection.query({
        name: 'note',
        text: 'insert into skew_transfer (debtor, creditor, amount) values ($1, $2, 100)',
        values: [debtor, creditor],
      })
      await connection.query('commit')
    }
    connection.release()
  }
  await Promise.all(Array.from({ length: writers * 8 }, client))
  return done / seconds
}

const openSql = `
  create table skew_account (id int primary key, balance bigint not null);
  create table skew_transfer (id bigint generated always as identity primary key, debtor int, creditor int,
    amount bigint, at timestamptz default now());
  insert into skew_account select n, 0 from generate_series(0, ${accounts - 1}) n;
  insert into ledger.account select 'arr_' || n, 'customer', 'arr_' || n, 'pty_' || n, 'liability', 'credit', 'EUR',
    'guarded' from generate_series(0, ${accounts - 1}) n;
  insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit, overdraft_limit, is_closed, entry_count, stamp,
      is_suspended, last_sequence)
    select 'arr_' || n, 'default', 0, 0, 0, 0, 0, 0, 1000000000000, false, 0,
      '00000000-0000-0000-0000-000000000000', false, 0
    from generate_series(0, ${accounts - 1}) n`
