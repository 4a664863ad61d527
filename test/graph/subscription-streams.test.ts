import { connect } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventStreams } from '../../gateway/graph-sse.ts'
import { ConnectionLimiter } from '../../gateway/admission.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const query = 'subscription { businessEvents { position } }'

/** Emits one more event. */
async function aParty(id: string): Promise<void> {
  const { body } = await bank.graph(
    `mutation ($id: ID!) {
      createParty(input: { partyId: $id, kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }
    }`,
    { id },
  )
  expect(body.errors).toBeUndefined()
}

describe('SSE streams', () => {
  test('stops reading events and disconnects a client that does not read', async () => {
    for (let at = 0; at < 100; at++) {
      await aParty(`pty_stalled_${at}`)
    }
    const streams = new EventStreams(bank.bank, new ConnectionLimiter(bank.bank), 200)
    const caller = await bank.bank.verifier.verify(`Bearer ${bank.token()}`)
    let pulled = 0
    const emit = () => {
      pulled++
      return Promise.resolve(
        Buffer.from(JSON.stringify({ data: { padding: 'x'.repeat(500_000) } })),
      )
    }
    const app = fastify()
    app.get('/', (_request, reply) => {
      const filter = { types: null, subject: null }
      return streams.send(reply, {
        filter,
        caller,
        start: { position: 0n, eventId: null },
        key: 'everything',
        serializeEvent: emit,
      })
    })
    const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(url.port), url.hostname)
    socket.write('GET / HTTP/1.1\r\nhost: bank\r\n\r\n')
    await eventually(() => pulled > 0)
    // Nothing reads `socket`: it only accepts what fits into the kernel's buffers.
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
    await eventually(async () => (await connections()) === 0)
    expect(pulled).toBeLessThan(60)
    socket.destroy()
    await app.close()
  })

  test('completes its streams when the process stops', async () => {
    const other = await aPlatform('live')
    const answer = await fetch(`${other.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other.token()}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    })
    const text = answer.text()
    const startedAt = Date.now()
    await other.stop()
    expect(Date.now() - startedAt).toBeLessThan(5000)
    expect(await text).toMatch(/event: complete\ndata:\n\n$/)
  })
})
