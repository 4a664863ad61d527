import type { Config, Pkcs11Config } from '../kernel/environment/config.ts'
import type { SigningJwk } from './environment-secrets.ts'
import { fileKeyStore, wrappedPrefix, type KeyStore } from './key-store.ts'
import { Pkcs11Session } from './pkcs11-session.ts'

const wrappingKey = 'bankgraph secrets'

/** Opens the configured key store: an HSM, or else the file of secrets. */
export const openKeyStore = async ({ pkcs11 }: Pick<Config, 'pkcs11'>): Promise<KeyStore> =>
  pkcs11 ? openPkcs11(pkcs11) : fileKeyStore

/**
 * Opens the key store of an HSM. The keys that it generates never leave the HSM, and the secrets in
 * the file are encrypted with a key of the HSM. Keys and secrets that the file contains in plain text
 * are used until they are rotated. Throws an Error that names the setting that is wrong.
 */
async function openPkcs11(settings: Pkcs11Config): Promise<KeyStore> {
  const session = await Pkcs11Session.open(settings)
  session.ensureWrappingKey(wrappingKey)
  /** The file is read every few seconds, and its secrets rarely change. */
  const unwrapped = new Map<string, string>()
  return {
    newSigningKey(kid) {
      const pkcs11Id = `bankgraph token ${kid}`
      const { x, y } = session.generateSigningKey(pkcs11Id)
      const point = { x: x.toString('base64url'), y: y.toString('base64url') }
      return { kty: 'EC', crv: 'P-256', ...point, kid, alg: 'ES256', use: 'sig', pkcs11Id }
    },
    sign: (jwk, data) =>
      jwk.d === undefined
        ? session.sign((jwk as SigningJwk).pkcs11Id!, data)
        : fileKeyStore.sign(jwk, data),
    wrap(secret) {
      const encrypted = session.encrypt(wrappingKey, Buffer.from(secret))
      return `${wrappedPrefix}${encrypted.toString('base64url')}`
    },
    unwrap(stored) {
      if (!stored.startsWith(wrappedPrefix)) return stored
      const known = unwrapped.get(stored)
      if (known !== undefined) return known
      const encrypted = Buffer.from(stored.slice(wrappedPrefix.length), 'base64url')
      const secret = session.decrypt(wrappingKey, encrypted).toString()
      unwrapped.set(stored, secret)
      return secret
    },
    close: () => session.close(),
  }
}
