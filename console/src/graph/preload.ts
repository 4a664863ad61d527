import { ApolloLink, type ApolloClient, type OperationVariables } from '@apollo/client'
import type { TypedDocumentNode } from '@apollo/client'
import { print } from 'graphql'
import { shareReplay, tap, type Observable } from 'rxjs'

/** Sends a query before the page that shows its answer is rendered. */
export type Preload = <Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => void

interface Preloaded {
  operation: ApolloLink.Operation
  answer: Observable<ApolloLink.Result>
}

/** The preloaded queries that no page has used yet. */
const preloads = new Map<string, Preloaded>()
/** After this time, the page asks again. */
const keptMs = 5000

/** Returns a function that preloads queries with this client. */
export const preloadWith =
  (client: ApolloClient): Preload =>
  (query, variables) => {
    // Deduplicated, the page would share this query without taking its answer from `preloadLink`.
    const context = { isPreload: true, queryDeduplication: false }
    const options = { query, variables, context, fetchPolicy: 'network-only', errorPolicy: 'all' }
    void client.query(options as never).catch(() => undefined)
  }

/** Whether an operation is sent ahead of its page. */
export const isPreload = (operation: ApolloLink.Operation): boolean =>
  operation.getContext()['isPreload'] === true

/** Gives the answer to a preloaded query to the first equal query of a page. */
export const preloadLink = new ApolloLink((operation, forward) => {
  const key = `${print(operation.query)} ${JSON.stringify(operation.variables)}`
  if (isPreload(operation)) {
    const answer = forward(operation).pipe(shareReplay(1))
    preloads.set(key, { operation, answer })
    setTimeout(() => preloads.delete(key), keptMs)
    return answer
  }
  const preload = preloads.get(key)
  if (!preload) return forward(operation)
  preloads.delete(key)
  const noteRequest = () => {
    const { requestId } = preload.operation.getContext()
    operation.setContext({ requestId })
  }
  return preload.answer.pipe(tap(noteRequest))
})
