import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import type { PageKeys } from '../../../kernel/graph/page-token.ts'

/** The HTTP path for uploads and downloads. */
export const contentsPath = '/document-contents'
/** How long a download URL is valid. */
export const readableMs = 5 * minuteMs

/**
 * The payload of a signed URL. The use `read` permits downloads of one file, and the use `send`
 * permits one upload.
 */
export interface ContentAddress {
  use: 'read' | 'send'
  contentId: string
  fileName: string
  mediaType: string
  /** The SHA-256 of the content in hexadecimal; only set for downloads. */
  sha256?: string
}

/**
 * Creates a signed URL that is valid until `expiresAt`. Its token contains the payload and an
 * HMAC-SHA-256 signature, so nothing is stored.
 */
export function addressOf(bank: Bank, content: ContentAddress, expiresAt: Date): string {
  const { current } = bank.pageKeys
  const payload = Buffer.from(JSON.stringify({ ...content, until: expiresAt.getTime() }))
  const signedPart = `${current}.${payload.toString('base64url')}`
  const token = `${signedPart}.${signatureOf(bank, current, signedPart)!.toString('base64url')}`
  return `${bank.issuer}${contentsPath}?token=${encodeURIComponent(token)}`
}

/** Creates a signed download URL, which is valid for five minutes. */
export function readingAddress(bank: Bank, content: Omit<ContentAddress, 'use'>, now: Date) {
  const expiresAt = addMs(now, readableMs)
  return { url: addressOf(bank, { use: 'read', ...content }, expiresAt), expiresAt }
}

/**
 * Verifies the token of a signed URL and returns its payload. Throws CONTENT_NOT_FOUND if the
 * signature is not from this environment or the token is for another use, and
 * CONTENT_ADDRESS_EXPIRED if the token has expired.
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

function signatureOf({ pageKeys }: Bank, keyId: string, signedPart: string): Buffer | null {
  if (!Object.hasOwn(pageKeys.keys, keyId)) return null
  return createHmac('sha256', addressKey(pageKeys, keyId)).update(signedPart).digest()
}

/**
 * Derives the signing key for URLs from a page token key (HKDF, RFC 5869). It is rotated together
 * with the page token key.
 */
function addressKey({ keys }: PageKeys, keyId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keys[keyId]!, '', 'bankgraph content address', 32))
}
