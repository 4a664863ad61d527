import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { ServerError } from '@apollo/client/errors'
import { SetContextLink } from '@apollo/client/link/context'
import { catchError, from, mergeMap } from 'rxjs'
import { fetchAnswer } from '../session/fetch.ts'
import { sessionHeader } from '../session/log-in.ts'
import type { CurrentSession } from '../session/session.ts'
import { keyFields, possibleTypes } from './cache.generated.ts'
import { noteHead } from './position.ts'
import { preloadLink } from './preload.ts'
import { recordLink } from './record.ts'

/**
 * Creates the client of the graph for a person. The browser adds the cookie of the session, and each
 * request names the session. Events are followed with `EventFeed`.
 */
export function createGraphClient(session: CurrentSession): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      recordLink,
      preloadLink,
      rejectedLink(session),
      sessionLink(session),
      httpLink(),
    ]),
    cache: createCache(),
    defaultOptions: {
      // A page shows at once what is known, and what the bank says now as soon as it arrives.
      watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' },
    },
  })
}

/**
 * Returns a cache that knows each entity by the key that the graph declares, if a query selected the
 * key.
 */
const createCache = () =>
  new InMemoryCache({
    possibleTypes,
    typePolicies: Object.fromEntries(
      Object.entries(keyFields).map(([type, fields]) => [
        type,
        { keyFields: (entity) => fields.every((field) => field in entity) && [...fields] },
      ]),
    ),
  })

const sessionLink = (session: CurrentSession) =>
  new SetContextLink(({ headers, idempotencyKey }) => ({
    headers: {
      ...headers,
      [sessionHeader]: session.person.handle,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey as string }),
    },
  }))

/** What the bank says if the session has ended, or is not that of the browser any more. */
const sessionProblems = new Set<unknown>(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'TOKEN_INVALID'])

/** Repeats a request once if the bank rejected the session and the person is still logged in. */
const rejectedLink = (session: CurrentSession) =>
  new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      mergeMap((result) => {
        const isRejected = result.errors?.some(({ extensions }) =>
          sessionProblems.has(extensions?.['code']),
        )
        if (!isRejected) return [result]
        return from(session.renew()).pipe(mergeMap(() => forward(operation)))
      }),
    ),
  )

/** Sends operations over HTTP, and gives the ID of the request to the result's errors. */
function httpLink() {
  const send = new HttpLink({ uri: '/console/graphql', fetch: fetchAnswer })
  return new ApolloLink((operation, forward) =>
    send.request(operation, forward).pipe(
      catchError((error: unknown) => [answerOf(error)]),
      mergeMap((result) => {
        const { response } = operation.getContext() as { response?: Response }
        const requestId = response?.headers.get('x-request-id') ?? null
        operation.setContext({ requestId })
        noteHead(result.extensions)
        if (!result.errors) return [result]
        const errors = result.errors.map((error) => ({
          ...error,
          extensions: { ...error.extensions, requestId },
        }))
        return [{ ...result, errors, data: isOutage(result) ? null : result.data }]
      }),
    ),
  )
}

/**
 * Whether nothing was answered because of errors that pass, such as a part of the bank that is down.
 * Such an answer says nothing about the records, so it does not replace what is known of them.
 */
function isOutage({ data, errors }: ApolloLink.Result): boolean {
  const isPassing = errors?.every(({ extensions }) => extensions?.['retryable'] === true)
  return Boolean(isPassing) && Object.values(data ?? {}).every((value) => value === null)
}

/**
 * Returns the GraphQL answer that came with an HTTP status such as 401. Throws the error again if no
 * answer came.
 */
function answerOf(error: unknown): ApolloLink.Result {
  if (ServerError.is(error)) {
    try {
      const answer = JSON.parse(error.bodyText) as ApolloLink.Result
      if (answer.errors) return answer
    } catch {
      // The body is not an answer of the graph.
    }
  }
  throw error
}
