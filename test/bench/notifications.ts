import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import {
  admin,
  load,
  median,
  post,
  ratio,
  rounds,
  secondsPerTurn,
  start,
  stop,
  takeTurns,
  type Contender,
  type Side,
} from './turns.ts'
import { readQuery } from './work.ts'

const parties = 50
let serial = 0

/** One write and one read through everything, beside what a bare route does on the same database. */
export async function benchNotifications(server: EmbeddedPostgres, folder: string): Promise<void> {
  const contenders = await startAll(server, folder)
  try {
    const [bankgraph, bare, interactive] = contenders as [Contender, Contender, Contender]
    console.log(`POST /notifications, 32 connections, ${rounds} rounds of ${secondsPerTurn} s each`)
    await compare([
      side('bankgraph: facade, gateway, subgraph, commit', createLoad(bankgraph)),
      side('(a) bare Fastify + pg, one statement', createLoad(bare)),
      side('(b) Fastify + Prisma, interactive transaction', createLoad(interactive)),
    ])
    console.log('\n50 notifications with their parties, 16 connections')
    await compare([
      side('bankgraph: federated query over HTTP', readLoad(bankgraph)),
      side('one SQL join behind bare Fastify', readLoad(bare)),
    ])
  } finally {
    await Promise.all(contenders.map(stop))
  }
}

function side(label: string, options: autocannon.Options): Side {
  return { label, turn: (seconds) => load(options, seconds) }
}

async function compare(sides: readonly Side[]): Promise<void> {
  const figures = await takeTurns(sides)
  const own = figures.get(sides[0]!)!
  for (const { label } of sides.slice(0, 1)) printLine(label, own, '')
  for (const other of sides.slice(1)) {
    const all = figures.get(other)!
    printLine(other.label, all, `   bankgraph / this = ${ratio(own, all).toFixed(2)}`)
  }
}

function printLine(label: string, figures: readonly number[], note: string): void {
  console.log(`  ${label.padEnd(48)} ${median(figures).toFixed(0).padStart(6)}/s${note}`)
}

/** Contenders start one after another on copies of one seeded database. */
async function startAll(server: EmbeddedPostgres, folder: string): Promise<Contender[]> {
  await server.ensureDatabase('bench_seed')
  const seed = server.url('bench_seed')
  await migrate(seed)
  const seeding = await start('bankgraph', seed, folder)
  await seedThrough(seeding)
  await stop(seeding)
  const contenders: Contender[] = []
  for (const name of ['bankgraph', 'bare', 'interactive']) {
    await admin(server, `create database bench_${name} template bench_seed`)
    contenders.push(await start(name, server.url(`bench_${name}`), folder))
  }
  return contenders
}

/** Parties and a template, made through the platform's own operations. */
export async function seedThrough({ url, token }: Contender): Promise<void> {
  const queryGraph = async (query: string, variables: object) => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { errors } = (await answer.json()) as { errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
  }
  for (let at = 0; at < parties; at++) {
    await queryGraph(
      `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON, givenName: "A", familyName: "B",
        contactPoints: [{ channel: SECURE_MESSAGE, address: "inbox", verified: true }] }) { partyId } }`,
      { id: `pty_${at}` },
    )
  }
  await queryGraph(
    `mutation { createNotificationTemplate(input: { templateId: "tpl_bench", channel: SECURE_MESSAGE,
      status: "active" }) { templateId } }`,
    {},
  )
}

/** Each with a key of its own; due tomorrow, so that delivery is not part of what is measured. */
function createLoad(contender: Contender): autocannon.Options {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  return post(contender, '/notifications', 32, () => ({
    partyId: `pty_${++serial % parties}`,
    channel: 'secure-message',
    templateCode: 'tpl_bench',
    personalization: { name: 'Ada' },
    sendAt,
  }))
}

export function readLoad({ name, url, token }: Contender): autocannon.Options {
  if (name === 'bare') return { url: `${url}/notifications`, connections: 16 }
  return {
    url: `${url}/graphql`,
    connections: 16,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: readQuery }),
  }
}
