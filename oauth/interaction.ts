import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import { acrOf, amrOf } from '../kernel/domain/log-in-method.ts'
import { isFirstParty, mayUse } from './clients.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { readForm, sendPage } from './forms.ts'
import { auditPages, type IdentityAudit } from './identity-audit.ts'
import { KnownDevices } from './known-device.ts'
import { isPasskeyRequired } from './log-in-policy.ts'
import { LogInThrottle } from './log-in-throttle.ts'
import { consentPage, errorPage, loginPage, type OfferedPerson } from './pages.ts'
import { relyingPartyOf } from './passkey-ceremonies.ts'
import { logInWithPasskey, passkeyPrompt, type LogInOutcome } from './passkey-log-in.ts'
import { checkPassword } from './people.ts'
import { chosenPerson, logInOffered } from './offered-people.ts'
import type { FailedAuthentication } from './failed-authentication.ts'

export interface InteractionOptions {
  pool: Pool
  audience: string
  issuer: string
  /** The secrets of the environment. */
  ring: KeyRing
  now: () => Date
  /** Returns the IP address of the client, by which failed logins are counted. */
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
  audit: IdentityAudit
  /** The people as whom anybody may log in without a password. */
  offeredPeople: readonly OfferedPerson[]
}

interface PendingInteraction {
  details: Awaited<ReturnType<Provider['interactionDetails']>>
  client: Client
  redirectUri: string
}

/**
 * Creates the handler of the pages between the authorization request and its response: login, then
 * consent. Each form posts to the path of its page. The signed cookie of oidc-provider identifies
 * the interaction. The cookie is bound to the path of the page, and is not sent with forms of other
 * sites.
 */
export function createInteraction(provider: Provider, options: InteractionOptions) {
  const { audience } = options
  const audit = auditPages(options.audit)
  const { logIn, prompt } = createLogIn(options)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const interaction = await pendingInteractionOf(provider, request, response)
    if (!interaction) {
      const text = 'This page has expired, or it was opened in another browser.'
      return sendPage(response, 400, errorPage('invalid_request', text))
    }
    const { details, redirectUri } = interaction
    const showPage = async (status: number, username = '', alert: string | null = null) => {
      const people = options.offeredPeople.filter(
        ({ isEmployee }) => !isEmployee || isFirstParty(interaction.client),
      )
      const page = pageText(interaction, await prompt(interaction), { username, alert, people })
      sendPage(response, status, page, redirectUri, interaction.client.logoUri)
    }
    const finish = async (result: InteractionResults) => {
      // oidc-provider merges the result with the results of earlier pages, so that a consent does
      // not lose the login that `prompt=login` or `max_age` required.
      const nextUrl = await provider.interactionResult(request, response, result)
      // The URL from oidc-provider has the host and the protocol of this request. Behind a TLS
      // proxy, these differ from what the browser uses.
      const { pathname } = new URL(nextUrl)
      response.writeHead(303, { location: pathname, 'content-length': 0 }).end()
    }
    const { client } = interaction
    const finishLogIn = (outcome: LogInOutcome) => {
      if ('alert' in outcome) {
        const { status, alert, username, retryAfter } = outcome
        if (retryAfter) response.setHeader('retry-after', retryAfter)
        return showPage(status, username, alert)
      }
      const { accountId, method, cookie } = outcome
      if (cookie) response.appendHeader('set-cookie', cookie)
      return finish({ login: { accountId, acr: acrOf[method], amr: [...amrOf[method]] } })
    }
    if (request.method !== 'POST') {
      const chosen = chosenPerson(request, details, options.offeredPeople)
      return chosen ? finishLogIn(await logInOffered(options, chosen, client)) : showPage(200)
    }
    const form = await readForm(request)
    if (!form) return sendPage(response, 413, errorPage('invalid_request', 'The form is too long.'))
    const person = details.session?.accountId ?? null
    if (form.get('decision') === 'deny') {
      const isConsent = details.prompt.name === 'consent'
      if (isConsent) await audit.consent(client, person, { outcome: 'denied' })
      return finish(denialOf(interaction))
    }
    if (details.prompt.name === 'consent') {
      const grantId = await saveGrant(provider, interaction, audience)
      const scopes = missingScopes(details)
      await audit.consent(client, person, { outcome: 'succeeded', grantId, scopes })
      return finish({ consent: { grantId } })
    }
    return finishLogIn(await logIn(request, form, interaction))
  }
}

/**
 * Returns the result of a canceled page. RFC 9470, section 5, has an error for a log-in that did not
 * reach the requested class.
 */
const denialOf = ({ details }: PendingInteraction): InteractionResults =>
  details.prompt.name === 'login' && isPasskeyRequired(details.params)
    ? {
        error: 'unmet_authentication_requirements',
        error_description: 'The user did not log in with a passkey.',
      }
    : { error: 'access_denied', error_description: 'The user denied the request.' }

/**
 * Creates the log-in with a password or a passkey, and the function that returns the options for a
 * passkey on the page of an interaction (null where passkeys are not possible).
 */
