import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { secondsOfFamily } from './idle.ts'
import { print, record } from './report.ts'
import {
  cpuMicros,
  load,
  median,
  post,
  rounds,
  secondsPerTurn,
  start,
  stop,
  type Contender,
} from './turns.ts'

const connections = 16
/** Sent later than the run lasts, so that only the acceptance is measured. */
const sendAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
const transfer = {
  debtorArrangementId: 'arr_ada_current',
  creditorArrangementId: 'arr_ada_savings',
  amount: { amount: '0.01', currency: 'EUR' },
}
const notification = {
  partyId: 'pty_ada',
  channel: 'secure-message',
  templateCode: 'tpl_welcome',
  sendAt,
}
const batch = { instructions: Array.from({ length: 100 }, () => transfer) }
const page =
  '{ notifications(first: 50) { nodes { notificationId status party { displayName } } } }'
const account = `{ balance(arrangementId: "arr_ada_current") { committed available }
  accountArrangement(arrangementId: "arr_ada_current") {
    state entries(first: 20) { nodes { amount bookedAt } } } }`

const loads: Record<string, (contender: Contender) => autocannon.Options> = {
  'POST /notifications': (contender) =>
    post(contender, '/notifications', connections, () => notification),
  'POST /posting-instructions': (contender) =>
    post(contender, '/posting-instructions', connections, () => transfer),
  'POST /posting-instructions, a batch of 100': (contender) =>
    post(contender, '/posting-instructions', connections, () => batch),
  'POST /collateral': (contender) =>
    post(contender, '/collateral', connections, () => ({ collateralType: 'real-estate' })),
  'a page of 50 notifications': (contender) => query(contender, page),
  'an account with balance and 20 entries': (contender) => query(contender, account),
}

/**
 * What a request takes of a machine: processor time of the process and of its database, which does
 * not depend on how busy the machine is, and what stays on the disk. One process, both together.
 */
export async function benchCapacity(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('capacity')
  const url = server.url('capacity')
  await migrate(url)
  await stop(await start('fixtures', url, folder))
  const contender = await start('bankgraph', url, folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    print(`Processor time and disk of a request; ${connections} connections`)
    for (const [what, request] of Object.entries(loads)) {
      await measure(what, request(contender), contender, client)
    }
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where datname = current_database()',
    )
    // The own connection of the benchmark is one of them.
    record({ what: 'connections to the database', value: String(rows[0]!.count - 1) })
    const status = readFileSync(`/proc/${contender.child.pid}/status`, 'utf8')
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)![1])
    record({ what: 'memory after the load (RSS)', value: `${Math.round(kilobytes / 1024)} MB` })
  } finally {
    await client.end()
    await stop(contender)
  }
}

async function measure(
  what: string,
  options: autocannon.Options,
  contender: Contender,
  client: pg.Client,
): Promise<void> {
  await load(options, secondsPerTurn)
  const turns: Usage[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await usage(contender, client)
    const requests = await sent(options)
    const after = await usage(contender, client)
    const each = (name: keyof Usage) => (after[name] - before[name]) / requests
    turns.push({
      process: each('process'),
      database: each('database'),
      bytes: each('bytes'),
      wal: each('wal'),
    })
  }
  const isWrite = what.startsWith('POST')
  const of = (name: keyof Usage) => median(turns.map((turn) => turn[name]))
  const perSecond = 1e6 / (of('process') + of('database'))
  const kept = ['bytes', 'wal'].map((name) => (of(name as keyof Usage) / 1000).toFixed(1))
  const disk = isWrite ? `, ${kept[0]} kB kept, ${kept[1]} kB of WAL` : ''
  record({
    what,
    value: `${of('process').toFixed(0)} µs in the process, ${of('database').toFixed(0)} µs in the database${disk}`,
    peer: `${perSecond.toFixed(0)} a second of a core`,
  })
}

/** Sends a load, and returns how many requests the bank has executed. */
async function sent(options: autocannon.Options): Promise<number> {
  const result = await autocannon({ ...options, duration: secondsPerTurn })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests were refused.`)
  // The last ones are executed after the load has ended.
  await sleep(500)
  return Math.max(1, result.requests.sent)
}

/** Running totals: microseconds of processor time, and bytes. */
interface Usage {
  process: number
  database: number
  bytes: number
  wal: number
}

const sizesSql = `select pg_backend_pid() as pid,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
  (select sum(pg_total_relation_size(c.oid))::float8 from pg_class c
    join pg_namespace s on s.oid = c.relnamespace
    where c.relkind = 'r' and s.nspname not in ('pg_catalog', 'information_schema')) as bytes`

async function usage(contender: Contender, client: pg.Client): Promise<Usage> {
  type Sizes = { pid: number; wal: number; bytes: number }
  const { rows } = await client.query<Sizes>(sizesSql)
  const { pid, ...sizes } = rows[0]!
  return {
    ...sizes,
    process: await cpuMicros(contender),
    database: secondsOfFamily(pid) * 1e6,
  }
}

/** A load of one query. */
function query({ url, token }: Contender, document: string): autocannon.Options {
  return {
    url,
    connections,
    requests: [
      {
        method: 'POST',
        path: '/graphql',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: document }),
      },
    ],
  }
}
