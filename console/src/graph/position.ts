import { useApolloClient } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { HeadDocument } from './queries.generated.ts'

let head = 0n

/** Returns the end of the event log at the last answer; undefined before the first one. */
export const lastHead = (): string | undefined => (head > 0n ? String(head) : undefined)

/** Notes the end of the event log, which the graph states with every answer. */
export function noteHead(extensions: Record<string, unknown> | undefined): void {
  const position = extensions?.['position']
  if (typeof position === 'string' && BigInt(position) > head) head = BigInt(position)
}

/**
 * Returns the position in the event log that is `events` before its end; undefined until it is known.
 * Positions have no gaps, so at most this many events follow it.
 */
export function useStart(events: number): string | undefined {
  const client = useApolloClient()
  const [start, setStart] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    void client.query({ query: HeadDocument, fetchPolicy: 'network-only' }).then(() => {
      const position = head - BigInt(events)
      if (isCurrent) setStart(String(position < 0n ? 0n : position))
    })
    return () => {
      isCurrent = false
    }
  }, [client, events])
  return start
}
