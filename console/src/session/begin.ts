import { resumeSession, type Session } from './log-in.ts'
import { settings } from './settings.ts'

/** Who is logged in when the page begins, or why nobody is. */
export type Beginning =
  { session: Session } | { session: null; problem: string | null; returnTo: string }

/**
 * Returns who is logged in: usually, the page says so. If it names nobody, the browser may still be
 * logged in at the authorization server.
 */
export async function begin(): Promise<Beginning> {
  const { session, problem, isOwnProvider } = settings
  const returnTo = settings.returnTo ?? location.pathname + location.search
  if (session) return { session }
  if (settings.returnTo !== null) history.replaceState(null, '', returnTo)
  if (problem !== null || !isOwnProvider) return { session, problem, returnTo }
  try {
    const resumed = await resumeSession()
    return resumed ? { session: resumed } : { session: null, problem, returnTo }
  } catch (error) {
    return { session: null, problem: (error as Error).message, returnTo }
  }
}
