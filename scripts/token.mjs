/**
 * Prints one access token from the running server and nothing else: `npm run --silent token -- --env
 * sandbox`. With `--party pty_ada` it is a token of that person, who logs in as a browser would.
 */
import { parseArgs } from 'node:util'
import { requestToken } from './credentials.mjs'
import { requestPartyToken } from './log-in.mjs'

const usage =
  'npm run --silent token -- [--env sandbox|live] [--scope "accounts:read events:read"] [--party pty_ada]'

try {
  const { party, ...asked } = readOptions()
  const token = party ? requestPartyToken({ ...asked, party }) : requestToken(asked)
  process.stdout.write(`${await token}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readOptions() {
  const { values } = parsed()
  if (!['sandbox', 'live'].includes(values.env)) throw new Error('--env is sandbox or live.')
  return values
}

function parsed() {
  try {
    return parseArgs({
      options: {
        env: { type: 'string', default: 'sandbox' },
        scope: { type: 'string' },
        party: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error })
  }
}
