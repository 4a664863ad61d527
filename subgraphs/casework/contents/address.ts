import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Bank } from '../../_kernel/bank.ts'
import { addMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { PageKeys } from '../../_kernel/page-token.ts'

/** The HTTP path for uploads and downloads. */
export const contentsPath = '/document-contents'
/** The validity of a download link. */
export const readableMs = 5 * minuteMs

/** What a link permits its holder: to download one content, or to upload it once. */
export interface ContentAddress {
  use: 'read' | 'send'
  contentId: string
  fileName: string
  mediaType: string
  /** SHA-256 of the content in hexadecimal, for downloads. */
  sha256?: string
}

/**
 * Creates a link that is valid until an instant. Its token is self-contained and signed
 * (HMAC-SHA-256).
 */
export function addressOf(bank: Bank, content: ContentAddress, until: Date): string {
  const { current } = bank.pageKeys
  const payload = Buffer.from(JSON.stringify({ ...content, until: until.getTime() }))
  const signed = `${current}.${payload.toString('base64url')}`
  const token = `${signed}.${signatureOf(bank, current, signed)!.toString('base64url')}`
  return `${bank.issuer}${contentsPath}?token=${encodeURIComponent(token)}`
}

/** Creates a download link. */
export function readingAddress(bank: Bank, content: Omit<ContentAddress, 'use'>, now: Date) {
  const expiresAt = addMs(now, readableMs)
  return { url: addressOf(bank, { use: 'read', ...content }, expiresAt), expiresAt }
}

/**
 * Verifies a token and returns what it permits. Throws CONTENT_NOT_FOUND if this environment did
 * not sign it or it is for another use, and CONTENT_ADDRESS_EXPIRED if it has expired.
 */
export function openAddress(
  bank: Bank,
  token: unknown,
  use: ContentAddress['use'],
  now: Date,
): ContentAddress {
  const [keyId = '', payload = '', signature = ''] =
    typeof token === 'string' ? token.split('.') : []
  const expected = signatureOf(bank, keyId, `${keyId}.${payload}`)
  const actual = Buffer.from(signature, 'base64url')
  if (!expected || actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new Problem('CONTENT_NOT_FOUND')
  }
  const address = JSON.parse(Buffer.from(payload, 'base64url').toString()) as ContentAddress & {
    until: number
  }
  if (address.use !== use) throw new Problem('CONTENT_NOT_FOUND')
  if (address.until <= now.getTime()) throw new Problem('CONTENT_ADDRESS_EXPIRED')
  return address
}

function signatureOf({ pageKeys }: Bank, keyId: string, signed: string): Buffer | null {
  if (!Object.hasOwn(pageKeys.keys, keyId)) return null
  return createHmac('sha256', addressKey(pageKeys, keyId)).update(signed).digest()
}

/** A separate key, derived from a page token key (HKDF, RFC 5869) and rotated with it. */
function addressKey({ keys }: PageKeys, keyId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keys[keyId]!, '', 'bankgraph content address', 32))
}
