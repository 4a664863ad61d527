/** Prints one access token from the running server and nothing else: `npm run --silent token -- --env sandbox`. */
import { parseArgs } from 'node:util'
import { requestToken } from './credentials.mjs'

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
