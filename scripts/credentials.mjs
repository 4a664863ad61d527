/**
 * The credentials of the running server, for the scripts of this folder. Uses only Node built-ins,
 * so that it runs on a fresh clone.
 */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Returns the client credentials of an environment and its token endpoint.
 * @param {string} env `sandbox` or `live`
 * @returns {{ clientId: string, clientSecret: string, tokenEndpoint: string }}
 */
export function credentialsOf(env) {
  const path = join(resolve(root, process.env.DATA_DIR ?? '.data'), 'credentials.json')
  let credentials
  try {
    credentials = JSON.parse(readFileSync(path, 'utf8'))[env]
  } catch {
    throw new Error(`Cannot read ${path}: start the server first, with npm start.`)
  }
  if (!credentials) throw new Error(`The server was started without the ${env} environment.`)
  return credentials
}

/**
 * Requests an access token with all scopes of the client, or those in `scope`.
 * @param {{ env: string, scope?: string }} options
 * @returns {Promise<string>}
 */
export async function requestToken({ env, scope }) {
  const { clientId, clientSecret, tokenEndpoint } = credentialsOf(env)
  if (!clientSecret) {
    throw new Error(
      'The server requires tokens that are bound to a key (SECURITY_PROFILE=fapi2): see docs/security.md.',
    )
  }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  }).catch(() => {
    throw new Error(
      `No server responds at ${tokenEndpoint}: start the server first, with npm start.`,
    )
  })
  const { access_token: token, error, ...details } = await response.json()
  if (token) return token
  const { error_description: description, scope: rejectedScopes } = details
  const suffix = rejectedScopes ? [`(${rejectedScopes})`] : []
  throw new Error([`${error}:`, description, ...suffix].join(' '))
}

/**
 * Issues a token for a member of staff, valid for ten minutes, signed with the key in
 * `secrets.json`. Anyone who can read that file can issue any token, so use this function only
 * until the bank has an identity provider.
 * @param {{ env: string, person: string, scope?: string }} options
 * @returns {Promise<string>}
 */
export async function signPersonToken({ env, person, scope }) {
  const { clientId, tokenEndpoint } = credentialsOf(env)
  const issuer = new URL(tokenEndpoint).origin
  const path = join(resolve(root, process.env.DATA_DIR ?? '.data'), 'secrets.json')
  const { signingJwk } = JSON.parse(readFileSync(path, 'utf8'))[env]
  if (!signingJwk.d) throw new Error('The signing key is in an HSM, so this command cannot use it.')
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    scope: scope ?? (await everyScope(issuer)),
    client_id: clientId,
    sub: person,
    iss: issuer,
    aud: issuer,
    iat,
    exp: iat + 600,
    jti: randomUUID(),
  }
  const header = { alg: 'ES256', typ: 'at+jwt', kid: signingJwk.kid }
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = createPrivateKey({ key: signingJwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

async function everyScope(issuer) {
  const response = await fetch(`${issuer}/.well-known/oauth-authorization-server`).catch(() => {
    throw new Error(`No server responds at ${issuer}: start the server first, with npm start.`)
  })
  return (await response.json()).scopes_supported.join(' ')
}
