import { finishLogIn, logIn, resumeSession, type Session } from './log-in.ts'
import { settings } from './settings.ts'

/** Who is logged in when the page begins, or why nobody is. */
export type Beginning =
  { session: Session } | { session: null; problem: string | null; returnTo: string }

const callbackPath = '/console/callback'

/**
 * Finds out who is logged in: the person who comes from the log-in pages, or the one of the browser's
 * session. A link of the start page begins a log-in; the returned promise then never ends.
 */
export async function begin(): Promise<Beginning> {
  const isCallback = location.pathname === callbackPath
  const returnTo = isCallback ? '/console/' : location.pathname + location.search
  try {
    if (settings.logInAs) {
      await logIn({ username: settings.logInAs, returnTo: '/console/' })
      return await new Promise<never>(() => undefined)
    }
    if (isCallback) {
      const finished = await finishLogIn()
      history.replaceState(null, '', finished.returnTo)
      return { session: finished.session }
    }
    const session = await resumeSession()
    return session ? { session } : { session, problem: null, returnTo }
  } catch (error) {
    return { session: null, problem: (error as Error).message, returnTo }
  }
}
