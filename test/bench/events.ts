import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import {
  median,
  ratio,
  rounds,
  secondsPerTurn,
  start,
  stop,
  takeTurns,
  type Contender,
  type Side,
} from './turns.ts'

const subscribers = 500
const perSecond = 50
const stalledShare = 0.1
const p99GoalMs = 500
const stalledGoalMegabytes = 50
let serial = 0

/** Events reaching 500 sockets, beside the same payloads sent to as many from memory. */
export async function benchEvents(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('bench_events')
  const url = server.url('bench_events')
  await migrate(url)
  const contenders = [await start('fan-out', url, folder), await start('event-desk', url, folder)]
  try {
    const [memory, bank] = (await Promise.all(contenders.map(fill))) as [Audience, Audience]
    console.log(
      `\n${subscribers} subscribers, ${perSecond} events a second, ${rounds} rounds of ` +
        `${secondsPerTurn} s each: p99 from the event's time, before its commit, to the client`,
    )
    await compare('in-memory fan-out', 'bankgraph', memory, bank)
    const before = residentMegabytes(bank.contender)
    const stalled = subscribers * stalledShare
    for (const { sockets } of [memory, bank]) {
      for (const socket of sockets.slice(0, stalled)) socket.pause()
    }
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, residentMegabytes(bank.contender))
    }, 1000)
    await compare('in-memory fan-out, 10 % stalled', 'bankgraph, 10 % stalled', memory, bank)
    clearInterval(watching)
    console.log(
      `  bankgraph holds ${before.toFixed(0)} MB with all reading, and at most ` +
        `${(most - before).toFixed(0)} MB more with ${stalled} stalled (goal ${stalledGoalMegabytes})`,
    )
    for (const { sockets } of [memory, bank]) for (const each of sockets) each.terminate()
  } finally {
    await Promise.all(contenders.map(stop))
  }
}

/** A contender with its subscribers, and what they have heard in this turn. */
interface Audience {
  contender: Contender
  sockets: WebSocket[]
  latenciesMs: number[]
}

async function fill(contender: Contender): Promise<Audience> {
  const audience: Audience = { contender, sockets: [], latenciesMs: [] }
  for (let at = 0; at < subscribers; at++) {
    const token = contender.tokens[at % contender.tokens.length]!
    audience.sockets.push(await subscriber(contender.url, token, audience.latenciesMs))
  }
  return audience
}

/** Answers when it listens. */
async function subscriber(url: string, token: string, latenciesMs: number[]): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const say = (message: object) => socket.send(JSON.stringify(message))
  const payload = { authorization: `Bearer ${token}` }
  const query = 'subscription { businessEvents { position type subjectId time } }'
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => say({ type: 'connection_init', payload }))
    socket.on('close', (code) => reject(new Error(`A subscriber was closed with ${code}.`)))
    socket.on('message', (data) => {
      const text = (data as Buffer).toString()
      // Parsing 25,000 frames a second would be measured with them.
      const at = text.indexOf('"time":"')
      if (at > 0) latenciesMs.push(Date.now() - Date.parse(text.slice(at + 8, at + 32)))
      else if (text.includes('connection_ack')) {
        say({ id: 'one', type: 'subscribe', payload: { query } })
        resolve()
      } else reject(new Error(text))
    })
  })
  return socket
}

async function compare(
  limitLabel: string,
  ownLabel: string,
  memory: Audience,
  bank: Audience,
): Promise<void> {
  const limit = side(limitLabel, memory)
  const own = side(ownLabel, bank)
  const figures = await takeTurns([limit, own])
  const [limits, owns] = [figures.get(limit)!, figures.get(own)!]
  console.log(`  ${limitLabel.padEnd(48)} ${median(limits).toFixed(0).padStart(6)} ms`)
  console.log(
    `  ${ownLabel.padEnd(48)} ${median(owns).toFixed(0).padStart(6)} ms (goal ${p99GoalMs})` +
      `   this / in memory = ${ratio(owns, limits).toFixed(2)}`,
  )
}

function side(label: string, { contender, sockets, latenciesMs }: Audience): Side {
  return {
    label,
    async turn(seconds) {
      latenciesMs.length = 0
      const listening = sockets.filter(
        (socket) => !socket.isPaused && socket.readyState === WebSocket.OPEN,
      )
      const events = perSecond * seconds
      const startedAt = Date.now()
      const telling: Promise<void>[] = []
      // At its times whatever came of those before: a slow contender gets no rest.
      for (let at = 0; at < events; at++) {
        await sleep(Math.max(0, startedAt + (at * 1000) / perSecond - Date.now()))
        telling.push(tell(contender))
      }
      await Promise.all(telling)
      const expected = events * listening.length
      for (const until = Date.now() + 5000; latenciesMs.length < expected; await sleep(20)) {
        if (Date.now() > until) throw new Error(`${latenciesMs.length} of ${expected} came.`)
      }
      const sorted = [...latenciesMs].sort((a, b) => a - b)
      return Math.max(1, sorted[Math.floor(sorted.length * 0.99)]!)
    },
  }
}

async function tell({ url, token }: Contender): Promise<void> {
  const query = `mutation ($id: ID!) {
    createParty(input: { partyId: $id, kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id: `pty_${++serial}` } }),
  })
  const { errors } = (await answer.json()) as { errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]!.message)
}

function residentMegabytes({ child }: Contender): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)]).toString()
  return Number(kilobytes) / 1024
}
