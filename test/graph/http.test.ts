import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocumentReader } from '../../gateway/limits.ts'
import { sandboxDocument } from '../../gateway/sandbox-document.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox')
})
afterAll(() => bank.stop())

describe('GraphQL over HTTP conformance audits', () => {
  // The list of audits does not depend on the URL, which is known only when they run.
  const audits = serverAudits({ url: 'http://unused.example' })

  test.each(audits.map(({ name, id }) => [id, name] as const))('%s %s', async (id) => {
    const audit = serverAudits({ url: `${bank.url}/graphql`, fetchFn: fetch }).find(
      (one) => one.id === id,
    )!
    const result = await audit.fn()
    const isOptional = /^(SHOULD|MAY)/.test(audit.name)
    if (isOptional) expect(['ok', 'notice', 'warn']).toContain(result.status)
    else expect(result).toMatchObject({ status: 'ok' })
  })
})

describe('limits on the cost of a document', () => {
  const nest = (depth: number) => '{party'.repeat(depth) + '{x}' + '}'.repeat(depth)
  const lines = Array.from(
    { length: 25 },
    (_, level) =>
      `fragment F${level} on Party{customers{party{...F${level + 1} ...F${level + 1}}}}`,
  )
  const doubling = `{party(partyId:"a"){...F0}} ${lines.join(' ')} fragment F25 on Party{partyId}`
  const twoMutations = `mutation { ...F } fragment F on Mutation {
    one: startKyc(customerId: "a") { customerId } two: startKyc(customerId: "b") { customerId } }`

  test.each([
    ['fragments that double, in 1.2 KB', doubling],
    ['600 levels', nest(600)],
    [
      '1,000 aliases',
      `{${Array.from({ length: 1000 }, (_, at) => `a${at}:__typename `).join('')}}`,
    ],
    ['two mutations in a fragment', twoMutations],
  ])('rejects %s in milliseconds', async (_what, query) => {
    const started = performance.now()
    const answer = await bank.graph(query)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
    // Not a performance target: without the limit it would run for seconds or out of memory.
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('answers a body of 1 MB with 413', async () => {
    const answer = await bank.graph(`{__typename} #${'x'.repeat(1 << 20)}`)
    expect(answer.status).toBe(413)
    expect(answer.body.code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('rejects a batch of operations', async () => {
    const raw = JSON.stringify([{ query: '{__typename}' }, { query: '{__typename}' }])
    expect((await bank.rest('POST', '/graphql', undefined, { raw })).status).toBe(400)
  })
})

describe('aliases named like properties of JavaScript objects', () => {
  const before = Object.getOwnPropertyNames(Object)

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__typename_'])(
    '%s is rejected and changes no built-in object',
    async (alias) => {
      const query = `{ ${alias}: problems { code status } parties { nodes { partyId } } }`
      for (let request = 0; request < 2; request++) {
        const answer = await bank.graph(query)
        expect(answer.status).toBe(400)
        expect(answer.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
      }
      const nested = `{ ${alias}: environment { prototype: name polluted: name } }`
      expect((await bank.graph(nested)).status).toBe(400)
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(Object.getOwnPropertyNames(Object)).toEqual(before)
    },
  )
})

describe('authentication and authorization', () => {
  const query = '{ party(partyId: "pty_none") { partyId } }'

  test('answers a request without a token with 401 and a challenge', async () => {
    const answer = await bank.graph(query, {}, { token: null })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
    expect(answer.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('names the missing scope', async () => {
    const token = bank.token({ scopes: ['events:read'] })
    const answer = await bank.graph(query, {}, { token })
    expect(answer.body.errors[0].extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      scope: 'parties:read',
    })
  })

  test('allows introspection without a token', async () => {
    const answer = await bank.graph('{ __schema { queryType { name } } }', {}, { token: null })
    expect(answer.body.data.__schema.queryType.name).toBe('Query')
  })
})

describe('error messages without internals', () => {
  test.each([
    ['a missing variable', 'query ($id: ID!) { party(partyId: $id) { partyId } }', {}],
    ['a number for an id', 'query ($id: ID!) { party(partyId: $id) { partyId } }', { id: 12 }],
    ['a malformed id', '{ party(partyId: "no spaces") { partyId } }', {}],
    ['NUL in a variable', 'query ($id: ID!) { party(partyId: $id) { partyId } }', { id: 'a\0' }],
    ['a lone surrogate', 'query ($id: ID!) { party(partyId: $id) { partyId } }', { id: '\ud800' }],
  ])('%s', async (_what, query, variables) => {
    const answer = await bank.graph(query, variables)
    const [error] = answer.body.errors
    expect(['VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'MALFORMED_JSON']).toContain(
      error.extensions.code,
    )
    expect(answer.text).not.toMatch(/serviceName|stack|node_modules|select |\.ts/)
  })

  test('an unknown field does not reveal internals of the schema', async () => {
    const answer = await bank.graph('{ _service { sdl } }')
    expect(answer.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
  })
})

test('the sample document of the sandbox page is valid against the schema', () => {
  for (const name of ['Ada', 'Listen']) {
    expect(new DocumentReader(bank.schema).read(sandboxDocument, name)).toMatchObject({ name })
  }
})

test('GET /graphql in a browser serves Apollo Sandbox, and /graphiql works offline', async () => {
  const attemptResult = await bank.rest('GET', '/graphql', undefined, {
    headers: { accept: 'text/html' },
    token: null,
  })
  expect(attemptResult.status).toBe(200)
  expect(attemptResult.text).toMatch(/Apollo/i)
  expect(attemptResult.text).toMatch(
    /<body[^>]*><p class="offline">Offline\? <a href="\/graphiql">/,
  )
  const styleNonce = /<style nonce="([0-9a-f]+)">\.offline/.exec(attemptResult.text)![1]
  expect(attemptResult.text).toContain(`style-src 'nonce-${styleNonce}'`)
  const graphiql = await bank.rest('GET', '/graphiql', undefined, { token: null })
  expect(graphiql.status).toBe(200)
  expect(graphiql.text).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/)
})
