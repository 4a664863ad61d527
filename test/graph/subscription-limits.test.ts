import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createGraphServer } from '../../gateway/graph-http.ts'
import { serveGraphSockets } from '../../gateway/graph-ws.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { aPlatform, eventually, theGraph, type Platform } from '../kit/platform.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function heapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

// Workers that wake on events, and the listener for requested job runs, wait as long as the bank
// runs.
const waitingWorkers =
  1 + subgraphs.flatMap(({ workers }) => workers).filter(({ wakeOn }) => wakeOn).length

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const query = 'subscription { businessEvents { position } }'

/**
 * Opens a socket without a client library, so that a test can violate the protocol. Resolves once
 * the server has acknowledged or closed it.
 */
async function aSocket(url = bank.url, token = bank.token()): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  socket.on('error', () => undefined)
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), closeOf(socket)])
  if (socket.readyState === WebSocket.CLOSED) return socket
  const acknowledged = new Promise((resolve) => socket.once('message', resolve))
  const payload = { authorization: `Bearer ${token}` }
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  await Promise.race([acknowledged, closeOf(socket)])
  return socket
}

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

function closeOf(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
}

const subscribe = (id: string) => JSON.stringify({ id, type: 'subscribe', payload: { query } })

describe('Subscriptions of a WebSocket', () => {
  test('accepts 20 subscriptions and rejects each further one with RATE_LIMITED', async () => {
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
    const socket = await aSocket()
    let refused = 0
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse((data as Buffer).toString())
      if (type === 'error' && payload[0].extensions.code === 'RATE_LIMITED') refused++
    })
    for (let at = 0; at < 120; at++) socket.send(subscribe(`s${at}`))
    await eventually(() => refused === 100)
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers + 1)
    socket.close()
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
  })

  test('closes the socket with 4429 and frees its memory after a request for 20,000 subscriptions', async () => {
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
    const before = heapMegabytes()
    const socket = await aSocket()
    const closed = closeOf(socket)
    for (let at = 0; at < 20_000; at++) socket.send(subscribe(`s${at}`))
    expect(await closed).toMatchObject({ code: 4429 })
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
    expect(heapMegabytes() - before).toBeLessThan(30)
  }, 80_000)

  test('accepts a new subscription after one completes, and delivers events to all of them', async () => {
    const socket = await aSocket()
    const received: string[] = []
    socket.on('message', (data) => {
      const { id, type, payload } = JSON.parse((data as Buffer).toString())
      expect([id, type, typeof payload.data?.businessEvents.position]).toEqual([
        id,
        'next',
        'string',
      ])
      received.push(id)
    })
    for (let at = 0; at < 20; at++) socket.send(subscribe(`s${at}`))
    socket.send(JSON.stringify({ id: 's7', type: 'complete' }))
    socket.send(subscribe('"again" ä'))
    // Messages on one socket are processed in order: once the pong arrives, all earlier ones are
    // done.
    const answered = new Promise((resolve) => socket.once('pong', resolve))
    socket.ping()
    await answered
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers + 1)
    await aParty('pty_again')
    const expected = Array.from({ length: 20 }, (_, at) => (at === 7 ? '"again" ä' : `s${at}`))
    await eventually(() => received.length >= 20)
    expect([...received].sort()).toEqual(expected.sort())
    socket.terminate()
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
  })

  test('closes the socket with 4413, within bounded memory, when the client does not read', async () => {
    const before = heapMegabytes()
    const socket = await aSocket()
    socket.send(subscribe('one'))
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers + 1)
    socket.pause()
    // The server echoes the payload of every ping.
    const ping = JSON.stringify({ type: 'ping', payload: { padding: 'x'.repeat(60_000) } })
    for (let at = 0; at < 500; at++) socket.send(ping)
    // A worker that is processing a batch is not waiting for a moment, so require ten matches in a
    // row.
    let looks = 0
    const looksClosed = () => bank.bank.events.waitingReaderCount === waitingWorkers
    await eventually(() => (looks = looksClosed() ? looks + 1 : 0) >= 10)
    expect(heapMegabytes() - before).toBeLessThan(60)
    const closed = closeOf(socket)
    socket.resume()
    expect(await closed).toEqual({
      code: 4413,
      reason: 'Lagging: resume after the last position you received.',
    })
  })

  test('closes the socket and its subscriptions when the client stops answering pings', async () => {
    const beatMs = 1000
    const server = createServer()
    const sockets = serveGraphSockets(
      server,
      createGraphServer(await theGraph(), bank.bank, null),
      beatMs,
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const socket = await aSocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const closed = closeOf(socket)
    socket.send(subscribe('one'))
    const answered = new Promise((resolve) => socket.once('pong', resolve))
    socket.ping()
    await answered
    // While paused, the client does not see the server's pings and so does not answer them.
    socket.pause()
    await sleep(4 * beatMs)
    socket.resume()
    expect(await closed).toMatchObject({ code: 4413 })
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
    await sockets.close()
    await new Promise((resolve) => server.close(resolve))
  })
})

