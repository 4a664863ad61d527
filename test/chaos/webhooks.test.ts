/**
 * The webhook deliverer is killed at each of its steps: before it sends, while the request is under
 * way, before it records the response, and right after. Every event still reaches the receiver, and
 * first deliveries are in the order of their subject.
 */
import { expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { aReceiver, type Receiver } from '../subgraphs/events/receiver.ts'
import { SandboxClient } from './client.ts'
import { inNewPlace, start, type Place, type Program } from './program.ts'

const points = ['webhook.claimed', 'webhook.sent', 'webhook.answered', 'webhook.recorded']

test('a kill at every step of webhook delivery loses no event and keeps first deliveries in order', async () => {
  const receiver = await aReceiver()
  try {
    await inNewPlace((place) => killAtEveryStep(place, receiver))
  } finally {
    await receiver.close()
  }
})

async function killAtEveryStep(place: Place, receiver: Receiver): Promise<void> {
  await subscribe(place, receiver)
  for (const [at, point] of points.entries()) {
    const hit = at + 2
    const program = (await start(place, undefined, { FAULT_POINT: `${point}:${hit}` }))!
    expect([point, await loadUntilDeath(place, program, point)]).toEqual([point, 'SIGKILL'])
  }
  const program = (await start(place))!
  const delivered = await allDelivered(place, receiver)
  // How many events fit before each kill depends on the machine.
  expect(delivered.length).toBeGreaterThanOrEqual(2 * points.length)
  requireOrder(receiver)
  await program.stop()
}

async function subscribe(place: Place, { url }: Receiver): Promise<void> {
  const program = (await start(place))!
  const client = await SandboxClient.of(place)
  await client.graph(
    `mutation { createEventSubscription(input: { eventType: "parties.*" }) { status } }`,
  )
  await client.graph(
    `mutation ($url: Text!) { registerWebhookEndpoint(input: { url: $url }) { endpoint { status } } }`,
    { url },
  )
  await program.stop()
}

/** Creates parties, records their death and closes them, three events each, until the program is killed. */
async function loadUntilDeath(place: Place, program: Program, name: string) {
  let signal: NodeJS.Signals | null | undefined
  void program.ended.then((ended) => (signal = ended))
  const client = await SandboxClient.of(place)
  for (let at = 0; signal === undefined; at++) {
    const id = `pty_${name.replace('.', '-')}_${at}`
    try {
      await client.graph(
        `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`,
        { id },
      )
      await client.graph(
        `mutation ($id: ID!) { recordDeath(partyId: $id, diedOn: "2020-01-01") { partyId } }`,
        { id },
      )
      await client.graph(`mutation ($id: ID!) { closeParty(partyId: $id) { partyId } }`, { id })
    } catch {
      break
    }
  }
  return program.ended
}

/** The ids of all events that the subscription matches, once the receiver has each of them. */
async function allDelivered(place: Place, { got }: Receiver): Promise<string[]> {
  const client = await SandboxClient.of(place)
  const list = `query ($after: String) { businessEvents(types: ["parties.*"], after: $after, first: 200) {
    nodes { eventId subjectId } pageInfo { hasNextPage endCursor } } }`
  const delivered: string[] = []
  for (let after: string | null = null, more = true; more;) {
    const { businessEvents: page } = await client.graph(list, { after })
    for (const { eventId, subjectId } of page.nodes) {
      if (subjectId.startsWith('party/pty_webhook')) delivered.push(eventId)
    }
    ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
  }
  await eventually(() => {
    const received = new Set(got.map(({ event }) => event.id))
    return delivered.every((id) => received.has(id))
  }, 150_000)
  return delivered
}

/** First deliveries arrived in the order of their subject. */
function requireOrder({ got }: Receiver): void {
  const seen = new Set<string>()
  const next = new Map<string, number>()
  for (const { event } of got) {
    if (seen.has(event.id)) continue
    seen.add(event.id)
    const expected = (next.get(event.subject) ?? 0) + 1
    expect([event.subject, Number(event.sequence)]).toEqual([event.subject, expected])
    next.set(event.subject, expected)
  }
}
