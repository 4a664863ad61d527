import type { IncomingMessage } from 'node:http'
import type { Client } from 'oidc-provider'
import type { Pool } from 'pg'
import { acrOf } from '../kernel/domain/log-in-method.ts'
import { mayUse } from './clients.ts'
import { auditPages, type IdentityAudit } from './identity-audit.ts'
import { isPasskeyRequired } from './log-in-policy.ts'
import type { OfferedPerson } from './pages.ts'
import type { LogInOutcome } from './passkey-log-in.ts'
import { findPerson } from './people.ts'

/**
 * Returns the user name of the offered person whom a page of this server named in `login_hint`;
 * undefined if the log-in page must be shown. Other sites cannot choose whom a browser logs in:
 * browsers state where a request comes from.
 */
export function chosenPerson(
  { headers }: IncomingMessage,
  { prompt, params }: { prompt: { name: string }; params: Record<string, unknown> },
  offeredPeople: readonly OfferedPerson[],
): string | undefined {
  if (prompt.name !== 'login' || isPasskeyRequired(params)) return undefined
  if (headers['sec-fetch-site'] !== 'same-origin') return undefined
  return offeredPeople.find(({ username }) => username === params['login_hint'])?.username
}

/** Logs in a person whom the log-in page offers, without a password. */
export async function logInOffered(
  { pool, audit }: { pool: Pool; audit: IdentityAudit },
  username: string,
  client: Client,
): Promise<LogInOutcome> {
  const person = await findPerson(pool, username)
  if (!person || !mayUse(client, person)) {
    return { status: 422, alert: 'This person cannot log in to this app.', username }
  }
  await auditPages(audit).logIn(client, person, acrOf.password)
  return { accountId: username, method: 'password', cookie: null }
}
