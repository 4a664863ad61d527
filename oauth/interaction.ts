import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import { FailedAttempts } from './failed-attempts.ts'
import { KnownDevices } from './known-device.ts'
import { LogInThrottle } from './log-in-throttle.ts'
import { consentPage, errorPage, loginPage, pageHeaders } from './pages.ts'
import { checkPassword } from './people.ts'
import type { FailedAuthentication } from './failed-authentication.ts'

const formBytes = 8192

export interface InteractionOptions {
  pool: Pool
  audience: string
  issuer: string
  cookieKey: string
  now: () => Date
  /** Where a request comes from, as failed log-ins are counted by. */
  addressOf: (request: IncomingMessage) => string
  failed: (failure: FailedAuthentication) => void
}

interface Asked {
  details: Awaited<ReturnType<Provider['interactionDetails']>>
  client: Client
  redirectUri: string
}

/**
 * Promises the pages between the client's question and its answer: logging in, then letting the
 * client act. Every form posts to the page's own path; the library's signed cookie, which belongs to
 * that path and does not travel with a form of another site, says whose it is.
 */
export function createInteraction(provider: Provider, options: InteractionOptions) {
  const { audience } = options
  const logIn = createLogIn(options)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await askedBy(provider, request, response)
    if (!asked) {
      const text = 'This page is too old, or belongs to another browser.'
      return send(response, 400, errorPage('invalid_request', text))
    }
    const { details, redirectUri } = asked
    if (request.method !== 'POST') return send(response, 200, pageOf(asked), redirectUri)
    const form = await readForm(request)
    if (!form) return send(response, 413, errorPage('invalid_request', 'The form is too long.'))
    const answer = async (result: InteractionResults) => {
      // Merged with what was answered on the page before: a consent must not forget the log-in that
      // `prompt=login` or `max_age` demanded.
      const onwards = await provider.interactionResult(request, response, result)
      // The library's address has the host and protocol of the request, which are not the browser's
      // when a proxy speaks TLS for us.
      const { pathname } = new URL(onwards)
      response.writeHead(303, { location: pathname, 'content-length': 0 }).end()
    }
    if (form.get('decision') === 'deny') {
      return answer({ error: 'access_denied', error_description: 'The person said no.' })
    }
    if (details.prompt.name === 'consent') {
      return answer({ consent: { grantId: await grantOf(provider, asked, audience) } })
    }
    const tried = await logIn(request, form)
    if ('alert' in tried) {
      const { status, alert, username, retryAfter } = tried
      if (retryAfter) response.setHeader('retry-after', retryAfter)
      return send(response, status, pageOf(asked, username, alert), redirectUri)
    }
    response.appendHeader('set-cookie', tried.cookie)
    return answer({ login: { accountId: tried.accountId } })
  }
}

type Tried =
  | { accountId: string; cookie: string }
  | { status: number; alert: string; username: string; retryAfter?: number }

/** Checks a name and a password, with growing delays between guesses. */
function createLogIn({ pool, issuer, cookieKey, now, addressOf, failed }: InteractionOptions) {
  const throttle = new LogInThrottle(new FailedAttempts(pool, cookieKey))
  const devices = new KnownDevices(cookieKey, issuer.startsWith('https:'))

  return async (request: IncomingMessage, form: URLSearchParams): Promise<Tried> => {
    const username = (form.get('username') ?? '').trim().toLowerCase()
    const isKnownDevice = devices.isKnown(request, username, now())
    const attempt = { username, address: addressOf(request), isKnownDevice }
    const { delayMs, begun } = await throttle.begin(attempt)
    if (delayMs > 0) {
      failed({ kind: 'person', name: null, partyId: null, isThrottled: true, count: 0 })
      const retryAfter = Math.ceil(delayMs / 1000)
      const alert = `Too many tries. Wait ${retryAfter} seconds and try again.`
      return { status: 429, alert, username, retryAfter }
    }
    const password = form.get('password') ?? ''
    const { person, isRight } = await checkPassword(pool, username, password).catch((error) =>
      throttle.failed(attempt, begun).then(() => Promise.reject(error as Error)),
    )
    if (person && isRight) {
      await throttle.succeeded(attempt, begun)
      return { accountId: person.username, cookie: devices.cookieOf(person.username, now()) }
    }
    const failures = await throttle.failed(attempt, begun)
    const { username: name = null, partyId = null } = person ?? {}
    failed({ kind: 'person', name, partyId, isThrottled: false, count: failures })
    return { status: 422, alert: 'The user name or the password is wrong.', username }
  }
}

async function askedBy(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Asked | null> {
  const details = await provider.interactionDetails(request, response).catch(() => null)
  const { client_id: clientId, redirect_uri: redirectUri } = (details?.params ?? {}) as {
    client_id?: string
    redirect_uri?: string
  }
  const client = clientId && (await provider.Client.find(clientId))
  return details && client && redirectUri ? { details, client, redirectUri } : null
}

function pageOf({ details, client }: Asked, username = '', alert: string | null = null): string {
  const name = client.clientName ?? client.clientId
  if (details.prompt.name === 'login') return loginPage(name, username, alert)
  return consentPage(name, details.session!.accountId, missingScopes(details))
}

function missingScopes({ prompt }: Asked['details']): string[] {
  const missing = prompt.details['missingResourceScopes'] as Record<string, string[]> | undefined
  return Object.values(missing ?? {}).flat()
}

/** What the person allowed before, and what the client asks for now. */
async function grantOf(provider: Provider, { details, client }: Asked, audience: string) {
  const earlier = details.grantId ? await provider.Grant.find(details.grantId) : undefined
  const { accountId } = details.session!
  const grant = earlier ?? new provider.Grant({ accountId, clientId: client.clientId })
  grant.addResourceScope(audience, missingScopes(details).join(' '))
  return grant.save()
}

/** The members of a posted form; null when it is too long. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > formBytes) return null
  }
  return new URLSearchParams(text)
}

function send(response: ServerResponse, status: number, body: string, redirectUri?: string): void {
  response.writeHead(status, {
    ...pageHeaders(redirectUri),
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
