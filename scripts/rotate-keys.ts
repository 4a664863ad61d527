import { parseArgs } from 'node:util'
import { openKeyStore } from '../host/pkcs11.ts'
import { rotateKey, rotations, type KeyKind } from '../host/rotate-key.ts'
import { parseConfig } from '../kernel/environment/config.ts'

// Rotates a key of an environment: `npm run rotate-keys -- --env live --key signing`.
const options = {
  env: { type: 'string', default: 'live' },
  key: { type: 'string', default: 'signing' },
} as const
const { env, key } = parseArgs({ options }).values
if (env !== 'live' && env !== 'sandbox') throw new Error('--env must be live or sandbox.')
if (!Object.hasOwn(rotations, key)) {
  throw new Error(`--key must be one of ${Object.keys(rotations).join(', ')}.`)
}
const config = parseConfig(process.env)
const store = await openKeyStore(config)
console.log(await rotateKey(config.dataDir, env, key as KeyKind, new Date(), store))
store.close()
