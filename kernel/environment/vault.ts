import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets and personal data at rest, so that a copy of the database does not reveal them.
 */
export interface Vault {
  /**
   * Encrypts a text. The result can only be decrypted for the same `place`, which names where it is
   * stored, such as `webhook-endpoint/whk_1`.
   */
  encrypt(text: string, place: string): string
  /**
   * Decrypts a text. Throws if the text was changed, or was encrypted for another place or with
   * another key.
   */
  decrypt(encrypted: string, place: string): string
}

/** The version of the key. Every encrypted text starts with it. */
const version = 'v1'
const ivBytes = 12
const tagBytes = 16

/**
 * Creates the vault of one environment. It uses AES-256-GCM with a key derived from the secret of
 * the environment (HKDF, RFC 5869).
 */
export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph vault v1', 32))
  return {
    encrypt(text, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const bytes = [cipher.update(text, 'utf8'), cipher.final()]
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), ...bytes]).toString('base64url')}`
    },
    decrypt(encrypted, place) {
      const [keyVersion, text = ''] = encrypted.split('.')
      if (keyVersion !== version)
        throw new Error(`The encrypted text has the unknown key version ${keyVersion}.`)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}
