/** The running server's credentials, for the programs of this folder. Node built-ins alone: it runs on a fresh clone. */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * What a client of an environment knows: its id, its secret and where tokens are.
 * @param {string} env `sandbox` or `live`
 * @returns {{ clientId: string, clientSecret: string, tokenEndpoint: string }}
 */
export function credentialsOf(env) {
  const path = join(resolve(root, process.env.DATA_DIR ?? '.data'), 'credentials.json')
  let credentials
  try {
    credentials = JSON.parse(readFileSync(path, 'utf8'))[env]
  } catch {
    throw new Error(`${path} cannot be read: start the server first, with npm start.`)
  }
  if (!credentials) throw new Error(`The server was started without the ${env} environment.`)
  return credentials
}

/**
 * One access token, with every scope of the client unless `scope` names some.
 * @param {{ env: string, scope?: string }} asked
 * @returns {Promise<string>}
 */
export async function requestToken({ env, scope }) {
  const { clientId, clientSecret, tokenEndpoint } = credentialsOf(env)
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  }).catch(() => {
    throw new Error(`Nobody answers at ${tokenEndpoint}: start the server first, with npm start.`)
  })
  const { access_token: token, error, error_description: why, scope: named } = await answer.json()
  if (!token) throw new Error([`${error}:`, why, ...(named ? [`(${named})`] : [])].join(' '))
  return token
}

/**
 * A token of a person on the bank's staff, for ten minutes, signed with the key in `secrets.json`. Whoever can
 * read that file can issue any token: this replaces no identity provider, it is how a bank begins.
 * @param {{ env: string, person: string, scope?: string }} asked
 * @returns {Promise<string>}
 */
export async function signPersonToken({ env, person, scope }) {
  const { clientId, tokenEndpoint } = credentialsOf(env)
  const issuer = new URL(tokenEndpoint).origin
  const path = join(resolve(root, process.env.DATA_DIR ?? '.data'), 'secrets.json')
  const { signingJwk } = JSON.parse(readFileSync(path, 'utf8'))[env]
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
  const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`).catch(() => {
    throw new Error(`Nobody answers at ${issuer}: start the server first, with npm start.`)
  })
  return (await answer.json()).scopes_supported.join(' ')
}