function createLogIn(options: InteractionOptions) {
  const { pool, issuer, ring } = options
  const throttle = new LogInThrottle(new FailedAttempts(pool, ring))
  const devices = new KnownDevices(ring, issuer.startsWith('https:'))
  const relyingParty = relyingPartyOf(issuer)
  const audit = auditPages(options.audit)
  const passkeys = relyingParty && { ...options, relyingParty, throttle, devices, audit }
  const logInWithPassword = createPasswordLogIn(options, throttle, devices)
  return {
    prompt: async ({ details }: PendingInteraction): Promise<string | null> =>
      passkeys && details.prompt.name === 'login' ? passkeyPrompt(passkeys, details.uid) : null,
    logIn(request: IncomingMessage, form: URLSearchParams, interaction: PendingInteraction) {
      const { client, details } = interaction
      const credential = form.get('credential')
      if (passkeys && credential !== null) {
        const interactionId = details.uid
        return logInWithPasskey(passkeys, request, { credential, client, interactionId })
      }
      if (!isPasskeyRequired(details.params)) {
        const offered = options.offeredPeople.find(
          ({ username }) => username === form.get('person'),
        )
        return offered
          ? logInOffered(options, offered.username, client)
          : logInWithPassword(request, form, client)
      }
      const alert = 'This step needs a passkey.'
      return Promise.resolve<LogInOutcome>({ status: 422, alert, username: '' })
    },
  }
}

/** Creates the check of user name and password. Repeated failures cause increasing delays. */
function createPasswordLogIn(
  { pool, now, addressOf, onFailedAuthentication, ...options }: InteractionOptions,
  throttle: LogInThrottle,
  devices: KnownDevices,
) {
  const audit = auditPages(options.audit)
  return async (
    request: IncomingMessage,
    form: URLSearchParams,
    client: Client,
  ): Promise<LogInOutcome> => {
    const username = (form.get('username') ?? '').trim().toLowerCase()
    const isKnownDevice = devices.isKnown(request, username, now())
    const attempt = { username, address: addressOf(request), isKnownDevice }
    const { delayMs, state } = await throttle.begin(attempt)
    if (delayMs > 0) {
      await audit.failedLogIn(client, username, 'throttled')
      onFailedAuthentication({
        kind: 'person',
        name: null,
        partyId: null,
        isThrottled: true,
        count: 0,
      })
      const retryAfter = Math.ceil(delayMs / 1000)
      const alert = `Too many attempts. Wait ${retryAfter} seconds and try again.`
      return { status: 429, alert, username, retryAfter }
    }
    const password = form.get('password') ?? ''
    const { person, isRight } = await checkPassword(pool, username, password).catch((error) =>
      throttle.recordFailure(attempt, state).then(() => Promise.reject(error as Error)),
    )
    if (person && isRight) {
      await throttle.recordSuccess(attempt, state)
      if (!mayUse(client, person)) {
        await audit.failedLogIn(client, username, 'denied')
        const alert = 'Employees of the bank cannot log in to this app.'
        return { status: 422, alert, username }
      }
      await audit.logIn(client, person, acrOf.password)
      const cookie = devices.cookieOf(person.username, now())
      return { accountId: person.username, method: 'password', cookie }
    }
    const failures = await throttle.recordFailure(attempt, state)
    const { username: name = null, partyId = null } = person ?? {}
    onFailedAuthentication({ kind: 'person', name, partyId, isThrottled: false, count: failures })
    await audit.failedLogIn(client, username, 'failed')
    return { status: 422, alert: 'The user name or the password is wrong.', username }
  }
}

async function pendingInteractionOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PendingInteraction | null> {
  const details = await provider.interactionDetails(request, response).catch(() => null)
  const { client_id: clientId, redirect_uri: redirectUri } = (details?.params ?? {}) as {
    client_id?: string
    redirect_uri?: string
  }
  const client = clientId && (await provider.Client.find(clientId))
  return details && client && redirectUri ? { details, client, redirectUri } : null
}

function pageText(
  { details, client }: PendingInteraction,
  passkeyOptions: string | null,
  shown: { username: string; alert: string | null; people: readonly OfferedPerson[] },
): string {
  const { username, alert, people } = shown
  const name = client.clientName ?? client.clientId
  if (details.prompt.name === 'login') {
    const isRequired = isPasskeyRequired(details.params)
    return loginPage(name, username, alert, { options: passkeyOptions, isRequired }, people)
  }
  return consentPage(name, details.session!.accountId, missingScopes(details), client.logoUri)
}

function missingScopes({ prompt }: PendingInteraction['details']): string[] {
  const missing = prompt.details['missingResourceScopes'] as Record<string, string[]> | undefined
  return Object.values(missing ?? {}).flat()
}

/**
 * Adds the scopes that the client now requests to the user's existing grant, or to a new one.
 * Returns the ID of the grant.
 */
async function saveGrant(
  provider: Provider,
  { details, client }: PendingInteraction,
  audience: string,
) {
  const existingGrant = details.grantId ? await provider.Grant.find(details.grantId) : undefined
  const { accountId } = details.session!
  const grant = existingGrant ?? new provider.Grant({ accountId, clientId: client.clientId })
  grant.addResourceScope(audience, missingScopes(details).join(' '))
  const openIdScopes = details.prompt.details['missingOIDCScope'] as string[] | undefined
  if (openIdScopes) grant.addOIDCScope(openIdScopes.join(' '))
  return grant.save()
}