test('permits 256 unauthenticated sockets per address, not counting authenticated ones', async () => {
  const token = bank.token({ clientId: 'known' })
  const known = await Promise.all(Array.from({ length: 20 }, () => aSocket(bank.url, token)))
  const port = Number(new URL(bank.url).port)
  const unauthenticated = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'))
  const answers = await Promise.all(unauthenticated.map(requestUpgrade))
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 429 RATE_LIMITED'))
  expect(answers.length - refused.length).toBe(256)
  expect(refused[0]).toMatch(/retry-after: 1\r\n[^]*"code":"RATE_LIMITED"/)
  expect((await aSocket(bank.url, token)).readyState).toBe(WebSocket.CLOSED)
  expect(known.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true)
  for (const each of unauthenticated) each.destroy()
  const again = await eventually(async () => {
    const socket = await aSocket(bank.url, token)
    return socket.readyState === WebSocket.OPEN && socket
  })
  for (const each of [...known, again]) each.terminate()
})

/** Requests an upgrade and resolves with the first data that the server sends. */
function requestUpgrade(socket: Socket): Promise<string> {
  socket.on('error', () => undefined)
  socket.write(
    'GET /graphql HTTP/1.1\r\nhost: bank\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'sec-websocket-protocol: graphql-transport-ws\r\n\r\n',
  )
  return new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())))
}

describe('Limit of subscription connections', () => {
  const stream = (token: string) => {
    const aborting = new AbortController()
    const answer = fetch(`${bank.url}/graphql`, {
      method: 'POST',
      signal: aborting.signal,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    })
    return { answer, abort: () => aborting.abort() }
  }

  test('permits a delegated user five connections, WebSockets and SSE streams together', async () => {
    const token = bank.token({ partyId: 'pty_many' })
    const sockets = [await aSocket(bank.url, token), await aSocket(bank.url, token)]
    const streams = [stream(token), stream(token), stream(token)]
    for (const { answer } of streams) expect((await answer).status).toBe(200)
    const refused = await stream(token).answer
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED' } }],
    })
    const sixth = new WebSocket(`${bank.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    sixth.on('open', () => {
      const payload = { authorization: `Bearer ${token}` }
      sixth.send(JSON.stringify({ type: 'connection_init', payload }))
    })
    expect(await closeOf(sixth)).toMatchObject({ code: 4429 })
    const other = await aSocket(bank.url, bank.token({ partyId: 'pty_other' }))
    expect(other.readyState).toBe(WebSocket.OPEN)
    streams[0]!.abort()
    sockets[0]!.close()
    await eventually(async () => {
      const again = await aSocket(bank.url, token)
      const isIn = again.readyState === WebSocket.OPEN
      sockets.push(again)
      return isIn
    })
    for (const each of [...sockets, other]) each.terminate()
    for (const each of streams.slice(1)) each.abort()
    await eventually(() => bank.bank.events.waitingReaderCount === waitingWorkers)
  })

  test('permits a client 200 connections', async () => {
    const token = bank.token({ clientId: 'one-of-many' })
    const sockets = await Promise.all(Array.from({ length: 200 }, () => aSocket(bank.url, token)))
    expect(sockets.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true)
    const refused = await aSocket(bank.url, token)
    expect(refused.readyState).toBe(WebSocket.CLOSED)
    for (const each of sockets) each.terminate()
    await eventually(async () => {
      const again = await aSocket(bank.url, token)
      again.terminate()
      return again.readyState !== WebSocket.CLOSED
    })
  })
})
