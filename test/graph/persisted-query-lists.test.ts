/** An environment that accepts only registered operations, over each transport and against attacks. */
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { aClient } from '../sdk/kit.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const query = 'query Problems { problems { code } }'
const rename =
  'mutation Rename($name: Label!) { updateParty(input: { partyId: "pty_x", givenName: $name }) { givenName } }'
const create =
  'mutation Create { createParty(input: { partyId: "pty_x", kind: PERSON, givenName: "Ada", familyName: "Lovelace" }) { partyId } }'
const events = 'subscription Events { businessEvents(types: ["parties.*"]) { type } }'
const two = 'query One { problems { code } } query Two { environment { name } }'
const bodies = [query, rename, create, events, two]
const foreign = 'query Problems { problems { code title } }'

const entryOf = (body: string, index = 0) => ({
  id: sha256(body),
  name: `operation${index}`,
  type: 'query',
  body,
})
const manifestOf = (operations: object[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
})

let folder: string
let bank: Platform
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-lists-'))
  const write = (name: string, texts: string[]) =>
    writeFile(join(folder, name), JSON.stringify(manifestOf(texts.map(entryOf))))
  await write('web.json', bodies.slice(0, 3))
  await write('app.json', bodies.slice(3))
  await copyFile(join(projectRoot, 'sdk/persisted-queries.json'), join(folder, 'client.json'))
  await writeFile(join(folder, 'README.md'), 'Not a manifest.')
  bank = await aPlatform('sandbox', undefined, false, { SANDBOX_PERSISTED_QUERY_LISTS: folder })
})
afterAll(async () => {
  await bank.stop()
  await rm(folder, { recursive: true, force: true })
})

const extensions = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } })
const post = (body: unknown, options = {}) => bank.rest('POST', '/graphql', body, options)
const get = (body: Record<string, unknown>, options = {}) => {
  const entries = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return bank.rest('GET', `/graphql?${new URLSearchParams(entries)}`, undefined, options)
}
const notInList = [403, 'PERSISTED_QUERY_NOT_IN_LIST']
const outcomeOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.errors?.[0].extensions.code,
]

