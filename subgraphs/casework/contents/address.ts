import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Bank } from '../../_kernel/bank.ts'
import { addMs, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { PageKeys } from '../../_kernel/page-token.ts'

/** Where contents are served, beside the graph. */
export const contentsPath = '/document-contents'
/** How long an address for reading is good. */
export const readableMs = 5 * minuteMs

/** What an address allows, to whoever has it: to read one content, or to send it once. */
export interface ContentAddress {
  use: 'read' | 'send'
  contentId: string
  fileName: string
  mediaType: string
  /** SHA-256 in hex, of what is read. */
  sha256?: string
}

/** An address that is good until an instant: a token, signed (HMAC-SHA-256), that says all there is to know. */
export function addressOf(bank: Bank, content: ContentAddress, until: Date): string {
  const { current } = bank.pageKeys
  const payload = Buffer.from(JSON.stringify({ ...content, until: until.getTime() }))
  const signed = `${current}.${payload.toString('base64url')}`
  const token = `${signed}.${signatureOf(bank, current, signed)!.toString('base64url')}`
  return `${bank.issuer}${contentsPath}?token=${encodeURIComponent(token)}`
}

/** The address for reading, and until when it is good. */
export function readingAddress(bank: Bank, content: Omit<ContentAddress, 'use'>, now: Date) {
  const expiresAt = addMs(now, readableMs)
  return { url: addressOf(bank, { use: 'read', ...content }, expiresAt), expiresAt }
}

/**
 * What a token allows. Refuses with CONTENT_NOT_FOUND what this environment did not sign, or not
 * for this use, and with CONTENT_ADDRESS_EXPIRED what is too old.
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

/** A key of its own, from that of the page tokens (RFC 5869): it is rotated with them and serves nothing else. */
function addressKey({ keys }: PageKeys, keyId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keys[keyId]!, '', 'bankgraph content address', 32))
}
