import { createContext, use, useSyncExternalStore } from 'react'
import { resumeSession, type Session } from './log-in.ts'

export type { Session } from './log-in.ts'

/** Why the person can no longer act: the session ended, or another person logged in in this browser. */
export type Interruption = 'ended' | 'other-person'

/** A token is renewed when it expires within this time. */
const marginMs = 30_000

/**
 * The session of this tab. All requests take their token from it, so that a token is renewed once
 * even if many requests need a new one.
 */
export class CurrentSession {
  #session: Session
  #interruption: Interruption | null = null
  #renewal: Promise<string> | null = null
  readonly #listeners = new Set<() => void>()

  constructor(session: Session) {
    this.#session = session
  }

  get person(): Session {
    return this.#session
  }

  get interruption(): Interruption | null {
    return this.#interruption
  }

  /** Returns a token that is valid for a while. Throws if the session has ended. */
  token(): Promise<string> {
    const { accessToken, expiresAt } = this.#session
    return Date.now() < expiresAt - marginMs ? Promise.resolve(accessToken) : this.renew()
  }

  /** Replaces the token, for example because the bank rejected it. */
  renew(): Promise<string> {
    this.#renewal ??= this.#requestToken().finally(() => (this.#renewal = null))
    return this.#renewal
  }

  async #requestToken(): Promise<string> {
    const session = await resumeSession()
    if (session?.username !== this.#session.username) {
      this.#interruption = session ? 'other-person' : 'ended'
      this.#notify()
      throw new Error('The session has ended.')
    }
    this.#session = session
    this.#interruption = null
    this.#notify()
    return session.accessToken
  }

  #notify() {
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const SessionContext = createContext<CurrentSession | null>(null)

/** Returns the session of the person who is logged in. */
export function useSession(): CurrentSession {
  const session = use(SessionContext)
  if (!session) throw new Error('Nobody is logged in.')
  return session
}

/** Returns whether the person may use operations that need a scope, such as `payments:write`. */
export function useMay(): (scope: string) => boolean {
  const { scopes } = useSession().person
  return (scope) => scopes.has(scope)
}

/** Returns why the session is interrupted; null if it is not. */
export function useInterruption(): Interruption | null {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, () => session.interruption)
}
