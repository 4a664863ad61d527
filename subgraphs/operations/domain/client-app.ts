import { isLoopbackHost } from '../../../kernel/domain/loopback.ts'
import { isDelegable } from '../../../kernel/domain/scopes.ts'
import type { ClientAuthentication } from '../model/enumerations.ts'
import type { OAuthClient } from './oauth-client.ts'
import { Problem } from './problems.ts'

const maxUris = 20
const maxUriLength = 500

/** Throws VALIDATION_FAILED for the field at `pointer`. */
export function rejectField(pointer: string, detail: string, options?: ErrorOptions): never {
  const errors = [{ pointer, code: 'VALIDATION_FAILED' as const, detail }]
  throw new Problem('VALIDATION_FAILED', { detail, errors }, options)
}

interface AppUris {
  logoUri?: string | null
  backchannelLogoutUri?: string | null
}

/** Returns the URIs of an app, null if omitted. Throws VALIDATION_FAILED for an invalid one. */
export function requireAppUris({ logoUri = null, backchannelLogoutUri = null }: AppUris) {
  if (logoUri !== null) requireWebUri(logoUri, '/logoUri')
  if (backchannelLogoutUri !== null) requireWebUri(backchannelLogoutUri, '/backchannelLogoutUri')
  return { logoUri, backchannelLogoutUri }
}

/**
 * Checks that only a client that authenticates with its private key or its certificate has keys, and
 * that a public client has redirect URIs. Throws VALIDATION_FAILED.
 */
export function requireAuthentication(
  authentication: ClientAuthentication,
  { jwks, redirectUris }: { jwks?: object | null; redirectUris?: readonly string[] | null },
): void {
  if (authentication === 'none' && !redirectUris?.length) {
    rejectField('/authentication', 'A public client must have redirect URIs.')
  }
  const needsKeys = authentication === 'private-key' || authentication === 'certificate'
  if (needsKeys && !jwks) {
    rejectField('/jwks', 'A client that authenticates with PRIVATE_KEY or CERTIFICATE needs keys.')
  }
  if (!needsKeys && jwks) {
    const detail = 'Only a client that authenticates with PRIVATE_KEY or CERTIFICATE has keys.'
    rejectField('/jwks', detail)
  }
}

/**
 * Returns the redirect URIs of a client: those in effect or, until the first approval, the proposed
 * ones.
 */
export function redirectUrisOf({
  redirectUris,
  proposal,
}: Pick<OAuthClient, 'redirectUris' | 'proposal'>): readonly string[] {
  return redirectUris.length > 0 ? redirectUris : (proposal?.redirectUris ?? [])
}

/**
 * Checks that the redirect URIs of an app are not all removed, and that a client that acts for itself
 * gets none. Throws VALIDATION_FAILED.
 */
export function requireSameKind(
  before: readonly string[],
  redirectUris: readonly string[] | null | undefined,
): void {
  if (!redirectUris) return
  const isApp = before.length > 0
  if (isApp && redirectUris.length === 0) {
    rejectField('/redirectUris', 'An app must have at least one redirect URI.')
  }
  if (!isApp && redirectUris.length > 0) {
    rejectField(
      '/redirectUris',
      'A client that acts for itself cannot become an app. Register a new one.',
    )
  }
}

/** Checks that a client has keys. Throws STATE_CONFLICT. */
export function requireKeys({ clientId, jwks }: Pick<OAuthClient, 'clientId' | 'jwks'>): void {
  if (jwks) return
  const detail = `${clientId} does not authenticate with a key or a certificate.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId: clientId })
}

/**
 * Returns the redirect URIs without duplicates. Throws VALIDATION_FAILED for more than 20, and for a
 * URI that `requireWebUri` does not accept.
 */
export function readRedirectUris(uris: readonly string[]): string[] {
  if (uris.length > maxUris) {
    rejectField('/redirectUris', `A client can have at most ${maxUris} redirect URIs.`)
  }
  uris.forEach((uri, index) => requireWebUri(uri, `/redirectUris/${index}`))
  return [...new Set(uris)]
}

/**
 * Checks that a URI is absolute, uses HTTPS, and has no fragment and no credentials. On the loopback
 * interface, HTTP is allowed too. Throws VALIDATION_FAILED.
 */
export function requireWebUri(uri: string, pointer: string): void {
  if (uri.length > maxUriLength || !URL.canParse(uri)) {
    rejectField(pointer, `The URI must be absolute, with at most ${maxUriLength} characters.`)
  }
  const { protocol, hostname, hash, username, password } = new URL(uri)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) {
    rejectField(pointer, 'The URI must use HTTPS. Only on the loopback interface can it use HTTP.')
  }
  if (hash || uri.includes('#')) rejectField(pointer, 'The URI must not have a fragment.')
  if (username || password) rejectField(pointer, 'The URI must not contain credentials.')
}

/**
 * Checks that an app has only scopes that a person can delegate to it. Throws VALIDATION_FAILED.
 */
export function requireDelegable(scopes: readonly string[]): void {
  const index = scopes.findIndex((scope) => !isDelegable(scope))
  if (index < 0) return
  rejectField('/scopes', `Customers cannot delegate ${scopes[index]}, so an app cannot have it.`)
}
