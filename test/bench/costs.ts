import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { record } from './report.ts'
import {
  cpuMicros,
  isSmoke,
  median,
  post,
  ratio,
  rounds,
  start,
  steadyLoad,
  stop,
  tell,
  type Contender,
  type SteadyLoad,
} from './turns.ts'

const turnMs = 300
const pairsPerRound = isSmoke ? 2 : 40
const warmUpPairs = isSmoke ? 1 : 20
const profileMs = isSmoke ? 500 : 5000

/** A part of the work of a request, measured by leaving it out. */
interface Cost {
  work: string
  request: string
  /** The message after which the platform does this work; `all` by default. */
  including?: string
  /** The message after which the platform leaves this work out. */
  without: string
  /** How much of a request the work may take. */
  limit: number
  /**
   * Whether the share of the work in a CPU profile is measured, too. It hardly changes from process
   * to process, but it leaves out the garbage collector and what the database takes from the caches.
   */
  isProfiled?: boolean
  load(contender: Contender): autocannon.Options
}

/** What it costs to know the caller of a token that was verified before: the smallest documented read. */
const verification: Cost = {
  work: 'the verification of a known token',
  request: 'GET /agreements',
  without: 'without verification',
  limit: 0.05,
  load: ({ url, token }) => ({
    url: `${url}/agreements`,
    connections: 16,
    headers: { authorization: `Bearer ${token}` },
  }),
}

/** What it costs to log the requests of clients: the smallest documented write. */
const requestLog: Cost = {
  work: 'the log of requests',
  request: 'POST /collateral',
  without: 'without log',
  limit: 0.03,
  isProfiled: true,
  load: (contender) =>
    post(contender, '/collateral', 16, () => ({ collateralType: 'real-estate' })),
}

/** What it costs to trace the requests of clients and to record one of a hundred. */
const traces: Cost = {
  work: 'tracing with 1 % of the traces recorded',
  request: 'POST /collateral',
  including: 'with traces',
  without: 'all',
  limit: 0.03,
  load: requestLog.load,
}

export const benchTraces = (server: EmbeddedPostgres, folder: string) =>
  benchCost(server, folder, traces)

export const benchTokens = (server: EmbeddedPostgres, folder: string) =>
  benchCost(server, folder, verification)

export const benchRequestLog = (server: EmbeddedPostgres, folder: string) =>
  benchCost(server, folder, requestLog)

/**
 * Compares the processor time of a request with and without a part of the work, under a load that
 * does not pause. A machine changes its speed from second to second by more than a part costs,
 * so turns are short, each is compared with the one beside it, and the median of many such
 * pairs counts. Two processes of the same program differ by as much, so each round is a process of
 * its own, and the median of the rounds counts.
 */
async function benchCost(server: EmbeddedPostgres, folder: string, cost: Cost): Promise<void> {
  const { work, request, including = 'all', without, limit, isProfiled } = cost
  const database = `bench_${including}_${without}`.replaceAll(' ', '_')
  await server.ensureDatabase(database)
  await migrate(server.url(database))
  const results: ProcessFigures[] = []
  for (let round = 0; round < rounds; round++) {
    results.push(await benchProcess(server.url(database), folder, cost))
  }
  const micros = (side: 'all' | 'rest') => median(results.map((each) => each[side])).toFixed(0)
  const shares = results.map(({ share }) => share)
  record({
    what: `${work}, of ${request}`,
    value: inPercent(shares),
    peer: `${micros('all')} µs with it and ${micros('rest')} µs without`,
    ...verdictOf(shares, limit),
  })
  if (!isProfiled) return
  const profiled = results.map((each) => each.profiled!)
  record({
    what: `${work}, in a CPU profile of ${request}`,
    value: inPercent(profiled),
    ...verdictOf(profiled, limit),
  })
}

function inPercent(shares: readonly number[]): string {
  const sorted = [...shares].sort((a, b) => a - b)
  const [middle, min, max] = [median(sorted), sorted[0]!, sorted.at(-1)!].map(
    (share) => `${(share * 100).toFixed(1)} %`,
  )
  return `${middle} (${min} to ${max})`
}

function verdictOf(shares: readonly number[], limit: number) {
  const share = median(shares)
  return { ratio: share, goal: `at most ${limit}`, isMet: share <= limit }
}

/** What one process needs for a request, in microseconds, and the share of the measured part. */
interface ProcessFigures {
  share: number
  all: number
  rest: number
  profiled: number | null
}

async function benchProcess(
  databaseUrl: string,
  folder: string,
  { including = 'all', without, isProfiled, load: loadOf }: Cost,
): Promise<ProcessFigures> {
  const contender = await start('bankgraph-in-part', databaseUrl, folder)
  try {
    const load = steadyLoad(loadOf(contender))
    const figures = new Map<string, number[]>([including, without].map((mode) => [mode, []]))
    for (let pair = -warmUpPairs; pair < pairsPerRound; pair++) {
      for (const mode of pair % 2 ? [including, without] : [without, including]) {
        const micros = await microsPerRequest(contender, mode, load)
        if (pair >= 0) figures.get(mode)!.push(micros)
      }
    }
    const profiled = isProfiled ? await profiledShare(contender, including) : null
    await load.stop()
    const [all, rest] = [figures.get(including)!, figures.get(without)!]
    return { share: 1 - ratio(rest, all), all: median(all), rest: median(rest), profiled }
  } finally {
    await stop(contender)
  }
}

/** Returns the processor time of a request in a mode, in microseconds. */
async function microsPerRequest(
  contender: Contender,
  mode: string,
  load: SteadyLoad,
): Promise<number> {
  await tell(contender, mode)
  // What the former mode has begun ends.
  await sleep(turnMs / 10)
  const [usedBefore, answeredBefore] = [await cpuMicros(contender), load.answered]
  await sleep(turnMs)
  const [used, answered] = [await cpuMicros(contender), load.answered]
  return (used - usedBefore) / (answered - answeredBefore)
}

/**
 * Returns the share of the work in the busy time of the process, by samples of its stack. Throws an
 * Error if no sample was in it: then its functions have other names than the contender looks for.
 */
async function profiledShare(contender: Contender, mode: string): Promise<number> {
  await tell(contender, mode)
  await tell(contender, 'start profile')
  await sleep(profileMs)
  await tell(contender, 'end profile')
  const [{ share }] = (await once(contender.child, 'message')) as [{ share: number }]
  if (share === 0 && !isSmoke) throw new Error('No sample of the profile was in the work.')
  return share
}
