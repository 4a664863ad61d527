/**
 * The deliverer dies at each of its points: before it sends, with the request under way, with an
 * answer that is not recorded, right after. Every event reaches the receiver all the same, and for
 * the first time in the order of its subject.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../kit/platform.ts'
import { freePort } from '../kit/free-port.ts'
import { aReceiver, type Receiver } from '../subgraphs/events/receiver.ts'
import { SandboxClient } from './client.ts'
import { build, endOrphans, start, type Place, type Program } from './program.ts'

const points = ['webhook.claimed', 'webhook.sent', 'webhook.answered', 'webhook.recorded']

test('a kill at every point of the deliverer loses nothing and disorders nothing', async () => {
  build()
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-chaos-'))
  const place = { dataDir, port: await freePort(), sandboxPort: await freePort() }
  const receiver = await aReceiver()
  try {
    await subscribe(place, receiver)
    for (const [at, point] of points.entries()) {
      const hit = at + 2
      const program = (await start(place, undefined, { FAULT_POINT: `${point}:${hit}` }))!
      expect([point, await loadUntilDeath(place, program, point)]).toEqual([point, 'SIGKILL'])
    }
    const program = (await start(place))!
    const told = await allDelivered(place, receiver)
    // How many events fit before each kill depends on the machine.
    expect(told.length).toBeGreaterThanOrEqual(2 * points.length)
    requireOrder(receiver)
    await program.stop()
  } finally {
    await endOrphans(dataDir)
    await receiver.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

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

/** Makes parties that die and are closed, three events each, until the program dies itself. */
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

/** The ids of all that was told to the subscription, once the receiver has each of them. */
async function allDelivered(place: Place, { got }: Receiver): Promise<string[]> {
  const client = await SandboxClient.of(place)
  const list = `query ($after: String) { businessEvents(types: ["parties.*"], after: $after, first: 200) {
    nodes { eventId subjectId } pageInfo { hasNextPage endCursor } } }`
  const told: string[] = []
  for (let after: string | null = null, more = true; more;) {
    const { businessEvents: page } = await client.graph(list, { after })
    for (const { eventId, subjectId } of page.nodes) {
      if (subjectId.startsWith('party/pty_webhook')) told.push(eventId)
    }
    ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
  }
  await eventually(() => {
    const heard = new Set(got.map(({ event }) => event.id))
    return told.every((id) => heard.has(id))
  }, 150_000)
  return told
}

/** What came for the first time came in the order of its subject. */
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
