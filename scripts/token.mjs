/**
 * Prints one access token from the running server and nothing else: `npm run --silent token -- --env
 * sandbox`. With `--party pty_ada` it is a token of that customer, who logs in as a browser would. With
 * `--person olga` it is a token of a member of staff, signed with the key of this installation: the way
 * to a second person while the bank has no identity provider.
 */
import { parseArgs } from 'node:util'
import { requestToken, signPersonToken } from './credentials.mjs'
import { requestPartyToken } from './log-in.mjs'

const usage =
  'npm run --silent token -- [--env sandbox|live] [--scope "accounts:read events:read"] [--party pty_ada | --person olga]'

try {
  const { party, person, ...asked } = readOptions()
  const token = party
    ? requestPartyToken({ ...asked, party })
    : person
      ? signPersonToken({ ...asked, person })
      : requestToken(asked)
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
        person: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error })
  }
}
