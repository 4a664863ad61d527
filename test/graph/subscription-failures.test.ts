import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
  for (const name of ['a', 'b']) {
    await bank.graph(
      `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`,
      { id: `pty_${name}` },
    )
  }
  await eventually(() => bank.bank.events.head >= 2n)
})
afterAll(() => bank.stop())

// Responses are shared between subscriptions with the same selection, so each test selects its own
// fields.
const subscription = (fields: string) => `subscription { businessEvents(after: "0") { ${fields} } }`

/** Blocks every read of an event, as a failover does, until the returned function is called. */
async function lockEvents(): Promise<() => Promise<void>> {
  const client = await bank.bank.pool.connect()
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  await client.query('lock table kernel.event in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

function listen(query: string) {
  const positions: string[] = []
  const client = bank.socket()
  const ended = new Promise<any>((resolve) => {
    client.subscribe<any>(
      { query },
      {
        next: ({ data }) => positions.push(data.businessEvents.position),
        error: resolve,
        complete: () => resolve('complete'),
      },
    )
  })
  return { positions, ended, dispose: () => client.dispose() }
}

test('delivers events after a short period in which they cannot be read', async () => {
  const unlock = await lockEvents()
  const listener = listen(subscription('position'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(listener.positions).toEqual([])
  await unlock()
  await eventually(() => listener.positions.length >= 2)
  expect(listener.positions.slice(0, 2)).toEqual(['1', '2'])
  await listener.dispose()
})

test('ends a WebSocket and an SSE stream with a retryable error when events stay unreadable', async () => {
  const unlock = await lockEvents()
  const query = subscription('position type')
  const listener = listen(query)
  const stream = fetch(`${bank.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bank.token()}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query }),
  }).then((answer) => answer.text())
  const [[error], text] = await Promise.all([listener.ended, stream])
  await unlock()
  expect(listener.positions).toEqual([])
  expect(error.extensions.retryable).toBe(true)
  const [, data] = /event: next\ndata: (.*)\n\nevent: complete/.exec(text)!
  expect(JSON.parse(data!)).toMatchObject({ errors: [{ extensions: { retryable: true } }] })
  expect(text).not.toContain('"businessEvents":null')
  await listener.dispose()
}, 60_000)
