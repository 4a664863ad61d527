import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** The secrets of a test run, as they are given to its processes. */
export type RunSecrets = ReturnType<typeof createSecrets>

/** Creates the secrets of a test run. */
export function createSecrets() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' })
  return {
    clientId: 'bankgraph-test',
    clientSecret: randomBytes(32).toString('base64url'),
    pageKey: randomBytes(32).toString('base64url'),
    signingJwk: { ...jwk, kid: 'test', alg: 'ES256' as const, use: 'sig' as const },
    cookieKey: randomBytes(32).toString('base64url'),
  }
}
