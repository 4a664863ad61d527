/** Prints one access token from the running server and nothing else: `npm run --silent token -- --env sandbox`. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

try {
  process.stdout.write(`${await requestToken(readOptions())}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readOptions() {
  const { values } = parseArgs({
    options: { env: { type: 'string', default: 'sandbox' }, scope: { type: 'string' } },
  })
  if (!['sandbox', 'live'].includes(values.env)) throw new Error('--env is sandbox or live.')
  return values
}

async function requestToken({ env, scope }) {
  const path = join(resolve(root, process.env.DATA_DIR ?? '.data'), 'credentials.json')
  let credentials
  try {
    credentials = JSON.parse(readFileSync(path, 'utf8'))[env]
  } catch {
    throw new Error(`${path} cannot be read: start the server first, with npm start.`)
  }
  if (!credentials) throw new Error(`The server was started without the ${env} environment.`)
  const { clientId, clientSecret, tokenEndpoint } = credentials
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  }).catch(() => {
    throw new Error(`Nobody answers at ${tokenEndpoint}: start the server first, with npm start.`)
  })
  const { access_token: token, error, error_description: description } = await answer.json()
  if (!token) throw new Error(`${error}: ${description}`)
  return token
}
