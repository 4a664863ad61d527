/**
 * A page that loads and then subscribes after `extensions.position` misses nothing: events that its query
 * did not see have a later position. Queries and changes interleave at random, over two processes.
 */
import type { Client } from 'graphql-ws'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { random } from '../kit/random.ts'

const interleavings = 200

let database: FreshDatabase
let gateways: [Platform, Platform]
let sockets: [Client, Client]
beforeAll(async () => {
  database = await freshDatabase()
  gateways = [await aPlatform('live', database.url), await aPlatform('live', database.url)]
  sockets = [gateways[0].socket(), gateways[1].socket()]
})
afterAll(async () => {
  for (const socket of sockets) await socket.dispose()
  for (const each of gateways) await each.stop()
  await database.drop()
})

const load = '{ parties(search: "Grace") { nodes { partyId } } environment { name } }'
const create = `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON,
  givenName: "Ada", familyName: "Lovelace" }) { partyId } }`
const read = 'query ($id: ID!) { party(partyId: $id) { partyId } }'
const listen = `subscription ($after: String) {
  businessEvents(types: ["parties.*"], after: $after) { position subject { ... on Party { partyId } } } }`

test('events that a query did not see are delivered after its position, in 200 random interleavings', async () => {
  const nextRandom = random(20_260_301)
  let unseen = 0
  for (let at = 0; at < interleavings; at++) {
    const id = `pty_${at}`
    const [page, writer] = nextRandom() < 0.5 ? gateways : gateways.toReversed()
    const changed = sleep(nextRandom() * 12).then(() => writer!.graph(create, { id }))
    await sleep(nextRandom() * 12)
    const loaded = await page!.graph(read, { id })
    const { position } = loaded.body.extensions
    expect(position).toMatch(/^\d+$/)
    expect((await changed).body.errors).toBeUndefined()
    if (loaded.body.data.party) continue
    unseen++
    await received(sockets[nextRandom() < 0.5 ? 0 : 1], position, id)
  }
  // The change came sometimes before the query and sometimes after.
  expect(unseen).toBeGreaterThan(interleavings / 10)
  expect(unseen).toBeLessThan(interleavings)
}, 180_000)

test('queries by POST and GET return the position, mutations do not', async () => {
  const [bank] = gateways
  const posted = await bank.graph(load)
  const got = await bank.rest('GET', `/graphql?query=${encodeURIComponent(load)}`)
  for (const { body } of [posted, got]) {
    expect(body.extensions).toEqual({ position: expect.stringMatching(/^\d+$/) })
  }
  const changed = await bank.graph(create, { id: 'pty_last' })
  expect(Object.keys(changed.body)).toEqual(['data'])
})

test('the position costs no database statement per query', async () => {
  const [bank] = gateways
  const { pool } = bank.bank
  const { query } = pool
  let statements = 0
  const startedMs = performance.now()
  pool.query = ((...sent: unknown[]) => {
    const text = typeof sent[0] === 'string' ? sent[0] : (sent[0] as { text: string }).text
    if (/kernel\.(head|event)\b/.test(text)) statements++
    return (query as (...all: unknown[]) => unknown).apply(pool, sent)
  }) as never
  try {
    for (let at = 0; at < 50; at++) {
      const { body } = await bank.graph('{ problems { code } }')
      expect(body.extensions.position).toMatch(/^\d+$/)
    }
    // The process polls the end of the log by itself: after events, and once a second.
    const elapsedSeconds = (performance.now() - startedMs) / 1000
    expect(statements).toBeLessThan(Math.min(50, 20 + 3 * elapsedSeconds))
  } finally {
    pool.query = query
  }
})

/** Resolves when a subscription after the position delivers the event of the party. */
function received(socket: Client, after: string, partyId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(new Error(`${partyId} was missed after ${after}.`)), 10_000)
    const end = (error?: Error) => {
      clearTimeout(late)
      leave()
      if (error) reject(error)
      else resolve()
    }
    const leave = socket.subscribe(
      { query: listen, variables: { after } },
      {
        next: ({ data }) => {
          const event = data?.['businessEvents'] as { subject?: { partyId: string } } | undefined
          if (event?.subject?.partyId === partyId) end()
        },
        error: (error) => end(new Error(JSON.stringify(error))),
        complete: () => undefined,
      },
    )
  })
}
