/** Automatic persisted queries, with the link of Apollo Client and at the level of the protocol. */
import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PersistedQueries } from '../../gateway/persisted-queries.ts'
import { aSampleBank, type SampleBank } from '../contract/kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
})
afterAll(() => bank.stop())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An Apollo Client with persisted queries, and the requests that it sent. */
function anApolloClient(useGETForHashedQueries: boolean) {
  const sent: { method: string; hasQuery: boolean }[] = []
  const token = bank.token()
  const http = new HttpLink({
    uri: `${bank.url}/graphql`,
    headers: { authorization: `Bearer ${token}` },
    fetch: (address, options) => {
      const text = (options?.body as string | undefined) ?? decodeURIComponent(address as string)
      sent.push({ method: options?.method ?? 'GET', hasQuery: /[?&"]query["=]/.test(text) })
      return fetch(address, options)
    },
  })
  const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(http)
  return { sent, client: new ApolloClient({ link, cache: new InMemoryCache() }) }
}

describe('Apollo Client', () => {
  test.each([
    ['POST', false],
    ['GET', true],
  ])('sends a document once and only its hash from then on, by %s', async (method, useGet) => {
    const { client, sent } = anApolloClient(useGet)
    const name = `By${method}`
    const query = gql(`query ${name}($id: ID!) { party(partyId: $id) { partyId displayName } }`)
    for (let turn = 0; turn < 3; turn++) {
      const variables = { id: 'pty_ada' }
      const { data } = await client.query({ query, variables, fetchPolicy: 'network-only' })
      expect(data).toMatchObject({ party: { displayName: 'Ada Lovelace' } })
    }
    expect(sent).toEqual([
      { method, hasQuery: false },
      { method: 'POST', hasQuery: true },
      { method, hasQuery: false },
      { method, hasQuery: false },
    ])
  })

  test('sends mutations by POST, as hashes too', async () => {
    const { client, sent } = anApolloClient(true)
    const mutation = gql(
      `mutation Rename($name: Label!) { updateParty(input: { partyId: "pty_ada", givenName: $name }) { givenName } }`,
    )
    for (const name of ['Augusta', 'Ada']) {
      const { data } = await client.mutate({ mutation, variables: { name } })
      expect(data).toMatchObject({ updateParty: { givenName: name } })
    }
    expect(sent.map(({ method }) => method)).not.toContain('GET')
    expect(sent.map(({ hasQuery }) => hasQuery)).toEqual([false, true, false])
  })
})

describe('persisted query protocol', () => {
  const persisted = (hash: unknown, version: unknown = 1) => ({
    persistedQuery: { version, sha256Hash: hash },
  })
  const post = (body: object, options = {}) => bank.rest('POST', '/graphql', body, options)
  const get = (body: object, options = {}) => {
    const entries = Object.entries(body).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return bank.rest('GET', `/graphql?${new URLSearchParams(entries)}`, undefined, options)
  }
  const unknown = sha256('{ nobody sent this }')

  test.each([
    ['POST', post, 'application/json'],
    ['POST', post, 'application/graphql-response+json'],
    ['GET', get, 'application/json'],
    ['GET', get, 'application/graphql-response+json'],
  ])(
    'an unknown hash by %s returns status 200 and PERSISTED_QUERY_NOT_FOUND',
    async (_method, send, accept) => {
      const answer = await send({ extensions: persisted(unknown) }, { headers: { accept } })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(answer.headers.get('content-type')).toContain(accept)
      expect(answer.body).toEqual({
        errors: [
          {
            message: 'PersistedQueryNotFound',
            extensions: {
              code: 'PERSISTED_QUERY_NOT_FOUND',
              status: 404,
              retryable: false,
              requestId: answer.headers.get('x-request-id'),
            },
          },
        ],
      })
    },
  )

  test.each([
    [
      'a hash of another document',
      { query: '{ problems { code } }', extensions: persisted(unknown) },
    ],
    ['a missing hash', { extensions: persisted(undefined) }],
    ['a hash in uppercase', { extensions: persisted(unknown.toUpperCase()) }],
    ['an unsupported version', { extensions: persisted(unknown, 2) }],
    ['an extension that is not an object', { extensions: { persistedQuery: 'x' } }],
    ['neither a hash nor a document', {}],
  ])('rejects %s with BAD_REQUEST', async (_what, body) => {
    for (const answer of [await post(body), await get(body)]) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].extensions.code).toBe('BAD_REQUEST')
    }
  })

  test('a hash requires a token and the scopes of its sender', async () => {
    const query = '{ mine: parties { nodes { partyId } } }'
    const extensions = persisted(sha256(query))
    expect((await post({ query, extensions })).body.errors).toBeUndefined()
    const outsider = await post({ extensions: persisted(unknown) }, { token: null })
    expect([outsider.status, outsider.body.errors[0].extensions.code]).toEqual([
      401,
      'UNAUTHENTICATED',
    ])
    const nobody = await post({ extensions }, { token: null })
    expect(nobody.status).toBe(401)
    const poor = await post({ extensions }, { token: bank.token({ scopes: ['events:read'] }) })
    expect(poor.body).toMatchObject({
      data: { mine: null },
      errors: [{ extensions: { code: 'INSUFFICIENT_SCOPE' } }],
    })
  })

  test.each([
    ['too deep', `{ ${'party(partyId: "a") { customers { '.repeat(8)} x ${'} }'.repeat(8)} }`],
    ['invalid', '{ nobody }'],
    ['not GraphQL', '{ party('],
  ])('a document that is %s is rejected and not stored', async (_what, query) => {
    const extensions = persisted(sha256(query))
    const refused = await post({ query, extensions })
    expect(refused.status).toBe(400)
    const { errors } = (await post({ extensions })).body
    expect(errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('a stored mutation cannot run by GET', async () => {
    const query = 'mutation { updateParty(input: { partyId: "pty_ada" }) { partyId } }'
    const extensions = persisted(sha256(query))
    expect((await post({ query, extensions })).body.errors).toBeUndefined()
    for (const body of [{ extensions }, { query }]) {
      const answer = await get(body)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      expect(answer.body.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED')
    }
  })
})

describe('store of persisted queries', () => {
  test('keeps the 1000 most recently used documents', () => {
    const store = new PersistedQueries()
    for (let at = 0; at < 1000; at++) store.store(`hash-${at}`, `{ document${at} }`)
    expect(store.find('hash-0')).toBe('{ document0 }')
    store.store('hash-1000', '{ document1000 }')
    expect(store.find('hash-1')).toBeUndefined()
    expect(store.find('hash-0')).toBe('{ document0 }')
  })

  test('keeps at most 4 million characters', () => {
    const store = new PersistedQueries()
    const text = 'x'.repeat(20_000)
    for (let at = 0; at < 250; at++) store.store(`hash-${at}`, text)
    const retained = Array.from({ length: 250 }, (_, at) => store.find(`hash-${at}`)).filter(
      Boolean,
    )
    expect(retained).toHaveLength(200)
  })
})
