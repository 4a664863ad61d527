import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import {
  admin,
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
    const sides = contenders.map(({ name, url, token }): Side => ({
      label: name,
      turn: (seconds) =>
        load(
          {
            url: `${url}/agreements`,
            connections: 16,
            headers: { authorization: `Bearer ${token}` },
          },
          seconds,
        ),
    }))
    const figures = await takeTurns(sides)
    const [own, unverified] = sides.map((side) => figures.get(side)!) as [number[], number[]]
    const cost = 1 - ratio(own, unverified)
    console.log('GET /agreements, 16 connections')
    console.log(`  with a verified token      ${median(own).toFixed(0)}/s`)
    console.log(`  without any verification   ${median(unverified).toFixed(0)}/s`)
    console.log(
      `  the verification costs ${(cost * 100).toFixed(1)} % of the request; limit ${limit * 100} %`,
    )
  } finally {
    await Promise.all(contenders.map(stop))
  }
}
