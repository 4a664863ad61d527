import type { JsonWebKey } from 'node:crypto'
import type { Variables } from './variables.ts'

/** The identity provider of the bank, where its employees and customers log in. */
export interface IdentityProviderConfig {
  issuer: string
  audience: string
  jwksUri: string
  /**
   * The claim of its tokens that names the groups or roles of an employee, as a path with dots, and
   * the bank's roles for each of its values. If null, its tokens name scopes.
   */
  roles: { claim: string; rolesByValue: Record<string, readonly string[]> } | null
}

/** The console as a client of the identity provider: with a secret, or with a private key. */
export interface ConsoleClientConfig {
  clientId: string
  secret: string | null
  key: JsonWebKey | null
  /** The parameters of its authorization requests, such as `scope`. */
  parameters: Readonly<Record<string, string>>
}

/** Returns the identity provider; null if none is set. Throws an Error if settings are missing. */
export function identityProvider(variables: Variables): IdentityProviderConfig | null {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URI: jwksUri } = variables
  const { AUTH_ROLES: roleMap, AUTH_ROLES_CLAIM: claim } = variables
  const roles = roleMap
    ? { claim, rolesByValue: JSON.parse(roleMap) as Record<string, string[]> }
    : null
  if (issuer && audience && jwksUri) return { issuer, audience, jwksUri, roles }
  if (!issuer && !audience && !jwksUri && !roles) return null
  throw new Error('Set all of AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URI, or none of them.')
}

/**
 * Returns the registration of the console at the identity provider; null if none is set. Throws an
 * Error if settings are missing or contradict each other.
 */
export function consoleClient(variables: Variables): ConsoleClientConfig | null {
  const { CONSOLE_CLIENT_ID: clientId, CONSOLE_CLIENT_SECRET: secret } = variables
  const { CONSOLE_CLIENT_KEY: key, CONSOLE_LOG_IN_PARAMETERS: parameters } = variables
  if (!clientId && !secret && !key && !parameters) return null
  if (!variables.AUTH_ISSUER) throw new Error('CONSOLE_CLIENT_ID needs AUTH_ISSUER.')
  if (!clientId || Boolean(secret) === Boolean(key)) {
    throw new Error('Set CONSOLE_CLIENT_ID with CONSOLE_CLIENT_SECRET or with CONSOLE_CLIENT_KEY.')
  }
  if (variables.SECURITY_PROFILE === 'fapi2' && !key) {
    throw new Error('SECURITY_PROFILE=fapi2 needs CONSOLE_CLIENT_KEY instead of a secret.')
  }
  return {
    clientId,
    secret: secret ?? null,
    key: key ? (JSON.parse(key) as JsonWebKey) : null,
    parameters: parameters
      ? (JSON.parse(parameters) as Record<string, string>)
      : defaultParameters(variables.AUTH_AUDIENCE!),
  }
}

/** RFC 8707: a resource is named by an absolute URI. */
const defaultParameters = (audience: string): Record<string, string> => ({
  scope: 'openid',
  ...(URL.canParse(audience) && { resource: audience }),
})