describe('A registered operation', () => {
  test.each([
    ['POST', post],
    ['GET', get],
  ])('runs by its ID and by its text, over %s', async (_method, send) => {
    for (const body of [{ query }, { extensions: extensions(sha256(query)) }]) {
      const answer = await send(body)
      expect(outcomeOf(answer)).toEqual([200, undefined])
      expect(answer.body.data.problems.length).toBeGreaterThan(100)
    }
    const both = await send({ query, extensions: extensions(sha256(query)) })
    expect(outcomeOf(both)).toEqual([200, undefined])
  })

  test('can be a mutation with variables, and one of several in a document', async () => {
    expect(outcomeOf(await post({ query: create }))).toEqual([200, undefined])
    const { body } = await post({
      extensions: extensions(sha256(rename)),
      variables: { name: 'Augusta' },
    })
    expect(body.data).toEqual({ updateParty: { givenName: 'Augusta' } })
    const second = await post({ query: two, operationName: 'Two' })
    expect(second.body.data).toEqual({ environment: { name: 'SANDBOX' } })
  })

  test.each([
    ['its text', { query: events }],
    ['its ID', { query: '', extensions: extensions(sha256(events)) }],
  ])('can be a subscription over a WebSocket, by %s', async (_form, payload) => {
    const client = bank.socket()
    const received: unknown[] = []
    client.subscribe(payload, {
      next: (result) => received.push(result),
      error: (error) => received.push(error),
      complete: () => undefined,
    })
    await eventually(async () => {
      await post({ query: rename, variables: { name: `Ada ${received.length}` } })
      return received.length > 0
    })
    await client.dispose()
    expect(received[0]).toMatchObject({ data: { businessEvents: { type: /^parties\./ as never } } })
  })

  test('can be a subscription over SSE', async () => {
    const answer = await fetch(`${bank.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bank.token()}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ extensions: extensions(sha256(events)) }),
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    await answer.body!.cancel()
  })

  test('still needs a token and its scopes', async () => {
    const body = { query: rename, variables: { name: 'Eve' } }
    expect(outcomeOf(await post(body, { token: null }))[0]).toBe(401)
    const token = bank.token({ scopes: ['events:read'] })
    expect(outcomeOf(await post(body, { token }))[1]).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('Any other operation is refused', () => {
  test.each([
    ['another document', { query: foreign }],
    ['an unknown ID', { extensions: extensions(sha256(foreign)) }],
    ['one that registers itself', { query: foreign, extensions: extensions(sha256(foreign)) }],
    ['a registered one with another blank', { query: query.replace('{ ', '{  ') }],
    ['a registered one with a comment', { query: `${query}#` }],
    ['a registered one with a line end', { query: `${query}\n` }],
    ['a registered one with a byte order mark', { query: `\uFEFF${query}` }],
    ['a registered one with a second operation', { query: `${query} ${foreign}` }],
    ['the same without its name', { query: '{ problems { code } }' }],
    ['one with the name of a registered one', { query: foreign, operationName: 'Problems' }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['one that is not GraphQL', { query: '{ problems(' }],
  ])('%s', async (_what, body) => {
    expect(outcomeOf(await post(body))).toEqual(notInList)
    expect(outcomeOf(await get(body))).toEqual(notInList)
    const graphql = { headers: { accept: 'application/graphql-response+json' } }
    expect(outcomeOf(await post(body, graphql))).toEqual(notInList)
    // The refusal has registered nothing.
    expect(outcomeOf(await post(body))).toEqual(notInList)
  })

  test.each([
    [
      'the ID of a registered one with another text',
      { query: foreign, extensions: extensions(sha256(query)) },
    ],
    ['a batch', [{ query }, { query: foreign }]],
    ['an ID in uppercase', { extensions: extensions(sha256(query).toUpperCase()) }],
    [
      'another version of the protocol',
      { extensions: { persistedQuery: { version: 2, sha256Hash: sha256(query) } } },
    ],
    ['a document in an array', { query: [query] }],
    ['an ID that is a name of objects', { extensions: extensions('__proto__') }],
  ])('%s is a bad request', async (_what, body) => {
    expect(outcomeOf(await post(body))).toEqual([400, 'BAD_REQUEST'])
  })

  test('a second document beside the first one', async () => {
    const raw = `{"query":${JSON.stringify(query)},"query":${JSON.stringify(foreign)}}`
    expect(
      (await post(undefined, { raw, headers: { 'content-type': 'application/json' } })).status,
    ).toBe(400)
    const twice = new URLSearchParams([
      ['query', query],
      ['query', foreign],
    ])
    expect((await bank.rest('GET', `/graphql?${twice}`)).status).toBe(400)
    const extra = await bank.rest('POST', `/graphql?query=${encodeURIComponent(query)}`, {
      query: foreign,
    })
    expect(outcomeOf(extra)).toEqual(notInList)
  })

  test('a name that the document does not have', async () => {
    const answer = await post({ query, operationName: 'Other' })
    expect(answer.status).toBe(400)
    expect(answer.body.data).toBeUndefined()
  })

  test.each([
    ['its text', { query: 'subscription { businessEvents { type } }' }],
    [
      'its ID',
      { query: '', extensions: extensions(sha256('subscription { businessEvents { type } }')) },
    ],
  ])('a subscription over a WebSocket, by %s', async (_form, payload) => {
    const client = bank.socket()
    const errors = await new Promise((resolve) =>
      client.subscribe(payload, { next: resolve, error: resolve, complete: () => resolve(null) }),
    )
    await client.dispose()
    expect(errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }])
  })

  test('a subscription over SSE', async () => {
    const headers = { accept: 'text/event-stream' }
    const body = { query: 'subscription { businessEvents { type } }' }
    expect(outcomeOf(await post(body, { headers }))).toEqual(notInList)
  })

  test('one that another environment of the process knows', async () => {
    const open = await aPlatform('live')
    const body = { query: foreign, extensions: extensions(sha256(foreign)) }
    expect(outcomeOf(await open.rest('POST', '/graphql', body))).toEqual([200, undefined])
    const known = { extensions: extensions(sha256(foreign)) }
    expect(outcomeOf(await open.rest('POST', '/graphql', known))).toEqual([200, undefined])
    await open.stop()
    expect(outcomeOf(await post(known))).toEqual(notInList)
  })

  test('and recorded; whoever has no token learns nothing', async () => {
    expect(outcomeOf(await post({ query: foreign }, { token: null }))[0]).toBe(401)
    const { rows } = await eventually(async () => {
      const result = await bank.bank.pool.query(
        `select client_id from kernel.refusal where code = 'PERSISTED_QUERY_NOT_IN_LIST'`,
      )
      return result.rows.length > 0 && result
    })
    expect(rows[0]).toEqual({ client_id: 'test-client' })
  })
})

test('the documented REST operations work', async () => {
  const answer = await bank.rest('GET', '/v1/accounts')
  expect([answer.status, answer.body]).toEqual([200, []])
})

test.each([
  ['HTTP', 'http'],
  ['a WebSocket', 'websocket'],
] as const)('the client package follows events over %s, with its own manifest', async (_, over) => {
  const client = aClient(bank, { webSocket: WebSocket })
  const name = `Over ${over}`
  let isReceived = false
  const received = (async () => {
    for await (const event of client.events({ types: ['parties.*'], over })) return event.type
  })().finally(() => (isReceived = true))
  await eventually(async () => {
    await post({ query: rename, variables: { name: `${name} ${Math.random()}` } })
    return isReceived
  }, 20_000)
  expect(await received).toMatch(/^parties\./)
  await client.close()
})
