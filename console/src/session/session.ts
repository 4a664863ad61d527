import { createContext, use, useSyncExternalStore } from 'react'
import { SessionOver } from './errors.ts'
import { readSession, resumeSession, type Session } from './log-in.ts'
import { settings } from './settings.ts'

export type { Session } from './log-in.ts'

/** Why the person can no longer act: the session ended, or another person logged in in this browser. */
export type Interruption = 'ended' | 'other-person'

/**
 * The session of this tab. All requests name it, so that a tab never acts for another person who
 * logged in meanwhile.
 */
export class CurrentSession {
  #session: Session
  #interruption: Interruption | null = null
  #renewal: Promise<void> | null = null
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

  /**
   * Finds the session with which the tab goes on after the bank rejected this one. Throws if it has
   * ended, or if another person is logged in.
   */
  renew(): Promise<void> {
    this.#renewal ??= this.#find().finally(() => (this.#renewal = null))
    return this.#renewal
  }

  async #find(): Promise<void> {
    const session = (await readSession()) ?? (settings.isOwnProvider ? await resumeSession() : null)
    if (session?.username !== this.#session.username) {
      this.#interruption = session ? 'other-person' : 'ended'
      this.#notify()
      throw new SessionOver()
    }
    this.#session = session
    this.#interruption = null
    this.#notify()
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
  return (scope) => scopes.includes(scope)
}

/** Returns why the session is interrupted; null if it is not. */
export function useInterruption(): Interruption | null {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, () => session.interruption)
}
