import { generateKeyPairSync } from 'node:crypto'
import { signWithPrivateKey, type Sign } from '../oauth/keys.ts'
import type { SigningJwk } from './environment-secrets.ts'

/** Where the keys of the bank are generated and used: in the file of secrets, or in an HSM. */
export interface KeyStore {
  /**
   * Generates a key for signing tokens. The result has the public key, and in the file also the
   * private one.
   */
  newSigningKey(kid: string): SigningJwk
  /** Signs with a key that this store generated, or with one that the file contains. */
  sign: Sign
  /** Returns a secret in the form in which the file contains it. */
  wrap(secret: string): string
  /** Returns the secret from its form in the file. */
  unwrap(stored: string): string
  close(): void
}

/** The key store in which the file of secrets contains everything in plain text. */
export const fileKeyStore: KeyStore = {
  newSigningKey(kid) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }
  },
  sign: signWithPrivateKey,
  wrap: (secret) => secret,
  unwrap(stored) {
    if (!stored.startsWith(wrappedPrefix)) return stored
    throw new Error('The file of secrets is encrypted with a key of an HSM: set PKCS11_MODULE.')
  },
  close: () => undefined,
}

/** The prefix of the secrets in the file that are encrypted with a key of an HSM. */
export const wrappedPrefix = 'pkcs11:'
