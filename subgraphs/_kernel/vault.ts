import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps what the database must not be able to tell: sealed at rest, opened where it is used. */
export interface Vault {
  /** Seals a text for its place, such as `webhook-endpoint/whk_1`; it opens nowhere else. */
  seal(text: string, place: string): string
  /** Throws what was changed, sealed elsewhere or under another key. */
  open(sealed: string, place: string): string
}

/** The name of the key in what is sealed, so that another can follow it. */
const version = 'v1'
const ivBytes = 12
const tagBytes = 16

/** A vault of one environment: AES-256-GCM under a key of its own, from that environment's secret (RFC 5869). */
export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph vault v1', 32))
  return {
    seal(text, place) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')}`
    },
    open(sealed, place) {
      const [name, text = ''] = sealed.split('.')
      if (name !== version) throw new Error(`Nothing here opens what was sealed with ${name}.`)
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
