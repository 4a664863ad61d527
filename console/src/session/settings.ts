import type { Session } from './log-in.ts'

/** A person of the sandbox as whom anybody on this machine may log in with one click. */
export interface OfferedPerson {
  username: string
  /** Who the person is, such as `Ada, customer`. */
  label: string
  isEmployee: boolean
}

/** What the server states about the environment and the person, within the page itself. */
export interface Settings {
  environment: 'live' | 'sandbox'
  /** Whether people log in at this server, and not at another identity provider of the bank. */
  isOwnProvider: boolean
  /** The page on which people manage their passkeys; null if they log in elsewhere. */
  passkeysUrl: string | null
  /** The people offered on the log-in page; none except in a sandbox on the developer's machine. */
  people: readonly OfferedPerson[]
  /** Who is logged in; null if nobody is. */
  session: Session | null
  /** Why a log-in failed; null if none did. */
  problem: string | null
  /** The path that is shown after a log-in; null for that of the page. */
  returnTo: string | null
  /** The nonce that the content security policy requires of style elements. */
  nonce: string
}

export const settings: Settings = readSettings()

function readSettings(): Settings {
  const text = document.getElementById('bank')?.textContent
  if (!text) throw new Error('The page has no settings.')
  return JSON.parse(text) as Settings
}
