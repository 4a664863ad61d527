import { print } from 'graphql'
import { CloseCode, createClient, type Client } from 'graphql-ws'
import { useApolloClient } from '@apollo/client/react'
import { createContext, use, useEffect, useState } from 'react'
import type { CurrentSession } from '../session/session.ts'
import { lastHead } from './position.ts'
import { createRefresher } from './refresh.ts'
import { LiveEventsDocument, type EventPartsFragment } from './queries.generated.ts'

export type BankEvent = EventPartsFragment

/** Whether events arrive, or the connection to the bank is being restored. */
export type FeedState = 'connecting' | 'live' | 'interrupted'

interface FollowOptions {
  /** Follows only events about this record, such as `loan/loan_1`. */
  subject?: string | undefined
  /** Follows only events of these types, such as `lending.*`. */
  types?: readonly string[] | undefined
  /** The position after which to begin; by default that of the last answer of the graph. */
  after?: string | undefined
  onEvent: (event: BankEvent) => void
  onState?: (state: FeedState) => void
}

const retryDelaysMs = [250, 1000, 3000, 5000]
const text = print(LiveEventsDocument)

/**
 * The events of the bank as they happen, over one WebSocket for the whole console. After a lost
 * connection it continues behind the last event that arrived, so that no event is missing or doubled.
 */
export class EventFeed {
  readonly #client: Client
  readonly #session: CurrentSession

  constructor(session: CurrentSession) {
    this.#session = session
    this.#client = createClient({
      url: `${location.origin.replace(/^http/, 'ws')}/console/graphql`,
      lazy: true,
      keepAlive: 15_000,
      retryAttempts: 0,
      connectionParams: () => ({ session: session.person.handle }),
    })
  }

  /** Follows events until the returned function is called. */
  follow({ subject, types, after, onEvent, onState }: FollowOptions): () => void {
    let isStopped = false
    let position = after ?? lastHead()
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let unsubscribe: (() => void) | undefined
    const retry = (error?: unknown) => {
      if (isStopped || this.#session.interruption) return
      onState?.('interrupted')
      // If the session has ended, the renewal interrupts the page.
      if (isUnauthorized(error)) void this.#session.renew().catch(() => undefined)
      timer = setTimeout(subscribe, retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)])
    }
    const subscribe = () => {
      const variables = { subject, types, after: position }
      unsubscribe = this.#client.subscribe<{ businessEvents: BankEvent }>(
        { query: text, variables },
        {
          next: ({ data }) => {
            if (!data) return
            failures = 0
            position = data.businessEvents.position
            onEvent(data.businessEvents)
          },
          error: retry,
          complete: () => retry(),
        },
      )
    }
    const stopListening = this.#client.on('connected', () => onState?.('live'))
    onState?.('connecting')
    subscribe()
    return () => {
      isStopped = true
      clearTimeout(timer)
      stopListening()
      unsubscribe?.()
    }
  }
}

const isUnauthorized = (error: unknown) =>
  error instanceof CloseEvent && error.code === Number(CloseCode.Unauthorized)

export const EventFeedContext = createContext<EventFeed | null>(null)

export function useEventFeed(): EventFeed {
  const feed = use(EventFeedContext)
  if (!feed) throw new Error('Nobody is logged in.')
  return feed
}

/** Refreshes the page soon after something happened to one of the records, such as `loan/loan_1`. */
export const useChanges = (subjects: readonly string[]): void =>
  useRefreshAfter('subject', subjects.join(' '))

/**
 * Refreshes the page soon after an event of one of the types, such as `casework.*`: for pages about
 * many records.
 */
export const useChangesOfType = (types: readonly string[]): void =>
  useRefreshAfter('types', types.join(' '))

function useRefreshAfter(kind: 'subject' | 'types', names: string): void {
  const feed = useEventFeed()
  const client = useApolloClient()
  useEffect(() => {
    const refresher = createRefresher(client)
    const onEvent = refresher.request
    const list = names.split(' ')
    const stops =
      kind === 'types'
        ? [feed.follow({ types: list, onEvent })]
        : list.map((subject) => feed.follow({ subject, onEvent }))
    return () => {
      refresher.stop()
      for (const stop of stops) stop()
    }
  }, [feed, client, kind, names])
}

/** Which events a list shows: those about the subjects, or about everything if there are none. */
interface EventChoice extends Pick<FollowOptions, 'types' | 'after'> {
  subjects?: readonly string[]
}

/** Inserts an event where its position belongs; usually that is in front. */
function withEvent(events: readonly BankEvent[], event: BankEvent): BankEvent[] {
  const position = BigInt(event.position)
  const index = events.findIndex((other) => BigInt(other.position) < position)
  return index === -1 ? [...events, event] : events.toSpliced(index, 0, event)
}

/**
 * Returns the newest events, the newest first, and the state of the connection. A component that changes
 * what it follows needs another `key`.
 */
export function useEvents(
  { subjects = [], types, after }: EventChoice,
  limit: number,
): { events: readonly BankEvent[]; state: FeedState } {
  const feed = useEventFeed()
  const [events, setEvents] = useState<readonly BankEvent[]>([])
  const [state, setState] = useState<FeedState>('connecting')
  const typeList = types?.join(' ')
  const subjectList = subjects.join(' ')
  useEffect(() => {
    const onEvent = (event: BankEvent) => setEvents((old) => withEvent(old, event).slice(0, limit))
    const chosen = subjectList === '' ? [undefined] : subjectList.split(' ')
    const stops = chosen.map((subject) =>
      feed.follow({ subject, types: typeList?.split(' '), after, onEvent, onState: setState }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [feed, subjectList, typeList, after, limit])
  return { events, state }
}
