import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import * as oauth from 'openid-client'

const logOutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const algorithms = ['ES256', 'PS256', 'RS256', 'EdDSA']
const maxAgeSeconds = 300

const keySets = new WeakMap<oauth.Configuration, ReturnType<typeof createRemoteJWKSet>>()

/**
 * Returns what a logout token ends: a session at the identity provider, or, without one, all
 * sessions of a person. Returns null if the token is not valid (OpenID Connect Back-Channel Logout
 * 1.0, section 2.6).
 */
export async function readLogOutToken(
  configuration: oauth.Configuration,
  token: string,
): Promise<{ sid: string | null; sub: string | null } | null> {
  const { issuer } = configuration.serverMetadata()
  const keySet = keySetOf(configuration)
  if (!keySet) return null
  try {
    const { payload } = await jwtVerify(token, keySet, {
      issuer,
      audience: configuration.clientMetadata().client_id,
      algorithms,
      maxTokenAge: maxAgeSeconds,
      clockTolerance: 5,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    const { events, sid = null, sub = null, nonce } = payload
    const isLogOut = typeof events === 'object' && events !== null && logOutEvent in events
    if (!isLogOut || nonce !== undefined) return null
    if (sid !== null && typeof sid !== 'string') return null
    return sid === null && sub === null ? null : { sid, sub }
  } catch {
    return null
  }
}

function keySetOf(configuration: oauth.Configuration) {
  const { jwks_uri: uri } = configuration.serverMetadata()
  if (uri === undefined) return undefined
  const fetch = configuration[oauth.customFetch]
  const keySet =
    keySets.get(configuration) ??
    createRemoteJWKSet(new URL(uri), fetch ? { [customFetch]: fetch as never } : {})
  keySets.set(configuration, keySet)
  return keySet
}
