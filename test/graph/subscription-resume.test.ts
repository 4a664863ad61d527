import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { random } from '../kit/random.ts'

const cuts = 100

// Two gateways on one database: a position heard at one is good at the other.
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

test('a socket that is cut 100 times under load misses nothing and hears nothing twice', async () => {
  const draw = random(20_260_101)
  const positions: number[] = []
  let isWriting = true
  const writers = [0, 1, 2].map(async (writer) => {
    for (let at = 0; isWriting; at++) await createParty(gateways[at % 2]!, `pty_${writer}_${at}`)
  })
  let silent = 0
  for (let cut = 0; cut < cuts; cut++) {
    const before = positions.length
    const most = Math.floor(draw() * 8)
    // Some are cut by what they have heard, some by time: also before they have heard anything.
    await hear(gateways[cut % 2]!, positions, most, cut % 4 === 0 ? draw() * 40 : 5000)
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
  await hear(gateways[0], positions, head - positions.length, 20_000)
  expect(positions).toEqual(Array.from({ length: head }, (_, at) => at + 1))
  expect(silent).toBeLessThan(cuts / 2)
}, 120_000)

/** Listens after the last of `positions` and adds to them, until `most` are new or the time is over; then cuts the connection. */
async function hear(
  gateway: Platform,
  positions: number[],
  most: number,
  forMs: number,
): Promise<void> {
  const socket = new WebSocket(
    `${gateway.url.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  )
  const variables = { after: String(positions.at(-1) ?? 0) }
  const query = `subscription ($after: String) { businessEvents(after: $after) { position } }`
  let left = most
  let isCut = false
  const say = (message: object) => socket.send(JSON.stringify(message))
  const payload = { authorization: `Bearer ${gateway.token()}` }
  socket.on('open', () => say({ type: 'connection_init', payload }))
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, forMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    socket.on('message', (data) => {
      if (isCut) return
      const { type, payload: heard } = JSON.parse((data as Buffer).toString())
      if (type === 'connection_ack') {
        say({ id: 'one', type: 'subscribe', payload: { query, variables } })
        if (left === 0) done()
      }
      if (type !== 'next') return
      positions.push(Number(heard.data.businessEvents.position))
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
