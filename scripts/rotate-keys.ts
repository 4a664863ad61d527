import { parseArgs } from 'node:util'
import { urlOfRunningServer } from '../host/embedded-postgres.ts'
import { openKeyStore } from '../host/pkcs11.ts'
import { removeFormerRoots } from '../host/remove-former-roots.ts'
import { rotateKey, rotations, type KeyKind } from '../host/rotate-key.ts'
import { parseConfig, type EnvironmentName } from '../kernel/environment/config.ts'

// Rotates a key of an environment: `npm run rotate-keys -- --env live --key signing`. With
// `--remove-former`, removes the former root secrets that nothing needs any more.
const options = {
  env: { type: 'string', default: 'live' },
  key: { type: 'string', default: 'signing' },
  'remove-former': { type: 'boolean', default: false },
} as const
const { env, key, 'remove-former': isRemoval } = parseArgs({ options }).values
if (env !== 'live' && env !== 'sandbox') throw new Error('--env must be live or sandbox.')
if (!Object.hasOwn(rotations, key)) {
  throw new Error(`--key must be one of ${Object.keys(rotations).join(', ')}.`)
}
if (isRemoval && key !== 'root') throw new Error('Only former root secrets are removed.')
const config = parseConfig(process.env)
const store = await openKeyStore(config)
try {
  console.log(await (isRemoval ? removeFormer(env) : rotate(env)))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  store.close()
}

function rotate(name: EnvironmentName): Promise<string> {
  return rotateKey(config.dataDir, name, key as KeyKind, new Date(), store)
}

async function removeFormer(name: EnvironmentName): Promise<string> {
  const { dataDir, databaseUrls } = config
  const url =
    databaseUrls[name] ?? (await urlOfRunningServer(`${dataDir}/postgres`, `bankgraph_${name}`))
  return removeFormerRoots(dataDir, name, url, new Date(), store)
}
