import type { AuthorizationServer } from 'oauth4webapi'

/** A person of the sandbox as whom anybody on this machine may log in with one click. */
export interface OfferedPerson {
  username: string
  /** Who the person is, such as `Ada, customer`. */
  label: string
  isEmployee: boolean
}

/** What the server states about the environment, within the page itself. */
export interface Settings {
  environment: 'live' | 'sandbox'
  /** The metadata of the authorization server, with which no request is needed to find it. */
  authorizationServer: AuthorizationServer
  clientId: string
  /** The people offered on the log-in page; none except in a sandbox on the developer's machine. */
  people: readonly OfferedPerson[]
  /** The person as whom a link on the start page logs in. */
  logInAs: string | null
  /** The nonce that the content security policy requires of style elements. */
  nonce: string
}

export const settings: Settings = readSettings()

function readSettings(): Settings {
  const text = document.getElementById('bank')?.textContent
  if (!text) throw new Error('The page has no settings.')
  return JSON.parse(text) as Settings
}
