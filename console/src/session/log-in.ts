import { NoAnswer } from './errors.ts'
import { fetchAnswer } from './fetch.ts'

/**
 * A person who is logged in. The server has the tokens; the browser has a cookie that no script can
 * read, and this name of the session, which each request repeats.
 */
export interface Session {
  handle: string
  username: string
  /** The customer's own party; null for employees. */
  partyId: string | null
  roles: readonly string[]
  scopes: readonly string[]
  expiresAt: string
}

/** How a log-in differs from the usual one. */
export interface LogInOptions {
  /** The user name to log in, if another person may still be logged in. */
  username?: string
  /** The path in the console that is shown afterwards. */
  returnTo?: string
  /** The parameters that a step-up challenge names (RFC 9470). */
  acrValues?: string
  maxAge?: string
}

const sessionPath = '/console/session'
const logInPath = `${sessionPath}/log-in`

/** Sends the browser to the bank's log-in pages. */
export function logIn({ username, returnTo, acrValues, maxAge }: LogInOptions = {}): void {
  const query = new URLSearchParams({
    return_to: returnTo ?? location.pathname + location.search,
    ...(username && { login_hint: username, prompt: 'login' }),
    ...(acrValues && { acr_values: acrValues }),
    ...(maxAge && { max_age: maxAge }),
  })
  location.assign(`${logInPath}?${query}`)
}

/** Returns who is logged in in this browser now; null if nobody is. */
export const readSession = (): Promise<Session | null> => sessionAt(sessionPath)

/**
 * Logs in without a page, if the browser is logged in at the authorization server of this origin.
 * Returns null if it is not.
 */
export const resumeSession = (): Promise<Session | null> =>
  sessionAt(`${logInPath}?${new URLSearchParams({ prompt: 'none', return_to: sessionPath })}`)

/** Ends the session, and leads to the page that ends the one at the identity provider. */
export async function logOut({ handle }: Session): Promise<void> {
  const response = await fetchAnswer(`${sessionPath}/log-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [sessionHeader]: handle },
    body: '{}',
  })
  const answer = response.ok ? ((await response.json()) as { location: string }) : null
  location.assign(answer?.location ?? '/console/')
}

/** The header with the name of the session. Pages of other origins cannot send it. */
export const sessionHeader = 'x-console-session'

async function sessionAt(path: string): Promise<Session | null> {
  const response = await fetchAnswer(path, { headers: { accept: 'application/json' } })
  if (!response.ok)
    throw new NoAnswer('The server did not answer whether you are logged in. Try again.')
  return (await response.json()) as Session | null
}
