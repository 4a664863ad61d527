import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import type { Side } from './turns.ts'

// The yardstick: pgbench's own transaction (TPC-B-like: three updates, a read, an insert), prepared,
// 16 clients, scale 10. Where no pgbench is installed, the same statements through `pg`.
const clients = 16
const scale = 10
const accounts = 100_000 * scale

/** The yardstick on a database of its own, ready to take turns. */
export async function startTpcb(server: EmbeddedPostgres): Promise<Side> {
  await server.ensureDatabase('bench_tpcb')
  const url = server.url('bench_tpcb')
  const pgbench = findPgbench()
  return pgbench ? throughPgbench(pgbench, url) : throughDriver(url)
}

function findPgbench(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort().reverse() : []
  return versions.map((version) => `${root}/${version}/bin/pgbench`).find(existsSync) ?? null
}

function throughPgbench(program: string, url: string): Side {
  const at = new URL(url)
  const host = at.searchParams.get('host') ?? at.hostname
  const where = ['-h', host, '-p', at.port || '5432', '-U', at.username, at.pathname.slice(1)]
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(at.password) }
  execFileSync(program, ['-i', '-q', '-s', String(scale), ...where], { env, stdio: 'ignore' })
  return {
    label: 'pgbench, TPC-B-like',
    async turn(seconds) {
      const how = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        '2',
        '-T',
        String(Math.ceil(seconds)),
      ]
      const { stdout } = await promisify(execFile)(program, [...how, ...where], { env })
      return Number(/tps = ([\d.]+)/.exec(stdout)![1])
    },
  }
}

async function throughDriver(url: string): Promise<Side> {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  await pool.query(`
    create table pgbench_branches (bid int primary key, bbalance int);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int);
    create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84));
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp);
    insert into pgbench_branches select n, 0 from generate_series(1, ${scale}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${scale * 10}) n;
    insert into pgbench_accounts select n, (n - 1) / 100000 + 1, 0, '' from generate_series(1, ${accounts}) n`)
  return {
    label: 'TPC-B-like through pg (no pgbench here)',
    async turn(seconds) {
      const until = Date.now() + seconds * 1000
      let done = 0
      const client = async () => {
        const connection = await pool.connect()
        for (; Date.now() < until; done++) await transaction(connection)
        connection.release()
      }
      await Promise.all(Array.from({ length: clients }, client))
      return done / seconds
    },
  }
}

const steps = [
  'update pgbench_accounts set abalance = abalance + $1 where aid = $2',
  'select abalance from pgbench_accounts where aid = $1',
  'update pgbench_tellers set tbalance = tbalance + $1 where tid = $2',
  'update pgbench_branches set bbalance = bbalance + $1 where bid = $2',
  'insert into pgbench_history values ($1, $2, $3, $4, current_timestamp)',
]

async function transaction(connection: pg.PoolClient): Promise<void> {
  const draw = (limit: number) => 1 + Math.floor(Math.random() * limit)
  const [aid, tid, bid, delta] = [
    draw(accounts),
    draw(10 * scale),
    draw(scale),
    draw(10_000) - 5000,
  ]
  const values = [[delta, aid], [aid], [delta, tid], [delta, bid], [tid, bid, aid, delta]]
  await connection.query('begin')
  for (const [at, text] of steps.entries()) {
    await connection.query({ name: `tpcb${at}`, text, values: values[at]! })
  }
  await connection.query('commit')
}
