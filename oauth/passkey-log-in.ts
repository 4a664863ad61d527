import type { IncomingMessage } from 'node:http'
import type { Client } from 'oidc-provider'
import type { Pool } from 'pg'
import { acrOf, type LogInMethod } from '../kernel/domain/log-in-method.ts'
import { mayUse } from './clients.ts'
import type { auditPages } from './identity-audit.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import type { KnownDevices } from './known-device.ts'
import type { LogInThrottle } from './log-in-throttle.ts'
import { authenticationOptions, verifyAssertion, type RelyingParty } from './passkey-ceremonies.ts'
import { findPasskey, newChallenge, recordUse, takeChallenge } from './passkeys.ts'
import { findPerson, type Person } from './people.ts'

/** The result of a log-in form: the person and the method, or what the next page says. */
export type LogInOutcome =
  | { accountId: string; method: LogInMethod; cookie: string | null }
  | { status: number; alert: string; username: string; retryAfter?: number }

export interface PasskeyLogInOptions {
  pool: Pool
  relyingParty: RelyingParty
  throttle: LogInThrottle
  devices: KnownDevices
  now: () => Date
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
  audit: ReturnType<typeof auditPages>
}

/**
 * Returns the options for logging in with a passkey on the page of an interaction, as JSON. Each
 * call replaces the challenge of the page.
 */
export async function passkeyPrompt(
  { pool, relyingParty, now }: PasskeyLogInOptions,
  interactionId: string,
): Promise<string> {
  const challenge = await newChallenge(pool, subjectOf(interactionId), now())
  return JSON.stringify(await authenticationOptions(relyingParty, challenge))
}

const subjectOf = (interactionId: string) => `interaction ${interactionId}`

/**
 * Logs a person in with the passkey whose response a form contains. Failures cause the same delays
 * as wrong passwords and are reported in the same way.
 */
export async function logInWithPasskey(
  options: PasskeyLogInOptions,
  request: IncomingMessage,
  {
    credential,
    client,
    interactionId,
  }: { credential: string; client: Client; interactionId: string },
): Promise<LogInOutcome> {
  const { pool, throttle, devices, now, addressOf, onFailedAuthentication, audit } = options
  const response = parsePasskeyResponse(credential)
  const passkey = response && (await findPasskey(pool, response.id))
  const username = passkey?.username ?? ''
  const isKnownDevice = passkey !== null && devices.isKnown(request, username, now())
  const attempt = { username, address: addressOf(request), isKnownDevice }
  const { delayMs, state } = await throttle.begin(attempt)
  const failure = { kind: 'person', name: passkey?.username ?? null, partyId: null } as const
  if (delayMs > 0) {
    await audit.failedLogIn(client, username, 'throttled')
    onFailedAuthentication({ ...failure, name: null, isThrottled: true, count: 0 })
    const retryAfter = Math.ceil(delayMs / 1000)
    const alert = `Too many attempts. Wait ${retryAfter} seconds and try again.`
    return { status: 429, alert, username: '', retryAfter }
  }
  const verify = async (): Promise<Person | null> => {
    const challenge = await takeChallenge(pool, subjectOf(interactionId), now())
    // The page names no person, so the response must (WebAuthn, 7.2, step 6).
    const hasUserHandle = typeof response?.response['userHandle'] === 'string'
    if (!challenge || !passkey || !hasUserHandle) return null
    return usePasskey(options, challenge, passkey, response)
  }
  const person = await verify().catch((error) =>
    throttle.recordFailure(attempt, state).then(() => Promise.reject(error as Error)),
  )
  if (person) {
    await throttle.recordSuccess(attempt, state)
    if (!mayUse(client, person)) {
      await audit.failedLogIn(client, username, 'denied')
      const alert = 'Employees of the bank cannot log in to this app.'
      return { status: 422, alert, username }
    }
    await audit.logIn(client, person, acrOf.passkey)
    const cookie = devices.cookieOf(username, now())
    return { accountId: username, method: 'passkey', cookie }
  }
  const count = await throttle.recordFailure(attempt, state)
  const owner = passkey && (await findPerson(pool, username))
  const partyId = owner?.partyId ?? null
  onFailedAuthentication({ ...failure, partyId, isThrottled: false, count })
  await audit.failedLogIn(client, username, 'failed')
  return { status: 422, alert: 'The passkey was not accepted. Try again.', username: '' }
}

/** A response of an authenticator. Only the credential ID is known to be a text. */
export interface PasskeyResponse {
  id: string
  response: Readonly<Record<string, unknown>>
}

/** Parses the response of an authenticator, which is unvalidated input; null if it is not one. */
export function parsePasskeyResponse(text: string): PasskeyResponse | null {
  try {
    const value = JSON.parse(text) as { id?: unknown; response?: unknown } | null
    const isResponse = typeof value?.id === 'string' && typeof value.response === 'object'
    return isResponse && value.response ? (value as PasskeyResponse) : null
  } catch {
    return null
  }
}

/**
 * Verifies the response of a passkey and records the use. Returns the owner of the passkey; null
 * if the response is not valid, if the passkey was removed, if its signature counter did not grow,
 * or if the owner may no longer log in.
 */
export async function usePasskey(
  { pool, relyingParty, now }: Pick<PasskeyLogInOptions, 'pool' | 'relyingParty' | 'now'>,
  challenge: string,
  passkey: NonNullable<Awaited<ReturnType<typeof findPasskey>>>,
  response: PasskeyResponse | null,
): Promise<Person | null> {
  if (!response) return null
  const signCount = await verifyAssertion(relyingParty, challenge, passkey, response)
  if (signCount === null) return null
  if (!(await recordUse(pool, passkey.credentialId, signCount, now()))) return null
  return findPerson(pool, passkey.username)
}
