/** Limits on the work that a caller without a valid token can cause. */
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { parseConfig } from '../../kernel/environment/config.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
let closed: Platform
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
  closed = await aPlatform('live', undefined, true, { PUBLIC_URL: 'https://bank.example' })
})
afterAll(async () => {
  await bank.stop()
  await closed.stop()
})

/**
 * Fetches a page and reads it to its end, so that an open connection does not delay the server's
 * stop.
 */
async function load(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response
}

const codeOf = async (query: string, options: object = { token: null }) =>
  (await bank.graph(query, {}, options)).body.errors?.[0]?.extensions.code as string | undefined

describe('Introspection', () => {
  test('computes the result of a document once, so that repetitions are not rate-limited', async () => {
    const query = getIntrospectionQuery()
    const first = await bank.graph(query, {}, { token: null })
    expect(first.body.data.__schema.types.length).toBeGreaterThan(100)
    // Ten new documents are allowed at once and one more each second, so these are sent at once.
    const repeated = await Promise.all(
      Array.from({ length: 40 }, () => bank.graph(query, {}, { token: null })),
    )
    for (const { text } of repeated) expect(text).toBe(first.text)
  })

  test('rejects a repeated meta field, under an alias or in a fragment', async () => {
    const fields = '{ types { name } }'
    for (const query of [
      `{ a: __schema ${fields} b: __schema ${fields} }`,
      `{ a: __type(name: "Query") { name } b: __type(name: "Query") { name } }`,
      `{ ...F a: __schema ${fields} } fragment F on Query { __schema ${fields} }`,
    ]) {
      expect(await codeOf(query)).toBe('QUERY_TOO_COMPLEX')
      expect(await codeOf(query, {})).toBe('QUERY_TOO_COMPLEX')
    }
  })

  test('limits the rate of documents that were not seen before', async () => {
    const codes = []
    for (let n = 0; n < 30; n++)
      codes.push(await codeOf(`{ a${n}: __schema { queryType { name } } }`))
    expect(codes).toContain('RATE_LIMITED')
    expect(await codeOf(getIntrospectionQuery())).toBeUndefined()
  })

  test('is off, with GraphiQL, in a live environment with a public URL by default', async () => {
    for (const options of [{ token: null }, {}]) {
      const { body } = await closed.graph('{ __schema { queryType { name } } }', {}, options)
      expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    }
    const named = await closed.graph('{ __typename }', {}, { token: null })
    expect(named.body.data.__typename).toBe('Query')
    expect((await load(`${closed.url}/graphiql`)).status).toBe(404)
    const page = await load(`${closed.url}/graphql`, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(400)
    expect((await load(`${bank.url}/graphiql`)).status).toBe(200)
    expect(parseConfig({ INTROSPECTION: 'off' }).introspection).toBe(false)
    expect(() => parseConfig({ INTROSPECTION: 'maybe' })).toThrow('INTROSPECTION must be on or off')
  })
})

test('verifies the token before it validates a document', async () => {
  expect(await codeOf('{ noSuchField }')).toBe('UNAUTHENTICATED')
  expect(await codeOf('{ noSuchField }', {})).toBe('GRAPHQL_VALIDATION_FAILED')
})

test('closes a socket with 4429 when it sends too many messages, and ignores most of them', async () => {
  const socket = new WebSocket(`${bank.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.on('open', resolve))
  const acknowledged = new Promise((resolve) => socket.once('message', resolve))
  const payload = { authorization: `Bearer ${bank.token()}` }
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  await acknowledged
  let answered = 0
  socket.on('message', () => answered++)
  for (let n = 0; n < 5000; n++) {
    const query = `subscription { businessEvents { eventId a${n}: type } }`
    socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload: { query } }))
  }
  expect(await ended).toBe(4429)
  expect(answered).toBeLessThan(300)
})

describe('Security headers', () => {
  test.each([
    '/livez',
    '/nowhere',
    '/docs',
    '/problems',
    '/oauth/nowhere',
    '/.well-known/jwks.json',
    '/oauth/logout/success',
  ])('protects %s', async (path) => {
    const { headers } = await load(bank.url + path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  test('allows only the console to show the explorer in a frame', async () => {
    const { headers } = await load(`${bank.url}/graphiql`)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })

  test('forbids API responses to load anything', async () => {
    const { headers } = await bank.graph('{ environment { name } }')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

test('requires a token with operations:read for metrics of a live environment', async () => {
  const statusWith = async (token?: string) => {
    const init = token ? { headers: { authorization: `Bearer ${token}` } } : {}
    return (await load(`${bank.url}/metrics`, init)).status
  }
  expect(await statusWith()).toBe(401)
  expect(await statusWith(bank.token({ scopes: ['accounts:read'] }))).toBe(403)
  expect(await statusWith(bank.token({ scopes: ['operations:read'] }))).toBe(200)
})

test('rejects a field repeated more than 20 times with QUERY_TOO_COMPLEX', async () => {
  const field = 'accounts { arrangementId }'
  const inPlace = (repeats: string) => `{ party(partyId: "pty_a") { ${repeats} } }`
  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ')
  expect(await codeOf(inPlace(times(20, field)), {})).toBeUndefined()
  for (const text of [field, `... { ${field} }`, `... on Party { ... { ${field} } }`]) {
    expect(await codeOf(inPlace(times(21, text)), {})).toBe('QUERY_TOO_COMPLEX')
  }
})
