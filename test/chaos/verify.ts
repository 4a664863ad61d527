import { setTimeout as sleep } from 'node:timers/promises'
import { partyId, type Asked, type SandboxClient } from './client.ts'

/** What was found wrong, as counts; `faults` says the first of them in words. */
export interface Verdict {
  lost: number
  doubled: number
  disordered: number
  faults: string[]
}

interface HeardEvent {
  position: string
  type: string
  subjectId: string
  sequence: number
}

const atOnce = 8
const queued = 'notifications.notification.queued'

/** Sends every request again under its key: answers that were given must come again, byte for byte. */
export async function replay(client: SandboxClient, asked: readonly Asked[], verdict: Verdict) {
  const left = [...asked]
  const worker = async () => {
    for (let one; (one = left.pop());) {
      const again = await client.notify(one)
      if (again.status !== 201)
        fault(verdict, 'lost', `${one.key} is ${again.status} ${again.text}`)
      if (one.answer && one.answer.text !== again.text) {
        fault(verdict, 'lost', `${one.key} was ${one.answer.text} and is ${again.text}`)
      }
      one.answer = again
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Reads all there is through the graph, and compares it with what was answered. */
export async function verify(client: SandboxClient, asked: readonly Asked[], verdict: Verdict) {
  const stored = await walk<{ notificationId: string; subject: string }>(
    client,
    'query ($first: Int, $after: String) { page: notifications(first: $first, after: $after) { nodes { notificationId subject } pageInfo { hasNextPage endCursor } } }',
  )
  const answered = new Map(asked.map(({ answer }) => [idOf(answer!.text), answer!]))
  countDoubled(
    stored.map(({ subject }) => subject),
    'subject',
    verdict,
  )
  const ids = new Set(stored.map(({ notificationId }) => notificationId))
  for (const id of answered.keys()) if (!ids.has(id)) fault(verdict, 'lost', `${id} is not stored`)
  for (const id of ids) if (!answered.has(id)) fault(verdict, 'doubled', `${id} was never answered`)

  const events = await allEvents(client, asked.length)
  requireOrder(events, verdict)
  const told = events.filter(({ type }) => type === queued).map(({ subjectId }) => subjectId)
  countDoubled(told, 'event', verdict)
  for (const id of answered.keys()) {
    if (!told.includes(`notification/${id}`)) fault(verdict, 'lost', `the event of ${id}`)
  }
  const mails = await walk<{ notificationId: string }>(
    client,
    `query ($first: Int, $after: String) { page: mailbox(partyId: "${partyId}", first: $first, after: $after) { nodes { notificationId } pageInfo { hasNextPage endCursor } } }`,
  )
  countDoubled(
    mails.map(({ notificationId }) => notificationId),
    'mail',
    verdict,
  )
}

/** Positions are 1, 2, 3 …; so are the sequences of each subject. */
function requireOrder(events: readonly HeardEvent[], verdict: Verdict) {
  const sequences = new Map<string, number>()
  events.forEach(({ position, subjectId, sequence }, at) => {
    if (position !== String(at + 1)) fault(verdict, 'disordered', `${position} is at ${at + 1}`)
    const expected = (sequences.get(subjectId) ?? 0) + 1
    if (sequence !== expected) {
      fault(verdict, 'disordered', `${subjectId} has ${sequence} and not ${expected}`)
    }
    sequences.set(subjectId, sequence)
  })
}

/** The log from its beginning, once it holds every notification. */
async function allEvents(client: SandboxClient, notifications: number): Promise<HeardEvent[]> {
  const events: HeardEvent[] = []
  for (const until = Date.now() + 20_000; ; await sleep(100)) {
    events.push(...(await eventsAfter(client, events.at(-1)?.position)))
    const isComplete = events.filter(({ type }) => type === queued).length >= notifications
    if (isComplete || Date.now() > until) return events
  }
}

function eventsAfter(client: SandboxClient, position: string | undefined): Promise<HeardEvent[]> {
  return walk<HeardEvent>(
    client,
    'query ($first: Int, $after: String) { page: businessEvents(first: $first, after: $after) { nodes { position type subjectId sequence } pageInfo { hasNextPage endCursor } } }',
    position,
  )
}

async function walk<Node>(client: SandboxClient, document: string, from?: string): Promise<Node[]> {
  const nodes: Node[] = []
  for (let after = from ?? null; ;) {
    const { page } = await client.graph(document, { first: 200, after })
    nodes.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

function countDoubled(values: readonly string[], what: string, verdict: Verdict) {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) fault(verdict, 'doubled', `${what} ${value}`)
    seen.add(value)
  }
}

function fault(verdict: Verdict, kind: 'lost' | 'doubled' | 'disordered', detail: string) {
  verdict[kind]++
  if (verdict.faults.length < 20) verdict.faults.push(`${kind}: ${detail}`)
}

const idOf = (text: string) => (JSON.parse(text) as { notificationId: string }).notificationId
