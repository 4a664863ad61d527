import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { acrOf } from '../kernel/domain/log-in-method.ts'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import { isFromAnotherSite, readForm, redirect, sendPage } from './forms.ts'
import type { IdentityAudit } from './identity-audit.ts'
import { paths } from './metadata.ts'
import { logInPath, meets, pageSessionOf, type PageSession } from './page-session.ts'
import { errorPage } from './pages.ts'
import {
  registrationOptions,
  relyingPartyOf,
  verifyRegistration,
  type RelyingParty,
} from './passkey-ceremonies.ts'
import { parsePasskeyResponse } from './passkey-log-in.ts'
import {
  noPasskeysPage,
  notLoggedInPage,
  passkeysChangedPage,
  passkeysPage,
} from './passkey-pages.ts'
import {
  addPasskey,
  listPasskeys,
  newChallenge,
  removePasskey,
  takeChallenge,
  userHandleFor,
  type Passkey,
} from './passkeys.ts'

export interface PasskeySettingsOptions {
  pool: Pool
  issuer: string
  /** The secrets of the environment. */
  ring: KeyRing
  now: () => Date
  audit: IdentityAudit
}

/** How old the log-in may be that changes passkeys (RTS, article 4 (3) (d): five minutes). */
const maxAgeSeconds = 300
const labelPattern = /^[^\p{Cc}]{1,60}$/u

/**
 * Creates the handler of the page on which a person registers, lists and removes passkeys. The
 * person must have logged in during the last five minutes; a person who has a passkey, with a
 * passkey: a password that was stolen must not be enough to add one.
 */
export function createPasskeySettings(provider: Provider, options: PasskeySettingsOptions) {
  const { pool, issuer, now } = options
  const relyingParty = relyingPartyOf(issuer)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!relyingParty) return sendPage(response, 200, noPasskeysPage())
    // The form is read first: a person who sends it slowly must not keep an earlier permission.
    const form = request.method === 'POST' ? await readForm(request) : new URLSearchParams()
    if (!form) return sendPage(response, 413, errorPage('invalid_request', 'The form is too long.'))
    const session = await pageSessionOf(provider, pool, request, response)
    const passkeys = session ? await listPasskeys(pool, session.person.username) : []
    const requirement = { maxAgeSeconds, isPasskeyRequired: passkeys.length > 0 }
    if (!session || !meets(session, requirement, now())) {
      const state = requirement.isPasskeyRequired ? 'passkey' : 'password'
      // A person who canceled this log-in must not be sent to it again.
      const { searchParams } = new URL(request.url!, issuer)
      const isCanceled = searchParams.has('error') && searchParams.get('state') === state
      if (isCanceled) return sendPage(response, 403, notLoggedInPage(paths.passkeys))
      const path = await logInPath(provider, issuer, paths.passkeys, requirement, state)
      return redirect(response, path)
    }
    const settings = new PasskeySettings(options, relyingParty, session, passkeys)
    if (request.method !== 'POST') return sendPage(response, 200, await settings.page())
    if (isFromAnotherSite(request)) {
      const text = 'The form was sent from another site.'
      return sendPage(response, 403, errorPage('invalid_request', text))
    }
    const removedId = form.get('remove')
    const change = await (removedId === null ? settings.register(form) : settings.remove(removedId))
    if ('done' in change) return sendPage(response, 200, passkeysChangedPage(change.done))
    sendPage(response, 422, await settings.page(change.alert))
  }
}

type Outcome = { done: string } | { alert: string }

/** The passkeys of the person of one request. */
class PasskeySettings {
  readonly #options: PasskeySettingsOptions
  readonly #relyingParty: RelyingParty
  readonly #session: PageSession
  readonly #passkeys: readonly Passkey[]

  constructor(
    options: PasskeySettingsOptions,
    relyingParty: RelyingParty,
    session: PageSession,
    passkeys: readonly Passkey[],
  ) {
    this.#options = options
    this.#relyingParty = relyingParty
    this.#session = session
    this.#passkeys = passkeys
  }

  get #username(): string {
    return this.#session.person.username
  }

  get #hasUsedPasskey(): boolean {
    return this.#session.acr === acrOf.passkey
  }

  get #userHandle(): string {
    return userHandleFor(this.#username, this.#passkeys, this.#options.ring)
  }

  get #challengeSubject(): string {
    return `registration ${this.#session.uid}`
  }

  /** Renders the page, with a new challenge for registering a passkey. */
  async page(alert: string | null = null): Promise<string> {
    const { pool, now } = this.#options
    const challenge = await newChallenge(pool, this.#challengeSubject, now())
    const person = { username: this.#username, userHandle: this.#userHandle }
    const passkeys = await listPasskeys(pool, this.#username)
    const options = await registrationOptions(this.#relyingParty, person, challenge, passkeys)
    return passkeysPage(this.#username, passkeys, JSON.stringify(options), alert)
  }

  /** Registers the passkey whose response the form contains. */
  async register(form: URLSearchParams): Promise<Outcome> {
    const { pool, now } = this.#options
    const label = (form.get('label') ?? '').trim()
    if (!labelPattern.test(label)) return { alert: 'Choose a name of 1 to 60 characters.' }
    const challenge = await takeChallenge(pool, this.#challengeSubject, now())
    const response = parsePasskeyResponse(form.get('credential') ?? '')
    const created =
      challenge && response && (await verifyRegistration(this.#relyingParty, challenge, response))
    const rejection = { alert: 'The passkey was not accepted. Try again.' }
    if (!created) return rejection
    const passkey = {
      ...created,
      username: this.#username,
      userHandle: this.#userHandle,
      label,
      createdAt: now(),
      lastUsedAt: null,
    }
    const isAdded = await this.#record('passkey-registration', created.credentialId, (record) =>
      addPasskey(pool, passkey, this.#hasUsedPasskey, record),
    )
    return isAdded ? { done: 'Your passkey is registered. You can use it now.' } : rejection
  }

  /** Changes a passkey together with its record. Returns whether the change took effect. */
  async #record(
    kind: 'passkey-registration' | 'passkey-removal',
    credentialId: string,
    change: (record: [string, string]) => Promise<boolean>,
  ): Promise<boolean> {
    const entry = { kind, outcome: 'succeeded', person: this.#username } as const
    const detail = credentialId.slice(0, 100)
    const act = async (record: [string, string]) => (await change(record)) || null
    return (await this.#options.audit.recordWith({ ...entry, detail }, act)) ?? false
  }

  /** Removes a passkey of the person. Sessions and tokens stay valid. */
  async remove(credentialId: string): Promise<Outcome> {
    const unknown = { alert: 'You have no such passkey.' }
    if (!this.#hasUsedPasskey) return unknown
    const isRemoved = await this.#record('passkey-removal', credentialId, (record) =>
      removePasskey(this.#options.pool, this.#username, credentialId, record),
    )
    return isRemoved ? { done: 'The passkey is removed and cannot be used any more.' } : unknown
  }
}
