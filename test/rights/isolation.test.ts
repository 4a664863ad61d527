/**
 * Nothing is shared between principals: who asks at the same moment, in the same words and for the same
 * IDs gets what the same principal gets alone. No cache, batch, plan or group of subscribers hands on
 * what another was given.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { random } from '../kit/random.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { everyPrincipal, seen, sharedRequests, type Principal, type Seen } from './isolation-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform('sandbox', true)
})
afterAll(() => bank.stop())

const rounds = 2
/** How many requests are in flight. With many more, the bank rejects some because of the load. */
const inFlight = 48

test('answers everybody at once as it answers each alone', async () => {
  const principals = everyPrincipal(bank)
  const requests = sharedRequests(bank)
  const alone = new Map<string, Seen>()
  const keyOf = (principal: Principal, request: { name: string }) =>
    `${principal.name}: ${request.name}`
  for (const principal of principals) {
    for (const request of requests) {
      alone.set(keyOf(principal, request), await seen(await request.send(principal)))
    }
  }
  // Otherwise the answers could be equal because nobody gets anything.
  expect(new Set([...alone.values()].map(({ body }) => body)).size).toBeGreaterThan(40)
  const pairs = principals.flatMap((principal) =>
    requests.map((request) => ({ principal, request })),
  )
  for (let round = 0; round < rounds; round++) {
    const order = shuffled(pairs, round)
    const together = await eachAtOnce(order, async ({ principal, request }) =>
      seen(await request.send(principal)),
    )
    order.forEach(({ principal, request }, at) => {
      const key = keyOf(principal, request)
      expect(together[at], key).toEqual(alone.get(key))
    })
  }
  // The entity tags of others never stand for an answer of one's own.
  await eachAtOnce(shuffled(pairs, rounds), async ({ principal, request }) => {
    const own = alone.get(keyOf(principal, request))!
    if (own.etag === null) return
    const others = principals.map((other) => alone.get(keyOf(other, request))!.etag)
    const foreign = others.filter((tag) => tag !== null && tag !== own.etag).join(', ')
    const unchanged = await seen(await request.send(principal, { 'if-none-match': own.etag }))
    expect(unchanged).toEqual({ status: 304, body: '', etag: own.etag })
    if (foreign === '') return
    const whole = await seen(await request.send(principal, { 'if-none-match': foreign }))
    expect(whole, keyOf(principal, request)).toEqual(own)
  })
}, 180_000)

const selection = `position type subjectId data subject {
  ... on Party { partyId displayName contactPoints { address } } ... on Customer { customerId } }`

test('sends each subscriber with equal filters what the same principal reads alone', async () => {
  const principals = everyPrincipal(bank).filter(({ token }) => token !== null)
  const after = String(bank.bank.events.head)
  const frames = new Map<string, object[]>(principals.map(({ name }) => [name, []]))
  const sockets = principals.map(({ name, token }) => {
    const client = bank.socket(token!)
    client.subscribe(
      {
        query: `subscription ($after: String) { businessEvents(after: $after) { ${selection} } }`,
        variables: { after },
      },
      {
        next: (frame) => void frames.get(name)!.push(frame),
        error: () => undefined,
        complete: () => undefined,
      },
    )
    return client
  })
  for (const language of ['de', 'fr', 'it', 'en']) {
    for (const partyId of ['pty_ada', 'pty_grace']) {
      await change(
        `updateParty(input: { partyId: "${partyId}", language: "${language}" }) { partyId }`,
      )
    }
  }
  const query = `query ($after: String) { businessEvents(after: $after, first: 200) { nodes { ${selection} } } }`
  await eventually(() => Promise.resolve(frames.get('machine')!.length >= 8))
  for (const { name, token } of principals) {
    const { body } = await bank.graph(query, { after }, { token })
    const nodes = (body.data?.businessEvents?.nodes ?? []) as object[]
    const received = () => frames.get(name)!
    await eventually(() => Promise.resolve(received().length >= nodes.length))
    const data = received().map(
      (frame: { data?: { businessEvents?: object } }) => frame.data?.businessEvents,
    )
    expect(data, name).toEqual(nodes)
  }
  await sleep(300)
  const counts = Object.fromEntries([...frames].map(([name, received]) => [name, received.length]))
  expect(counts).toMatchObject({ machine: 8, 'another machine': 8, Ada: 4, Grace: 4 })
  expect(counts['machine without scopes']).toBe(0)
  for (const client of sockets) await Promise.resolve(client.dispose())
})

async function change(mutation: string) {
  const { body } = await bank.graph(`mutation { change: ${mutation} }`)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.change
}

test('ends what a grant permitted for its grantee alone, while all read', async () => {
  const [ada, grace, machine] = ['Ada', 'Grace', 'machine'].map((name) =>
    everyPrincipal(bank).find((each) => each.name === name)!,
  ) as [Principal, Principal, Principal]
  const requests = sharedRequests(bank).filter(({ name }) =>
    /^(account|lists) by|^GET \/accounts/.test(name),
  )
  // The tag of an answer with the position of the event log changes with every event.
  const read = (principal: Principal) =>
    Promise.all(
      requests.map(async (request) => ({
        ...(await seen(await request.send(principal))),
        etag: '',
      })),
    )
  const ofGrace = await read(grace)
  await change(
    `grantEntitlement(input: { entitlementId: "ent_isolation", grantorPartyId: "pty_ada",
      granteePartyId: "pty_grace", resource: "arrangement/arr_ada_current", right: VIEW }) { status }`,
  )
  const granted = await read(grace)
  expect(granted).not.toEqual(ofGrace)
  const [ofAda, ofMachine] = [await read(ada), await read(machine)]
  let grant: 'valid' | 'ending' | 'ended' = 'valid'
  const reader = async (principal: Principal, before: Seen[], afterwards: Seen[]) => {
    for (let left = 4; left > 0;) {
      const start = grant
      const answers = await read(principal)
      if (start === 'ended') left--
      // While the grant ends, each subgraph decides for itself.
      if (start === grant || before === afterwards) {
        expect(answers, principal.name).toEqual(start === 'ended' ? afterwards : before)
      }
    }
  }
  const readers = [
    reader(grace, granted, ofGrace),
    reader(grace, granted, ofGrace),
    reader(ada, ofAda, ofAda),
    reader(machine, ofMachine, ofMachine),
  ]
  await sleep(200)
  grant = 'ending'
  await change('revokeEntitlement(entitlementId: "ent_isolation") { status }')
  grant = 'ended'
  await Promise.all(readers)
})

test('rejects a revoked token at once, and no other token of the same party', async () => {
  const revoked = bank.token({ partyId: 'pty_ada', clientId: 'lost' })
  const kept = bank.token({ partyId: 'pty_ada', clientId: 'kept' })
  const read = async (token: string) =>
    (await bank.graph('{ me { partyId } }', {}, { token })).status
  const readAll = () =>
    Promise.all(Array.from({ length: 20 }, (_, at) => read(at % 2 ? revoked : kept)))
  expect(new Set(await readAll())).toEqual(new Set([200]))
  const during = readAll()
  await change('revokeTokens(input: { clientId: "lost" }) { __typename }')
  await during
  expect(await readAll()).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 ? 401 : 200)))
})

/** Calls `work` for all items, for `inFlight` of them at once, and returns the results in their order. */
async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return results
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const next = random(seed)
  return items
    .map((item) => ({ item, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
