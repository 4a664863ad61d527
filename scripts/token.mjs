/**
 * Prints one access token of the running server and nothing else: `npm run --silent token -- --env
 * sandbox`. With `--party pty_ada` it is a token of that customer, through a login as in a browser.
 * With `--person olga` it is a token of a member of staff, signed with the key of this
 * installation: a way to add a second person while the bank has no identity provider.
 */
import { parseArgs } from 'node:util'
import { requestToken, signPersonToken } from './credentials.mjs'
import { requestPartyToken } from './log-in.mjs'

const usage =
  'npm run --silent token -- [--env sandbox|live] [--scope "accounts:read events:read"] [--party pty_ada | --person olga]'

try {
  const { party, person, ...options } = readOptions()
  const token = party
    ? requestPartyToken({ ...options, party })
    : person
      ? signPersonToken({ ...options, person })
      : requestToken(options)
  process.stdout.write(`${await token}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readOptions() {
  const { values } = parseOptions()
  if (!['sandbox', 'live'].includes(values.env)) throw new Error('--env must be sandbox or live.')
  return values
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        env: { type: 'string', default: 'sandbox' },
        scope: { type: 'string' },
        party: { type: 'string' },
        person: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error })
  }
}
