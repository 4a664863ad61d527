import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { readLoad, seedThrough } from './notifications.ts'
import { print, record } from './report.ts'
import { load, median, post, ratio, start, stop, takeTurns, type Contender } from './turns.ts'

const goal = 3
let serial = 0

/** A page of fifty notifications with their parties, beside the stock gateway on the same subgraphs. */
export async function benchFederation(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('bench_federation')
  const url = server.url('bench_federation')
  await migrate(url)
  const contenders: Contender[] = []
  try {
    contenders.push(await start('bankgraph', url, folder))
    await seedThrough(contenders[0]!)
    await load(notifications(contenders[0]!), 1)
    contenders.push(await start('stock-gateway', url, folder))
    print('A page of 50 notifications with their parties, 16 connections')
    const sides = contenders.map((each) => ({
      label: each.name,
      turn: (seconds: number) => load(readLoad(each), seconds),
    }))
    const figures = await takeTurns(sides)
    const [own, stock] = sides.map((side) => figures.get(side)!) as [number[], number[]]
    const times = ratio(own, stock)
    record({
      what: 'pages a second',
      value: `${median(own).toFixed(0)} /s`,
      peer: `stock @apollo/gateway with @apollo/server: ${median(stock).toFixed(0)} /s`,
      ratio: times,
      goal: `at least ${goal}`,
      isMet: times >= goal,
    })
  } finally {
    await Promise.all(contenders.map(stop))
  }
}

function notifications(bank: Contender) {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  return post(bank, '/notifications', 8, () => ({
    partyId: `pty_${++serial % 50}`,
    channel: 'secure-message',
    templateCode: 'tpl_bench',
    sendAt,
  }))
}
