import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createPassport } from '../../gateway/passport.ts'
import { RemoteSource } from '../../gateway/remote-source.ts'
import type { SourceAnswer } from '../../gateway/sources.ts'
import type { Bank } from '../../subgraphs/_kernel/bank.ts'
import { createContext, type Context } from '../../subgraphs/_kernel/context.ts'
import { openEnvelope, sealingKey } from '../../subgraphs/_kernel/sealed-envelope.ts'
import { aCaller } from '../kit/subgraph.ts'

const key = sealingKey('a secret of at least thirty-two bytes')
const minted: string[] = []
const passport = createPassport(
  key,
  ({ clientId }, ttlSeconds) => {
    minted.push(clientId)
    return `${clientId}.${ttlSeconds}`
  },
  Date.now,
)
const servers: Server[] = []
const sources: RemoteSource[] = []

afterEach(() => {
  for (const source of sources.splice(0)) source.close()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

type Answering = (...of: Parameters<RequestListener>) => unknown

/** A stand-in for the subgraph `parties`, which answers as the test says. */
async function standIn(listener: Answering): Promise<RemoteSource> {
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return sourceAt((server.address() as AddressInfo).port)
}

function sourceAt(port: number): RemoteSource {
  const source = new RemoteSource('parties', `http://127.0.0.1:${port}/graphql`, () => passport)
  sources.push(source)
  return source
}

function aContext(waitMs = 400, idempotencyKey?: string): Context {
  const bank = { environment: 'live', log: pino({ level: 'silent' }) } as unknown as Bank
  return createContext(bank, aCaller(), {
    authorization: undefined,
    requestId: 'test-request',
    traceparent: undefined,
    idempotencyKey,
    deadlineMs: Date.now() + waitMs,
  })
}

const operation = '{ten: party(partyId: "10") { displayName } party(partyId: "1") { partyId }}'
const codes = ({ errors }: SourceAnswer) =>
  errors?.map(({ path, extensions }) => [path, extensions?.['code']])
const both = (code: string) => [
  [['ten'], code],
  [['party'], code],
]
const good = JSON.stringify({ data: { party: { partyId: '1' } } })

test('what is asked arrives sealed, with the envelope and a token for who sent none', async () => {
  const opened: unknown[] = []
  const source = await standIn(async (request, response) => {
    const chunks = await request.toArray()
    const body = Buffer.concat(chunks as Buffer[])
    const to = { environment: 'live', subgraph: 'parties' }
    opened.push(openEnvelope(key, to, request.headers, body, Date.now()), JSON.parse(String(body)))
    response.end(JSON.stringify({ data: { party: null }, extensions: { isReplayed: true } }))
  })
  const context = aContext(400, 'k-1')
  expect(await source.run(operation, { a: 'é' }, context)).toEqual({ data: { party: null } })
  expect(context.outcome.isReplayed).toBe(true)
  expect(opened).toEqual([
    { ...context.envelope, authorization: 'Bearer test-client.60' },
    { query: operation, variables: { a: 'é' } },
  ])
  await source.run(operation, {}, { ...context })
  expect(minted).toEqual(['test-client'])
})

test.each<[string, string, Answering]>([
  ['nothing, ever', 'TIMEOUT', () => undefined],
  ['half an answer', 'TIMEOUT', (_, response) => void response.write('{"data":')],
  [
    'a byte now and then',
    'TIMEOUT',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  ],
  ['garbage', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('<html>')],
  ['nothing at all', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end()],
  ['a number', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('7')],
  ['no data', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('{}')],
  ['data that is a list', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.end('{"data":[]}')],
  [
    'errors that are none',
    'DEPENDENCY_UNAVAILABLE',
    (_, response) => response.end('{"data":null,"errors":[null]}'),
  ],
  ['500', 'DEPENDENCY_UNAVAILABLE', (_, response) => response.writeHead(500).end(good)],
  [
    'that we are not known there',
    'DEPENDENCY_UNAVAILABLE',
    (_, response) => response.writeHead(401).end(),
  ],
  [
    'a way elsewhere',
    'DEPENDENCY_UNAVAILABLE',
    (_, response) => response.writeHead(302, { location: '/' }).end(),
  ],
  ['a closed connection', 'DEPENDENCY_UNAVAILABLE', (request) => request.socket.destroy()],
  ['no HTTP', 'DEPENDENCY_UNAVAILABLE', (request) => request.socket.end('hello')],
])('a subgraph that answers %s costs its fields: %s', async (_what, code, listener) => {
  const source = await standIn(listener)
  const started = Date.now()
  const answer = await source.run(operation, {}, aContext())
  expect(Date.now() - started).toBeLessThan(1500)
  expect(answer.data).toBeNull()
  expect(codes(answer)).toEqual(both(code))
})

test('50 MB are not read to their end', async () => {
  let sentBytes = 0
  const megabyte = Buffer.alloc(1 << 20, 'x')
  const source = await standIn((_request, response) => {
    const more = () => {
      while (sentBytes < 50 << 20 && response.writable) {
        sentBytes += megabyte.length
        if (!response.write(megabyte)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  expect(codes(await source.run(operation, {}, aContext(5000)))).toEqual(
    both('DEPENDENCY_UNAVAILABLE'),
  )
  expect(sentBytes).toBeLessThan(30 << 20)
})

test('the error of a join stands at each entity it was to fill', async () => {
  const entities =
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'
  const representations = [
    { __typename: 'Party', partyId: '1' },
    { __typename: 'Party', partyId: '2' },
  ]
  const answer = await sourceAt(1).run(entities, { representations }, aContext())
  expect(codes(answer)).toEqual([
    [['_entities', 0], 'DEPENDENCY_UNAVAILABLE'],
    [['_entities', 1], 'DEPENDENCY_UNAVAILABLE'],
  ])
})

test('only what may run twice is sent again when the connection breaks', async () => {
  let asked = 0
  const source = await standIn((request, response) => {
    asked += 1
    if (asked === 1) request.socket.destroy()
    else response.end(good)
  })
  const asking = async (text: string, idempotencyKey?: string) => {
    asked = 0
    const { data } = await source.run(text, {}, aContext(400, idempotencyKey))
    return { asked, isAnswered: data !== null }
  }
  const mutation = 'mutation Create{createParty{partyId}}'
  expect(await asking('{party{partyId}}')).toEqual({ asked: 2, isAnswered: true })
  expect(await asking(mutation, 'k-1')).toEqual({ asked: 2, isAnswered: true })
  expect(await asking(mutation)).toEqual({ asked: 1, isAnswered: false })
})

test('a subgraph that fails again and again is left alone for a second, then tried by one request', async () => {
  let asked = 0
  let isBack = false
  const source = await standIn((_request, response) => {
    asked += 1
    if (isBack) response.end(good)
    else response.writeHead(503).end()
  })
  const ask = () => source.run(operation, {}, aContext())
  for (let at = 0; at < 40; at++) await ask()
  // One more than the limit: the first after it asks whether the subgraph is back.
  expect(asked).toBe(21)
  isBack = true
  expect(codes(await ask())).toEqual(both('DEPENDENCY_UNAVAILABLE'))
  await new Promise((resolve) => setTimeout(resolve, 1050))
  expect(await ask()).toEqual({ data: { party: { partyId: '1' } } })
  expect(await ask()).toEqual({ data: { party: { partyId: '1' } } })
})

test('an answer cannot change what objects are', async () => {
  const source = await standIn((_request, response) =>
    response.end(
      '{"data":{"\\u005f_proto__":{"polluted":1},"party":{"__proto__":{"polluted":1}}}}',
    ),
  )
  const { data } = await source.run(operation, {}, aContext())
  expect(Object.keys(data!)).toEqual(['party'])
  expect(Object.keys(data!['party'] as object)).toEqual([])
})

test('nobody is spoken for whose token is over, and no time is left means no question', async () => {
  let asked = 0
  const source = await standIn((_request, response) => {
    asked += 1
    response.end(good)
  })
  const late = aContext(-1)
  expect(codes(await source.run(operation, {}, late))).toEqual(both('TIMEOUT'))
  const over = { ...aContext(), caller: { ...aCaller(), expiresAt: Date.now() } }
  expect(codes(await source.run(operation, {}, over))).toEqual(both('TOKEN_EXPIRED'))
  expect(asked).toBe(0)
})
