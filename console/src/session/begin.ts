import { finishLogIn, logIn, resumeSession, type Session } from './log-in.ts'
import { settings } from './settings.ts'

/** Who is logged in when the page begins, or why nobody is. */
export type Beginning =
  { session: Session } | { session: null; problem: string | null; returnTo: string }

const callbackPath = '/console/callback'

/**
 * Finds out who is logged in. `requested` resolves when the request is sent, and `beginning` when the
 * server has answered.
 */
export function begin(): { requested: Promise<unknown>; beginning: Promise<Beginning> } {
  let beginning!: Promise<Beginning>
  const sent = new Promise<void>((onSent) => void (beginning = findSession(onSent)))
  return { requested: Promise.race([sent, beginning]), beginning }
}

/**
 * Returns the session of the person who comes from the log-in pages, or of the one of the browser's
 * session. A link of the start page begins a log-in; the returned promise then never ends.
 */
async function findSession(onSent: () => void): Promise<Beginning> {
  const isCallback = location.pathname === callbackPath
  const returnTo = isCallback ? '/console/' : location.pathname + location.search
  try {
    if (settings.logInAs) {
      onSent()
      await logIn({ username: settings.logInAs, returnTo: '/console/' })
      return await new Promise<never>(() => undefined)
    }
    if (isCallback) {
      onSent()
      const finished = await finishLogIn()
      history.replaceState(null, '', finished.returnTo)
      return { session: finished.session }
    }
    const session = await resumeSession(onSent)
    return session ? { session } : { session, problem: null, returnTo }
  } catch (error) {
    return { session: null, problem: (error as Error).message, returnTo }
  }
}
