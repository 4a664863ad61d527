import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { record } from './report.ts'
import {
  cpuMicros,
  load,
  lowerQuartile,
  rounds,
  secondsPerTurn,
  start,
  stop,
  post,
  tell,
  type Contender,
} from './turns.ts'

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
 * Compares the processor time of a request with and without a part of the work. Turns are short and
 * many, because the part takes less than the machine varies. Other programs on the machine only add
 * to the time of a turn, so the lower quartiles are compared.
 */
async function benchCost(server: EmbeddedPostgres, folder: string, cost: Cost): Promise<void> {
  const { work, request, including = 'all', without, limit } = cost
  const database = `bench_${including}_${without}`.replaceAll(' ', '_')
  await server.ensureDatabase(database)
  await migrate(server.url(database))
  const contender = await start('bankgraph-in-part', server.url(database), folder)
  try {
    const seconds = Math.max(1, secondsPerTurn - 1)
    const figures: Record<string, number[]> = { [including]: [], [without]: [] }
    for (let turn = 0; turn <= rounds * 6; turn++) {
      const modes = turn % 2 ? [including, without] : [without, including]
      for (const mode of modes) {
        await tell(contender, mode)
        const micros = await microsPerRequest(contender, cost.load(contender), seconds)
        if (turn > 0) figures[mode]!.push(micros)
      }
    }
    const [all, rest] = [lowerQuartile(figures[including]!), lowerQuartile(figures[without]!)]
    const share = 1 - rest / all
    record({
      what: `${work}, of ${request}`,
      value: `${(share * 100).toFixed(1)} %`,
      peer: `${all.toFixed(0)} µs with it and ${rest.toFixed(0)} µs without`,
      ratio: share,
      goal: `at most ${limit}`,
      isMet: share <= limit,
    })
  } finally {
    await stop(contender)
  }
}

async function microsPerRequest(
  contender: Contender,
  options: autocannon.Options,
  seconds: number,
): Promise<number> {
  const usedBefore = await cpuMicros(contender)
  const perSecond = await load(options, seconds)
  return ((await cpuMicros(contender)) - usedBefore) / (perSecond * seconds)
}
