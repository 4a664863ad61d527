import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { random } from '../kit/random.ts'

const cuts = 100

// Two gateways on one database: a position received from one is valid at the other.
let database: FreshDatabase
let gateways: [Platform, Platform]
beforeAll(async () => {
  database = await freshDatabase()
  gateways = [await aPlatform('live', database.url), await aPlatform('live', database.url)]
})
afterAll(async () => {
  for (const each of gateways) await each.stop()
  await database.drop()
})

test('delivers every event exactly once and in order to a client that reconnects 100 times under load', async () => {
  const nextRandom = random(20_260_101)
  const positions: number[] = []
  let isWriting = true
  const writers = [0, 1, 2].map(async (writer) => {
    for (let at = 0; isWriting; at++) await createParty(gateways[at % 2]!, `pty_${writer}_${at}`)
  })
  let silent = 0
  for (let cut = 0; cut < cuts; cut++) {
    const before = positions.length
    const max = Math.floor(nextRandom() * 8)
    // Some connections are cut after a number of events, some after a time, including before the
    // first event.
    await listenTo(gateways[cut % 2]!, positions, max, cut % 4 === 0 ? nextRandom() * 40 : 5000)
    if (positions.length === before) silent++
  }
  isWriting = false
  await Promise.all(writers)
  const head = await eventually(async () => {
    const { rows } = await gateways[0].bank.pool.query<{ position: string; waiting: number }>(
      'select position, (select count(*)::int from kernel.outbox) as waiting from kernel.head',
    )
    return rows[0]!.waiting === 0 && Number(rows[0]!.position)
  })
  await listenTo(gateways[0], positions, head - positions.length, 20_000)
  expect(positions).toEqual(Array.from({ length: head }, (_, at) => at + 1))
  expect(silent).toBeLessThan(cuts / 2)
}, 120_000)

/**
 * Listens after the last of `positions` and appends to them until `max` are new or the time is
 * over; then cuts the connection.
 */
async function listenTo(
  gateway: Platform,
  positions: number[],
  max: number,
  forMs: number,
): Promise<void> {
  const socket = new WebSocket(
    `${gateway.url.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  )
  const variables = { after: String(positions.at(-1) ?? 0) }
  const query = `subscription ($after: String) { businessEvents(after: $after) { position } }`
  let left = max
  let isCut = false
  const post = (message: object) => socket.send(JSON.stringify(message))
  const payload = { authorization: `Bearer ${gateway.token()}` }
  socket.on('open', () => post({ type: 'connection_init', payload }))
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, forMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    socket.on('message', (data) => {
      if (isCut) return
      const { type, payload: received } = JSON.parse((data as Buffer).toString())
      if (type === 'connection_ack') {
        post({ id: 'one', type: 'subscribe', payload: { query, variables } })
        if (left === 0) done()
      }
      if (type !== 'next') return
      positions.push(Number(received.data.businessEvents.position))
      if (--left > 0) return
      isCut = true
      done()
    })
  })
  isCut = true
  socket.terminate()
}

async function createParty(gateway: Platform, partyId: string): Promise<void> {
  const { body } = await gateway.graph(
    `mutation ($partyId: ID!) {
      createParty(input: { partyId: $partyId, kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }
    }`,
    { partyId },
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
}
