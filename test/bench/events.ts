import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { print, record } from './report.ts'
import {
  cpuMicros,
  isRunning,
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
/** Of the same messages sent from memory by sockets alone. */
const goalOfPeer = 2.5
const stalledGoalMegabytes = 50
/** Without a single event for so long, the rest is lost and not late. */
const lostAfterMs = 15_000
let serial = 0

/** Events reaching 500 sockets, beside the same payloads sent to as many from memory. */
export async function benchEvents(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.ensureDatabase('bench_events')
  const url = server.url('bench_events')
  await migrate(url)
  const contenders: Contender[] = []
  try {
    contenders.push(await start('fan-out', url, folder))
    contenders.push(await start('event-publisher', url, folder))
    const [memory, bank] = (await Promise.all(contenders.map(fill))) as [Audience, Audience]
    print(
      `${subscribers} subscribers, ${perSecond} events a second, ${rounds} rounds of ` +
        `${secondsPerTurn} s each: p99 from the event's time, before its commit, to the client`,
    )
    await compare('in-memory fan-out', 'bankgraph', memory, bank)
    const before = residentMegabytes(bank.contender)
    const stalled = subscribers * stalledShare
    for (const { sockets } of [memory, bank]) {
      for (const socket of sockets.slice(0, stalled)) socket.pause()
    }
    let peak = before
    const watching = setInterval(() => {
      peak = Math.max(peak, residentMegabytes(bank.contender))
    }, 1000)
    await compare('in-memory fan-out, 10 % stalled', 'bankgraph, 10 % stalled', memory, bank)
    clearInterval(watching)
    const more = Math.max(0, peak - before)
    record({
      what: `memory for ${stalled} clients that stopped reading`,
      value: `${more.toFixed(0)} MB more than ${before.toFixed(0)} MB`,
      ratio: more / stalledGoalMegabytes,
      goal: `at most ${stalledGoalMegabytes} MB`,
      isMet: more <= stalledGoalMegabytes,
    })
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
  /** What went wrong, in words, and how often: closes, failed commands. */
  troubles: Map<string, number>
  /** Of each turn: processor time of the contender for a message, everything included. */
  microsPerMessage: number[]
}

async function fill(contender: Contender): Promise<Audience> {
  const audience: Audience = {
    contender,
    sockets: [],
    latenciesMs: [],
    troubles: new Map(),
    microsPerMessage: [],
  }
  for (let at = 0; at < subscribers; at++) audience.sockets.push(await subscriber(audience, at))
  return audience
}

/** Answers when it listens. Like those of real clients, its subscription has an id of its own. */
async function subscriber(audience: Audience, at: number): Promise<WebSocket> {
  const { url, tokens } = audience.contender
  const { latenciesMs } = audience
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const post = (message: object) => socket.send(JSON.stringify(message))
  const payload = { authorization: `Bearer ${tokens[at % tokens.length]!}` }
  const query = 'subscription { businessEvents { position type subjectId time } }'
  socket.on('error', ({ message }) => note(audience, `a socket failed: ${message}`))
  socket.on('close', (code, reason) => note(audience, `closed with ${code} ${String(reason)}`))
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => post({ type: 'connection_init', payload }))
    socket.on('close', (code) => reject(new Error(`A subscriber was closed with ${code}.`)))
    socket.on('message', (data) => {
      const text = (data as Buffer).toString()
      // Parsing 25,000 frames a second would be measured with them.
      const from = text.indexOf('"time":"')
      if (from > 0) latenciesMs.push(Date.now() - Date.parse(text.slice(from + 8, from + 32)))
      else if (text.includes('connection_ack')) {
        post({ id: `subscription-${at}`, type: 'subscribe', payload: { query } })
        resolve()
      } else note(audience, `said ${text.slice(0, 200)}`)
    })
  })
  return socket
}

function note({ troubles }: Audience, trouble: string): void {
  troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1)
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
  const times = ratio(owns, limits)
  record({
    what: `${ownLabel}: p99`,
    value: `${median(owns).toFixed(0)} ms, ${cost(bank)}`,
    peer: `${limitLabel}: ${median(limits).toFixed(0)} ms, ${cost(memory)}`,
    ratio: times,
    goal: `at most ${goalOfPeer}, and ${p99GoalMs} ms`,
    isMet: times <= goalOfPeer && median(owns) <= p99GoalMs,
  })
}

/** The processor time of a message, all that its process did taken together. Forgets what it has told. */
function cost({ microsPerMessage }: Audience): string {
  // The first turn warmed up.
  return `${median(microsPerMessage.splice(0).slice(1)).toFixed(1)} µs of CPU a message`
}

function side(label: string, audience: Audience): Side {
  const { contender, sockets, latenciesMs } = audience
  return {
    label,
    async turn(seconds) {
      latenciesMs.length = 0
      const usedBefore = await cpuMicros(contender)
      const listening = sockets.filter(
        (socket) => !socket.isPaused && socket.readyState === WebSocket.OPEN,
      )
      const events = perSecond * seconds
      const startedAt = Date.now()
      const publishing: Promise<void>[] = []
      // At its times whatever came of those before: a slow contender gets no rest.
      for (let at = 0; at < events; at++) {
        await sleep(Math.max(0, startedAt + (at * 1000) / perSecond - Date.now()))
        publishing.push(emit(contender).catch((error: Error) => note(audience, words(error))))
      }
      await Promise.all(publishing)
      await allReceived(audience, events * listening.length)
      const used = (await cpuMicros(contender)) - usedBefore
      audience.microsPerMessage.push(used / latenciesMs.length)
      const sorted = [...latenciesMs].sort((a, b) => a - b)
      return Math.max(1, sorted[Math.floor(sorted.length * 0.99)]!)
    },
  }
}

/** Waits while there is progress. Throws what is missing, with everything that went wrong. */
async function allReceived(audience: Audience, expected: number): Promise<void> {
  const { contender, latenciesMs, troubles } = audience
  let received = -1
  for (let until = 0; latenciesMs.length < expected; await sleep(20)) {
    if (latenciesMs.length > received) until = Date.now() + lostAfterMs
    received = latenciesMs.length
    if (Date.now() < until && isRunning(contender)) continue
    const { exitCode, signalCode } = contender.child
    const end = isRunning(contender) ? '' : `; the process ended with ${exitCode ?? signalCode}`
    const all = [...troubles].map(([trouble, count]) => `; ${count} × ${trouble}`).join('')
    throw new Error(`${contender.name}: ${received} of ${expected} messages came${end}${all}.`)
  }
}

function words({ message, cause }: Error): string {
  return `a command failed: ${message} ${(cause as Error | undefined)?.message ?? ''}`.trim()
}

async function emit({ url, token }: Contender): Promise<void> {
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
