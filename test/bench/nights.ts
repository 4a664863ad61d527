import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { addDays, dateOf, type LocalDate } from '../../kernel/domain/dates.ts'
import { secondsOfFamily } from './idle.ts'
import { copySeeds, seeds } from './nights-data.ts'
import { record } from './report.ts'
import { admin, cpuMicros, isSmoke, start, stop, type Contender } from './turns.ts'

const counts = isSmoke ? [20, 60] : [3000, 30_000]
const goal = 1.3
const maxFailureMs = 600_000
/** Each look reads the positions, so that more of them would be part of what is measured. */
const pollMs = isSmoke ? 20 : 500

/** The tables that show how far a night is. */
const isBehindSql = `select exists (select from interest.position where is_bearing and accrued_through < $1)
  or exists (select from interest.overdraft_position where accrued_through < $1)
  or exists (select from lending.facility where state = 'active' and closed_through < $1) as "isBehind"`

/** How long a night took, and the processor time of the process and of its database. */
interface Night {
  seconds: number
  processSeconds: number
  databaseSeconds: number
}

/**
 * What a night costs for each account in banks of different sizes: the interest of savings accounts
 * and overdrafts, and the end of day of loans, by one process. Two nights are measured: the last one
 * of a month, which pays the interest, and the first one of the next month.
 */
export async function benchNights(
  server: EmbeddedPostgres,
  folder: string,
  rows: number | null,
): Promise<void> {
  await server.ensureDatabase('nights_seed')
  await migrate(server.url('nights_seed'))
  const seeding = await start('nights', server.url('nights_seed'), folder)
  const { now } = await environmentOf(seeding)
  const monthEnd = addDays(firstOfNextMonth(dateOf(new Date(now))), -1)
  await advance(seeding, monthEnd)
  await stop(seeding)
  const nights = { 'the last night of a month': 1, 'another night': 2 }
  const measured = new Map<number, Night[]>()
  for (const count of rows === null ? counts : [...counts, rows]) {
    await admin(server, `create database nights_${count} template nights_seed`)
    const url = server.url(`nights_${count}`)
    await copySeeds(url, count)
    const contender = await start('nights', url, folder)
    try {
      const figures: Night[] = []
      for (const days of Object.values(nights)) {
        figures.push(await measureNight(contender, url, addDays(monthEnd, days)))
      }
      measured.set(count, figures)
    } finally {
      await stop(contender)
    }
    await admin(server, `drop database nights_${count}`)
  }
  for (const [index, night] of Object.keys(nights).entries()) {
    report(night, new Map([...measured].map(([count, figures]) => [count, figures[index]!])))
  }
}

function report(night: string, figures: ReadonlyMap<number, Night>): void {
  const [least, ...larger] = [...figures].map(([count, figure]) => ({
    accounts: count * Object.keys(seeds).length,
    ...figure,
  }))
  const costOf = ({ accounts, processSeconds, databaseSeconds }: typeof least & object) =>
    (processSeconds + databaseSeconds) / accounts
  for (const each of larger) {
    const { accounts, seconds, processSeconds, databaseSeconds } = each
    const ratio = costOf(each) / costOf(least!)
    record({
      what: `${night}, ${accounts.toLocaleString('en')} accounts and loans`,
      value:
        `${rate(accounts, seconds)} a second; processor time ${micros(processSeconds / accounts)} ` +
        `each, and ${micros(databaseSeconds / accounts)} in the database`,
      peer: `processor time ${micros(costOf(least!))} each of ${least!.accounts.toLocaleString('en')}`,
      ratio,
      goal: `at most ${goal}`,
      isMet: ratio <= goal,
    })
  }
}

const rate = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en')
const micros = (seconds: number) => `${Math.round(seconds * 1e6).toLocaleString('en')} µs`

async function measureNight(contender: Contender, url: string, day: LocalDate): Promise<Night> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const [processBefore, databaseBefore] = [
      await cpuMicros(contender),
      await serverSeconds(client),
    ]
    const from = performance.now()
    const advanced = advance(contender, day)
    while (await isBehind(client, addDays(day, -1))) await sleep(pollMs)
    const seconds = (performance.now() - from) / 1000
    await advanced
    return {
      seconds,
      processSeconds: ((await cpuMicros(contender)) - processBefore) / 1e6,
      databaseSeconds: (await serverSeconds(client)) - databaseBefore,
    }
  } finally {
    await client.end()
  }
}

async function isBehind(client: pg.Client, ended: LocalDate): Promise<boolean> {
  const { rows } = await client.query<{ isBehind: boolean }>(isBehindSql, [ended])
  return rows[0]!.isBehind
}

/** The processor time that all processes of the database server have used. */
async function serverSeconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return secondsOfFamily(rows[0]!.pid)
}

const firstOfNextMonth = (day: LocalDate): LocalDate =>
  `${addDays(`${day.slice(0, 8)}01`, 31).slice(0, 8)}01`

/** Moves the clock of the bank to shortly after midnight of a day, and waits until it has caught up. */
export async function advance(contender: Contender, day: LocalDate): Promise<void> {
  const to = `${day}T00:10:00Z`
  await query(contender, `mutation { advanceClock(to: "${to}") { now } }`)
  let failedAt: number | null = null
  for (;;) {
    const { clockAdvance } = await environmentOf(contender)
    if (clockAdvance?.status === 'COMPLETED') return
    if (clockAdvance?.status !== 'FAILED') failedAt = null
    else failedAt ??= performance.now()
    // A job that ran out of time on a busy machine runs again.
    const failedMs = failedAt === null ? 0 : performance.now() - failedAt
    if (failedMs > maxFailureMs) throw new Error(JSON.stringify(clockAdvance))
    await sleep(200)
  }
}

interface Environment {
  now: string
  clockAdvance: { status: string; waitingFor: string[] } | null
}

async function environmentOf(contender: Contender): Promise<Environment> {
  const text = '{ environment { now clockAdvance { status waitingFor failures { job detail } } } }'
  return (await query<{ environment: Environment }>(contender, text)).environment
}

async function query<Data>({ url, token }: Contender, text: string): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
