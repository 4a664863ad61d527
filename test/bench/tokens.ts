import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import {
  admin,
  cpuMicros,
  load,
  median,
  ratio,
  start,
  stop,
  takeTurns,
  type Contender,
  type Side,
} from './turns.ts'

/** How much of a request the verification of a token may take that was verified before. */
const limit = 0.05

/**
 * The smallest documented read, with tokens and without their verification. What it costs to know the
 * caller of a token again is the difference.
 */
export async function benchTokens(server: EmbeddedPostgres, folder: string): Promise<void> {
  const contenders: Contender[] = []
  try {
    await server.ensureDatabase('bench_tokens')
    await migrate(server.url('bench_tokens'))
    for (const name of ['bankgraph', 'bankgraph-unverified']) {
      const database = `bench_tokens_${contenders.length}`
      await admin(server, `create database ${database} template bench_tokens`)
      contenders.push(await start(name, server.url(database), folder))
    }
    const sides = contenders.map((contender): Side => ({
      label: contender.name,
      turn: turnOf(contender),
    }))
    const figures = await takeTurns(sides)
    const [own, unverified] = sides.map((side) => figures.get(side)!) as [number[], number[]]
    const cost = 1 - ratio(own, unverified)
    console.log('GET /agreements, 16 connections, requests per second of processor time')
    console.log(`  with a verified token      ${median(own).toFixed(0)}`)
    console.log(`  without any verification   ${median(unverified).toFixed(0)}`)
    console.log(
      `  the verification costs ${(cost * 100).toFixed(1)} % of the request; limit ${limit * 100} %`,
    )
  } finally {
    await Promise.all(contenders.map(stop))
  }
}

/** Returns the requests that a contender answers per second of its processor time. */
function turnOf(contender: Contender): Side['turn'] {
  const { url, token } = contender
  const headers = { authorization: `Bearer ${token}` }
  return async (seconds) => {
    const usedBefore = await cpuMicros(contender)
    const perSecond = await load({ url: `${url}/agreements`, connections: 16, headers }, seconds)
    return (perSecond * seconds * 1e6) / ((await cpuMicros(contender)) - usedBefore)
  }
}
