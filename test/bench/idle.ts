import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { freePort } from '../kit/free-port.ts'
import { record } from './report.ts'
import { isSmoke } from './turns.ts'

const goals = { percentOfCore: 1, residentMegabytes: 350 }
/** After the start, V8 gives back what the start has used, all workers run once, and PostgreSQL analyzes the new tables. */
const settleSeconds = isSmoke ? 1 : 140
const seconds = isSmoke ? 2 : 60
/** Linux counts the processor time of a process in hundredths of a second. */
const ticksPerSecond = 100

/** What a process with both environments costs while nobody calls it, as `npm start` starts it. */
export async function benchIdle(server: EmbeddedPostgres, folder: string): Promise<void> {
  if (!existsSync('/proc/self/stat')) return console.log('idle: skipped, because there is no /proc')
  const databases = ['idle_live', 'idle_sandbox'] as const
  for (const name of databases) await server.ensureDatabase(name)
  const child = spawn('npm', ['start', '--ignore-scripts', '--silent'], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'idle'),
      DATABASE_URL: server.url(databases[0]),
      SANDBOX_DATABASE_URL: server.url(databases[1]),
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
    },
  })
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('ready ')) break
    await sleep(settleSeconds * 1000)
    const pid = nodeBelow(child.pid!)
    const [ticks, commits] = [ticksOf(pid), await commitsOf(server, databases)]
    await sleep(seconds * 1000)
    const percent = ((ticksOf(pid) - ticks) / ticksPerSecond / seconds) * 100
    const committed = (await commitsOf(server, databases)) - commits
    const megabytes = Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))![1]) / 1024
    record({
      what: 'processor time of an idle process, both environments',
      value: `${percent.toFixed(2)} % of a core`,
      ratio: percent / goals.percentOfCore,
      goal: `less than ${goals.percentOfCore} %`,
      isMet: percent < goals.percentOfCore,
    })
    record({
      what: 'memory of an idle process (RSS)',
      value: `${megabytes.toFixed(0)} MB`,
      ratio: megabytes / goals.residentMegabytes,
      goal: `less than ${goals.residentMegabytes} MB`,
      isMet: megabytes < goals.residentMegabytes,
    })
    record({
      what: 'transactions a second in each database',
      value: (committed / seconds / databases.length).toFixed(2),
    })
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8')

/** The processor time that a process has used. */
function ticksOf(pid: number): number {
  const fields = fieldsOf(pid)
  return Number(fields[11]) + Number(fields[12])
}

const fieldsOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')

/** The processor time of a process, in seconds. */
export const secondsOf = (pid: number): number => ticksOf(pid) / ticksPerSecond

/**
 * The processor time, in seconds, of the parent of a process and of all processes that it has started,
 * also of those that have ended; 0 without /proc.
 */
export function secondsOfFamily(pid: number): number {
  if (!existsSync('/proc/self/stat')) return 0
  const parent = Number(fieldsOf(pid)[1])
  // What the ended children of a process have used is in its fields cutime and cstime (proc(5)).
  const [userOfEnded, systemOfEnded] = fieldsOf(parent).slice(13, 15).map(Number)
  let ticks = ticksOf(parent) + userOfEnded! + systemOfEnded!
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      if (Number(fieldsOf(Number(name))[1]) === parent) ticks += ticksOf(Number(name))
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / ticksPerSecond
}

/** The program below npm and its shell. */
function nodeBelow(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? pid : nodeBelow(Number(children.split(' ')[0]))
}

async function commitsOf(server: EmbeddedPostgres, names: readonly string[]): Promise<number> {
  const client = new pg.Client(server.url('postgres'))
  await client.connect()
  const { rows } = await client.query<{ commits: string }>(
    'select sum(xact_commit) as commits from pg_stat_database where datname = any($1)',
    [names],
  )
  await client.end()
  return Number(rows[0]!.commits)
}
