import type autocannon from 'autocannon'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { print, record } from './report.ts'
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
    print(`32 and 16 connections, ${rounds} rounds of ${secondsPerTurn} s each`)
    await compare('POST /notifications', createLoad(bankgraph), [
      { peer: 'bare Fastify + pg, one statement', options: createLoad(bare), goal: 0.85 },
      { peer: 'Fastify + Prisma, one transaction', options: createLoad(interactive), goal: 5 },
    ])
    await compare('page of 50 with parties', readLoad(bankgraph), [
      { peer: 'one SQL join behind bare Fastify', options: readLoad(bare), goal: 0.4 },
    ])
  } finally {
    await Promise.all(contenders.map(stop))
  }
}

/** Another program for the same work, and how many times its figure ours should be. */
interface Peer {
  peer: string
  options: autocannon.Options
  goal: number
}

async function compare(what: string, own: autocannon.Options, peers: readonly Peer[]) {
  const side = (label: string, options: autocannon.Options): Side => ({
    label,
    turn: (seconds) => load(options, seconds),
  })
  const sides = [side(what, own), ...peers.map(({ peer, options }) => side(peer, options))]
  const figures = await takeTurns(sides)
  const [ours, ...theirs] = sides.map((each) => figures.get(each)!)
  peers.forEach(({ peer, goal }, index) => {
    const times = ratio(ours!, theirs[index]!)
    record({
      what,
      value: `${median(ours!).toFixed(0)} /s`,
      peer: `${peer}: ${median(theirs[index]!).toFixed(0)} /s`,
      ratio: times,
      goal: `at least ${goal}`,
      isMet: times >= goal,
    })
  })
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
