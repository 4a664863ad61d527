/**
 * Prints one access token of the running server and nothing else: `npm run --silent token -- --env
 * sandbox`. With `--party pty_ada` it is a token of that customer, through a login as in a browser.
 * With `--staff liam` it is a token of an employee of the sandbox, through a login as well.
 * With `--person olga` it is a token of a member of staff, signed with the key of this
 * installation: a way to add a second person while the bank has no identity provider.
 */
import { parseArgs } from 'node:util'
import { requestToken, signPersonToken } from './credentials.mjs'
import { requestPartyToken, requestStaffToken } from './log-in.mjs'

const usage =
  'npm run --silent token -- [--env sandbox|live] [--scope "accounts:read events:read"] [--party pty_ada | --staff liam | --person olga]'

try {
  const { party, staff, person, ...options } = readOptions()
  const token = party
    ? requestPartyToken({ ...options, party })
    : staff
      ? requestStaffToken({ ...options, staff })
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
        staff: { type: 'string' },
        person: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`, { cause: error })
  }
}
