import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useCallback, useRef, useState } from 'react'
import { problemOf } from './problem.ts'
import { refreshPage } from './refresh.ts'

/** A request that may have reached the bank although no answer arrived. */
interface Attempt {
  key: string
  /** The variables of the request: a changed request is another one and gets its own key. */
  content: string
}

const delaysMs = [500, 1500, 4000]

/** What came of a command. */
export type Outcome<Data> = { data: Data } | { error: unknown }

/** A mutation that the bank executes once, however often it is sent. */
export interface Command<Data, Variables> {
  run: (variables: Variables) => Promise<Outcome<Data>>
  isRunning: boolean
  error: unknown
  reset: () => void
}

/**
 * Returns a mutation that is executed once. All attempts with the same variables carry the same
 * idempotency key until the bank answered: a second click waits for the first, a lost connection is
 * retried, and a page that is loaded again in between sends the same key again. `id` distinguishes
 * the forms of the console, such as `transfer:arr_1`.
 */
export function useCommand<Data, Variables extends OperationVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  id: string,
): Command<Data, Variables> {
  const client = useApolloClient()
  const running = useRef<Promise<Outcome<Data>> | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = useCallback(
    (variables: Variables) => {
      const send = async (): Promise<Outcome<Data>> => {
        setIsRunning(true)
        setError(null)
        try {
          const idempotencyKey = keyOf(id, variables)
          const data = await attempt(() =>
            client
              .mutate({ mutation, variables, context: { idempotencyKey } } as never)
              .then((result) => result.data as Data),
          )
          removeAttempt(id)
          // A query that fails shows its own problem; the command succeeded all the same.
          await refreshPage(client)
          return { data }
        } catch (failure) {
          const { isAnswered, isRetryable, approvalUrl } = problemOf(failure)
          if (isAnswered && !isRetryable && approvalUrl === null) removeAttempt(id)
          setError(failure)
          return { error: failure }
        } finally {
          setIsRunning(false)
          running.current = null
        }
      }
      running.current ??= send()
      return running.current
    },
    [client, mutation, id],
  )
  return { run, isRunning, error, reset: useCallback(() => setError(null), []) }
}

/** Repeats a request to which no answer arrived. */
async function attempt<Data>(send: () => Promise<Data>): Promise<Data> {
  for (const delayMs of delaysMs) {
    try {
      return await send()
    } catch (failure) {
      const { isAnswered, isRetryable } = problemOf(failure)
      if (isAnswered || !isRetryable) throw failure
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return send()
}

function keyOf(id: string, variables: OperationVariables): string {
  const content = JSON.stringify(variables)
  const stored = sessionStorage.getItem(storageKey(id))
  const last = stored ? (JSON.parse(stored) as Attempt) : null
  if (last?.content === content) return last.key
  const key = crypto.randomUUID()
  sessionStorage.setItem(storageKey(id), JSON.stringify({ key, content } satisfies Attempt))
  return key
}

const removeAttempt = (id: string) => sessionStorage.removeItem(storageKey(id))

const storageKey = (id: string) => `bankgraph.command.${id}`
