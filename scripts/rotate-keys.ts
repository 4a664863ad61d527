import { parseArgs } from 'node:util'
import { rotateSigningKey } from '../host/secrets.ts'
import { parseConfig } from '../subgraphs/_kernel/config.ts'

// Makes a new key that signs an environment's tokens: `npm run rotate-keys -- --env live`.
const { env } = parseArgs({ options: { env: { type: 'string', default: 'live' } } }).values
if (env !== 'live' && env !== 'sandbox') throw new Error('--env is live or sandbox.')
const { kid } = await rotateSigningKey(parseConfig(process.env).dataDir, env)
console.log(
  `${env} signs with ${kid} from its next start; tokens of before stay good until they expire.`,
)
