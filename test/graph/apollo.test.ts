/** Apollo Server in front of the graph: its plugins run, and its own checks stay in place. */
import type { ApolloServerPlugin } from '@apollo/server'
import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { Apollo } from '../../gateway/apollo.ts'
import { plugins, type ApolloContext } from '../../gateway/apollo-plugins.ts'
import { DocumentReader } from '../../gateway/limits.ts'
import { PersistedQueries } from '../../gateway/persisted-queries.ts'
import { theGraph } from '../kit/platform.ts'

const query = 'query Whose { me { partyId } }'
const http = { method: 'POST', url: '/graphql', headers: { accept: 'application/json' } }
const data = { me: { partyId: 'pty_ada' } }

let apollo: Apollo | null = null
afterEach(() => apollo?.stop())

async function serve(
  plugin: ApolloServerPlugin<ApolloContext>,
  execute: ApolloContext['execute'] = () => Promise.resolve({ data }),
  { hash, queries = new PersistedQueries() }: { hash?: string; queries?: PersistedQueries } = {},
) {
  const { apiSchema } = await theGraph()
  const log = pino({ level: 'silent' })
  apollo = new Apollo(apiSchema, queries, log, [...plugins, plugin])
  await apollo.start()
  const operation = new DocumentReader(apiSchema).read(query)
  const request = { http: http as unknown as FastifyRequest, query, hash, variables: {} }
  return apollo.serve(request, { context: {} as never, operation, execute })
}

test('runs plugins, which see the caller’s context and set headers', async () => {
  const steps: string[] = []
  const step = (name: string) => () => Promise.resolve(void steps.push(name))
  const { result, status, headers } = await serve({
    requestDidStart: () =>
      Promise.resolve({
        // Documents are parsed and validated before, once.
        parsingDidStart: step('parsed'),
        validationDidStart: step('validated'),
        didResolveOperation({ contextValue, operationName, response }) {
          steps.push(`${operationName} ${contextValue.operation.hash.length}`)
          response.http.headers.set('x-plugin', 'was here')
          return Promise.resolve()
        },
        willSendResponse: step('sent'),
      }),
  })
  expect(steps).toEqual(['Whose 64', 'sent'])
  expect(result).toEqual({ data })
  expect([status, headers.get('x-plugin')]).toEqual([200, 'was here'])
})

test('passes formatted errors through, and shows them to plugins', async () => {
  const error = {
    message: 'The party does not exist.',
    locations: [{ line: 1, column: 15 }],
    path: ['me'],
    extensions: { code: 'PARTY_NOT_FOUND', retryable: false },
  }
  const seen: unknown[] = []
  const { result, status } = await serve(
    {
      requestDidStart: () =>
        Promise.resolve({
          didEncounterErrors: ({ errors }) => Promise.resolve(void seen.push(...errors)),
        }),
    },
    () => Promise.resolve({ data: { me: null }, errors: [error as never] }),
  )
  expect(result).toEqual({ data: { me: null }, errors: [error] })
  expect(status).toBe(200)
  expect(seen[0]).toBeInstanceOf(GraphQLError)
})

test('masks the error of a plugin', async () => {
  const { result, status } = await serve({
    requestDidStart: () =>
      Promise.resolve({
        didResolveOperation: () => Promise.reject(new Error('the password is secret')),
      }),
  })
  expect(status).toBe(500)
  expect(result.errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }])
  expect(JSON.stringify(result)).not.toContain('secret')
})

test('registers a persisted query', async () => {
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256').update(query).digest('hex')
  const queries = new PersistedQueries()
  await serve({}, undefined, { hash, queries })
  expect(queries.find(hash)).toBe(query)
})
