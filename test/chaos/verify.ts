import { setTimeout as sleep } from 'node:timers/promises'
import { notifications, partyId, type TestRequest, type SandboxClient } from './client.ts'
import { postings } from './postings.ts'
import { countDoubled, fault, walk, type ReceivedEvent, type Verdict } from './verdict.ts'
import { isPosting, readJournal, verifyBooks } from './verify-books.ts'

const atOnce = 8
/** A posting that violates a rule is rejected, and that response is stored. */
const expected: Readonly<Record<string, readonly number[]>> = {
  [notifications]: [201],
  [postings]: [200, 201, 409, 422],
}
const isQueued = ({ type }: ReceivedEvent) => type === 'notifications.notification.queued'

/** Repeats every request with its key: responses must be replayed byte for byte. */
export async function replay(
  client: SandboxClient,
  request: readonly TestRequest[],
  verdict: Verdict,
) {
  const left = [...request]
  const worker = async () => {
    for (let one; (one = left.pop());) {
      const again = await client.queryGraph(one)
      if (!expected[one.path]!.includes(again.status))
        fault(verdict, 'lost', `${one.key} is ${again.status} ${again.text}`)
      if (one.answer && one.answer.text !== again.text) {
        fault(verdict, 'lost', `${one.key} was ${one.answer.text} and is ${again.text}`)
      }
      one.answer = again
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Reads everything through the graph and compares it with the responses. */
export async function verify(client: SandboxClient, all: readonly TestRequest[], verdict: Verdict) {
  const request = all.filter(({ path }) => path === notifications)
  const posted = all.filter(({ path }) => path === postings)
  const stored = await sentByClients(client)
  const answered = new Map(request.map(({ answer }) => [idOf(answer!.text), answer!]))
  countDoubled(
    stored.map(({ subject }) => subject),
    'subject',
    verdict,
  )
  const ids = new Set(stored.map(({ notificationId }) => notificationId))
  for (const id of answered.keys()) if (!ids.has(id)) fault(verdict, 'lost', `${id} is not stored`)
  for (const id of ids) if (!answered.has(id)) fault(verdict, 'doubled', `${id} was never answered`)

  const lines = await readJournal(client)
  const events = await allEvents(client, answered, lines.length)
  requireOrder(events, verdict)
  await verifyBooks(client, posted, lines, events, verdict)
  const subjects = events.filter(isQueued).map(({ subjectId }) => subjectId)
  countDoubled(subjects, 'event', verdict)
  for (const id of answered.keys()) {
    if (!subjects.includes(`notification/${id}`)) fault(verdict, 'lost', `the event of ${id}`)
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

interface StoredNotification {
  notificationId: string
  subject: string
  partyId: string
}

/** The notifications to the recipient of the clients, without those that a new bank starts with. */
async function sentByClients(client: SandboxClient): Promise<StoredNotification[]> {
  const all = await walk<StoredNotification>(
    client,
    'query ($first: Int, $after: String) { page: notifications(first: $first, after: $after) { nodes { notificationId subject partyId } pageInfo { hasNextPage endCursor } } }',
  )
  return all.filter((one) => one.partyId === partyId)
}

/** Positions are 1, 2, 3 …, and so are the sequences of each subject. */
function requireOrder(events: readonly ReceivedEvent[], verdict: Verdict) {
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

/** The event log from its start, once it has these notifications and every line of the journal. */
async function allEvents(
  client: SandboxClient,
  answered: ReadonlyMap<string, unknown>,
  lines: number,
): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for (const until = Date.now() + 20_000; ; await sleep(100)) {
    events.push(...(await eventsAfter(client, events.at(-1)?.position)))
    const subjects = new Set(events.filter(isQueued).map(({ subjectId }) => subjectId))
    const isNotified = [...answered.keys()].every((id) => subjects.has(`notification/${id}`))
    const isComplete = isNotified && events.filter(isPosting).length >= lines
    if (isComplete || Date.now() > until) return events
  }
}

function eventsAfter(
  client: SandboxClient,
  position: string | undefined,
): Promise<ReceivedEvent[]> {
  return walk<ReceivedEvent>(
    client,
    'query ($first: Int, $after: String) { page: businessEvents(first: $first, after: $after) { nodes { position type subjectId sequence } pageInfo { hasNextPage endCursor } } }',
    position,
  )
}

const idOf = (text: string) => (JSON.parse(text) as { notificationId: string }).notificationId
