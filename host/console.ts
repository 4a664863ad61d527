import type { FastifyInstance } from 'fastify'
import { importJWK, type CryptoKey } from 'jose'
import * as oauth from 'openid-client'
import type { ConsoleSettings } from '../gateway/console.ts'
import type { ConsoleClient } from '../gateway/console-session/identity-provider.ts'
import { callbackPath } from '../gateway/console-session/sessions.ts'
import { isLoopbackHost } from '../kernel/domain/loopback.ts'
import type { Config, EnvironmentName } from '../kernel/environment/config.ts'
import type { ConsoleClientConfig } from '../kernel/environment/identity-provider-config.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import type { SeededClient } from '../oauth/clients.ts'
import { openIdScope } from '../oauth/grants.ts'
import { publicJwk, type SigningJwk } from '../oauth/keys.ts'
import { paths, serverMetadata } from '../oauth/metadata.ts'
import type { EnvironmentSecrets } from './environment-secrets.ts'
import type { LiveKeys } from './live-keys.ts'
import { consoleKeyOf, originalSecretOf } from './secrets.ts'
import { offeredPeople } from './staff.ts'

const clientId = 'bankgraph-console'

/** An environment whose console is served. */
interface ConsoleOptions {
  environment: EnvironmentName
  config: Config
  address: string
  secrets: EnvironmentSecrets
  keys: LiveKeys
}

/**
 * Whether this is a sandbox that only this machine can reach: at the address on which it listens, and
 * at the origin that clients use.
 */
export const isLocalSandbox = (
  environment: EnvironmentName,
  host: string,
  origin: string,
): boolean =>
  environment === 'sandbox' && isLoopbackHost(host) && isLoopbackHost(new URL(origin).hostname)

/** The console of an environment. */
export interface BankConsole {
  console: ConsoleSettings
  /** Returns how the console logs people in, if `app` serves it. */
  consoleClient(app: FastifyInstance): ConsoleClient
}

export const consoleOf = (options: ConsoleOptions): BankConsole => ({
  console: settingsOf(options),
  consoleClient: (app) => consoleClientOf(options, app),
})

/** Returns what the console of an environment must know before anybody is logged in. */
function settingsOf(options: ConsoleOptions): ConsoleSettings {
  const { environment, config, address, secrets } = options
  const isLocal = isLocalSandbox(environment, config.host, address)
  const isOwnProvider = externalClientOf(options) === null
  return {
    isOwnProvider,
    passkeysUrl: isOwnProvider ? new URL(paths.passkeys, address).href : null,
    people:
      isLocal && isOwnProvider ? offeredPeople(originalSecretOf(secrets), secrets.parties) : [],
  }
}

/** The identity provider of the bank is for live only. */
const externalClientOf = ({ environment, config }: ConsoleOptions): ConsoleClientConfig | null =>
  environment === 'live' ? config.consoleClient : null

/**
 * Returns the console as a client of the bank's own authorization server: a confidential one, with a
 * key that is derived from each root secret.
 */
export const seededConsole = (address: string, { ring }: LiveKeys): SeededClient => ({
  clientId,
  label: 'The console of the bank',
  scopes: everyScope,
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: [`${address}${callbackPath}`],
  isFirstParty: true,
  jwks: { keys: ring.accepted.map((secret) => publicJwk(consoleKeyOf(secret))) },
})

/**
 * Returns how the console is registered where people log in: at the identity provider of the bank or,
 * by default, at the authorization server of `app`, with which it speaks in this process.
 */
function consoleClientOf(options: ConsoleOptions, app: FastifyInstance): ConsoleClient {
  const { config, address, keys } = options
  const isKeyBound = config.securityProfile === 'fapi2'
  const external = externalClientOf(options)
  if (external) {
    return {
      issuer: config.identityProvider!.issuer,
      metadata: null,
      clientId: external.clientId,
      // The settings are read for each request, because a secret in a file can change.
      authenticate: (...request) => authenticationOf(externalClientOf(options)!)(...request),
      parameters: external.parameters,
      isKeyBound,
    }
  }
  const areCertificatesUsed = config.clientCertificateHeader !== null
  return {
    issuer: address,
    metadata: serverMetadata(address, config.securityProfile, areCertificatesUsed) as never,
    clientId,
    authenticate: (...request) => keyAuthentication(consoleKeyOf(keys.ring.current))(...request),
    parameters: { scope: [openIdScope, ...everyScope].join(' ') },
    isKeyBound,
    fetch: fetchFrom(app),
  }
}

const authenticationOf = ({ key, secret }: ConsoleClientConfig): oauth.ClientAuth =>
  key ? keyAuthentication(key as SigningJwk) : secretAuthentication(secret!)

const keyAuthentication =
  (jwk: SigningJwk): oauth.ClientAuth =>
  async (...request) => {
    const key = (await importJWK({ ...jwk }, 'ES256')) as CryptoKey
    return oauth.PrivateKeyJwt(jwk.kid ? { key, kid: jwk.kid } : key)(...request)
  }

/** Without other metadata, a provider accepts the secret in the header (RFC 8414, section 2). */
const secretAuthentication =
  (secret: string): oauth.ClientAuth =>
  (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const create = methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic
      : oauth.ClientSecretPost
    return create(secret)(server, ...request)
  }

/** Returns a function like `fetch` that sends requests to an app in this process. */
const fetchFrom =
  (app: FastifyInstance): oauth.CustomFetch =>
  async (url, { method, headers, body }) => {
    const { host, pathname, search } = new URL(url)
    const answer = await app.inject({
      method: method as 'POST',
      url: `${pathname}${search}`,
      headers: { ...headers, host },
      ...(body != null && { payload: String(body as URLSearchParams | string) }),
    })
    const entries = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    )
    return new Response(answer.body || null, { status: answer.statusCode, headers: entries })
  }
