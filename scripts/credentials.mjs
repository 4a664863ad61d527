/** The running server's credentials, for the programs of this folder. Node built-ins alone: it runs on a fresh clone. */
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
