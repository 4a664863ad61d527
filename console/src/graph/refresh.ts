import type { ApolloClient } from '@apollo/client'

/**
 * Requests again what the page shows. A query that fails shows its own problem. Previews of a command
 * are not requested again: after the command, they are void.
 */
export const refreshPage = (client: ApolloClient): Promise<unknown> =>
  client
    .refetchQueries({
      include: 'active',
      onQueryUpdated: ({ queryName }) => !queryName?.startsWith('Preview'),
    })
    .catch(() => undefined)

/**
 * Returns a function that refreshes the page soon after it was called, once for calls that come
 * together. Calls during a refresh cause another one, since its answers may be older than they are.
 */
export function createRefresher(client: ApolloClient): { request(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isDue = false
  const run = async () => {
    isRunning = true
    while (isDue) {
      isDue = false
      await refreshPage(client)
    }
    isRunning = false
  }
  return {
    request() {
      isDue = true
      clearTimeout(timer)
      if (!isRunning) timer = setTimeout(() => void run(), delayMs)
    },
    stop() {
      isDue = false
      clearTimeout(timer)
    },
  }
}

const delayMs = 150
