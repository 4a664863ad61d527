/** How a person logged in to the embedded authorization server. */
export type LogInMethod = 'password' | 'passkey'

/**
 * The authentication context class reference (`acr`) of each method, in tokens and in `acr_values`.
 * Only a passkey is strong customer authentication: its private key is possession, and the
 * authenticator verifies the person by inherence or knowledge (Directive (EU) 2015/2366, article 4
 * (30)).
 */
export const acrOf: Readonly<Record<LogInMethod, string>> = {
  password: 'urn:bankgraph:acr:password',
  passkey: 'urn:bankgraph:acr:passkey',
}

/** The authentication methods references (`amr`) of each method (RFC 8176). */
export const amrOf: Readonly<Record<LogInMethod, readonly string[]>> = {
  password: ['pwd'],
  passkey: ['pop', 'user', 'mfa'],
}

/** Returns the classes that satisfy a requested one: itself, and those that are stronger. */
export function satisfyingAcrs(requested: string): string[] {
  if (requested === acrOf.password) return [acrOf.password, acrOf.passkey]
  return requested === acrOf.passkey ? [acrOf.passkey] : []
}
