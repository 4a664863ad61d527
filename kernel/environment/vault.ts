import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

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
  /** The name of the key of the current root secret, which each text that it encrypts has. */
  readonly currentKeyId: string
  /** Whether a text was encrypted with the current root secret. */
  isCurrent(encrypted: string): boolean
}

const ivBytes = 12
const tagBytes = 16

interface VaultKey {
  /** The name of the key. Every encrypted text has it between its version and its bytes. */
  id: string
  bytes: Buffer
}

/**
 * Creates the vault of one environment. It uses AES-256-GCM with keys derived from the secrets of
 * the environment (HKDF, RFC 5869). The current secret encrypts, and all known ones decrypt.
 */
export function createVault(ring: KeyRing): Vault {
  const cache = new Map<string, VaultKey>()
  const keyOf = (secret: string): VaultKey => {
    const key = cache.get(secret) ?? deriveKey(secret)
    cache.set(secret, key)
    return key
  }
  /** Texts of the version `v1` do not name their key: it is the oldest one. */
  const decryptionKey = (encrypted: string): VaultKey => {
    const [version, id] = encrypted.split('.')
    const keys = ring.known.map(keyOf)
    const key = version === 'v1' ? keys.at(-1) : keys.find((each) => each.id === id)
    if (key && (version === 'v1' || version === 'v2')) return key
    throw new Error(`The encrypted text has the unknown key ${version} ${id?.slice(0, 8)}.`)
  }
  return {
    get currentKeyId() {
      return keyOf(ring.current).id
    },
    isCurrent: (encrypted) => encrypted.startsWith(`v2.${keyOf(ring.current).id}.`),
    encrypt(text, place) {
      const { id, bytes: key } = keyOf(ring.current)
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const bytes = [cipher.update(text, 'utf8'), cipher.final()]
      const encrypted = Buffer.concat([iv, cipher.getAuthTag(), ...bytes]).toString('base64url')
      return `v2.${id}.${encrypted}`
    },
    decrypt(encrypted, place) {
      const { bytes: key } = decryptionKey(encrypted)
      const bytes = Buffer.from(encrypted.slice(encrypted.lastIndexOf('.') + 1), 'base64url')
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

function deriveKey(secret: string): VaultKey {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, length))
  return {
    id: derive('bankgraph vault key name', 6).toString('base64url'),
    bytes: derive('bankgraph vault v1', 32),
  }
}
