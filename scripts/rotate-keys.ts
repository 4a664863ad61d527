import { parseArgs } from 'node:util'
import { rotateSigningKey } from '../host/secrets.ts'
import { parseConfig } from '../kernel/environment/config.ts'

// Creates a new signing key for the tokens of an environment: `npm run rotate-keys -- --env live`.
const { env } = parseArgs({ options: { env: { type: 'string', default: 'live' } } }).values
if (env !== 'live' && env !== 'sandbox') throw new Error('--env must be live or sandbox.')
const { kid } = await rotateSigningKey(parseConfig(process.env).dataDir, env)
console.log(
  `In a minute, ${env} signs tokens with ${kid}. Earlier tokens stay valid until they expire.`,
)
