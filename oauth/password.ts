import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import { FailedAttempts } from './failed-attempts.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { isFromAnotherSite, readForm, sendPage } from './forms.ts'
import type { IdentityAudit } from './identity-audit.ts'
import { LogInThrottle } from './log-in-throttle.ts'
import { errorPage, passwordPage, passwordSetPage } from './pages.ts'
import { isStrongPassword, setPassword } from './people.ts'
import type { TokenRevoker } from './token-revocation.ts'

export interface PasswordOptions {
  pool: Pool
  /** The secrets of the environment. */
  ring: KeyRing
  /** Revokes access tokens. */
  revoker: TokenRevoker
  now: () => Date
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
  audit: IdentityAudit
}

const wrongCode = 'The user name or the code is wrong, or the code has expired or was used already.'
const weakPassword =
  'Choose a password of 12 to 200 characters that does not contain your user name.'

/**
 * Creates the handler of the page on which an employee sets a password with a one-time code. Wrong
 * codes are delayed like wrong passwords.
 */
export function createPasswordPage(options: PasswordOptions) {
  const { pool, ring, revoker, now, addressOf, onFailedAuthentication, audit } = options
  const kind = 'password-change'
  const throttle = new LogInThrottle(new FailedAttempts(pool, ring))

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return sendPage(response, 200, passwordPage('', null))
    if (isFromAnotherSite(request)) {
      const text = 'The form was sent from another site.'
      return sendPage(response, 403, errorPage('invalid_request', text))
    }
    const form = await readForm(request)
    if (!form) return sendPage(response, 413, errorPage('invalid_request', 'The form is too long.'))
    const username = (form.get('username') ?? '').trim().toLowerCase()
    const code = (form.get('code') ?? '').trim()
    const password = form.get('password') ?? ''
    if (!isStrongPassword(password, username)) {
      return sendPage(response, 422, passwordPage(username, weakPassword))
    }
    const attempt = { username, address: addressOf(request), isKnownDevice: false }
    const { delayMs, state } = await throttle.begin(attempt)
    if (delayMs > 0) {
      await audit.countAttempt(username, { kind, outcome: 'throttled' })
      const seconds = Math.ceil(delayMs / 1000)
      response.setHeader('retry-after', seconds)
      const alert = `Too many attempts. Wait ${seconds} seconds and try again.`
      return sendPage(response, 429, passwordPage(username, alert))
    }
    const entry = { kind, outcome: 'succeeded', person: username, detail: 'log-in-code' } as const
    const set = await audit
      .recordWith(entry, (record) => setPassword(pool, { username, code, password, record }, now()))
      .catch((error) =>
        throttle.recordFailure(attempt, state).then(() => Promise.reject(error as Error)),
      )
    if (set) {
      await throttle.recordSuccess(attempt, state)
      // Whoever knew the old password loses access.
      if (!set.isFirst) await revoker.add('subject', username)
      return sendPage(response, 200, passwordSetPage())
    }
    const count = await throttle.recordFailure(attempt, state)
    await audit.countAttempt(username, { kind, outcome: 'failed' })
    onFailedAuthentication({ kind: 'person', name: null, partyId: null, isThrottled: false, count })
    return sendPage(response, 422, passwordPage(username, wrongCode))
  }
}
