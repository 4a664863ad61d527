import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { hasPooler, Pooler } from '../kit/pooler.ts'
import { record } from './report.ts'
import {
  admin,
  load,
  median,
  post,
  ratio,
  start,
  stop,
  takeTurns,
  type Contender,
} from './turns.ts'

const databases = ['pooler_direct', 'pooler_pooled'] as const
const poolSize = 20

type Load = (contender: Contender) => autocannon.Options

const page =
  '{ notifications(first: 50) { nodes { notificationId status party { displayName } } } }'
const transfer = () => ({
  debtorArrangementId: 'arr_ada_current',
  creditorArrangementId: 'arr_ada_savings',
  amount: { amount: '0.01', currency: 'EUR' },
})

/** One request after the other shows how long each takes, and sixteen at once how much is done. */
const loads: Record<string, Load> = {
  'POST /collateral': (contender) =>
    post(contender, '/collateral', 1, () => ({ collateralType: 'real-estate' })),
  'POST /collateral, 16 connections': (contender) =>
    post(contender, '/collateral', 16, () => ({ collateralType: 'real-estate' })),
  'POST /posting-instructions, 16 connections': (contender) =>
    post(contender, '/posting-instructions', 16, transfer),
  'a page of 50 notifications': (contender) => query(contender, 1),
  'a page of 50 notifications, 16 connections': (contender) => query(contender, 16),
}

/** What requests cost through PgBouncer in transaction mode, beside the same requests without it. */
export async function benchPooler(server: EmbeddedPostgres, folder: string): Promise<void> {
  if (!hasPooler) return
  await server.ensureDatabase('pooler_seed')
  await migrate(server.url('pooler_seed'))
  const seeding = await start('fixtures', server.url('pooler_seed'), folder)
  await load(post(seeding, '/notifications', 4, notification), 1)
  await stop(seeding)
  for (const name of databases) await admin(server, `create database ${name} template pooler_seed`)
  const [directUrl, behindUrl] = databases.map((name) => overTcp(server.url(name)))
  const pooler = await Pooler.start(behindUrl!, { poolSize })
  const contenders: Contender[] = []
  try {
    contenders.push(await start('bankgraph', directUrl!, folder))
    const settings = { DATABASE_DIRECT_URL: behindUrl! }
    contenders.push(await start('bankgraph', pooler.url, folder, settings))
    for (const [what, request] of Object.entries(loads)) await compare(what, request, contenders)
  } finally {
    await Promise.all(contenders.map(stop))
    await pooler.remove()
  }
}

async function compare(
  what: string,
  request: Load,
  contenders: readonly Contender[],
): Promise<void> {
  const sides = contenders.map((contender) => ({
    label: contender.name,
    turn: (seconds: number) => load(request(contender), seconds),
  }))
  const figures = await takeTurns(sides)
  const [direct, pooled] = sides.map((side) => figures.get(side)!)
  record({
    what: `${what}, through a pooler`,
    value: `${median(pooled!).toFixed(0)} /s`,
    peer: `without: ${median(direct!).toFixed(0)} /s`,
    ratio: ratio(pooled!, direct!),
  })
}

const notification = () => ({
  partyId: 'pty_ada',
  channel: 'secure-message',
  templateCode: 'tpl_welcome',
  sendAt: new Date(Date.now() + 86_400_000).toISOString(),
})

const query = ({ url, token }: Contender, connections: number): autocannon.Options => ({
  url: `${url}/graphql`,
  connections,
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ query: page }),
})

/** The URL of a database over TCP: a pooler is on another machine. */
function overTcp(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  return url.href
}
