import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Problem } from './domain/problem.ts'

/** Keys that seal page tokens. The current one seals; older ones still open, so a key can be rotated. */
export interface PageKeys {
  current: string
  keys: Record<string, Buffer>
}

const lifetimeMs = 3 * 24 * 3600 * 1000

/**
 * Seals the sort key of the last row of a page (AES-256-GCM). `binding` names the client, the
 * operation and the filters: a token opens only under the binding it was made for.
 */
export function sealPageToken(
  pages: PageKeys,
  binding: string,
  sortKey: readonly string[],
  nowMs: number,
): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', pages.keys[pages.current]!, iv)
  cipher.setAAD(Buffer.from(binding))
  const sealed = [
    cipher.update(JSON.stringify([nowMs + lifetimeMs, ...sortKey]), 'utf8'),
    cipher.final(),
  ]
  const token = Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
  return `${pages.current}.${token}`
}

/**
 * The sort key a token holds.
 * Refuses with PAGE_TOKEN_INVALID what was not sealed under this binding, PAGE_TOKEN_EXPIRED after three days.
 */
export function openPageToken(
  pages: PageKeys,
  binding: string,
  token: string,
  nowMs: number,
): string[] {
  const [expiresAt, ...sortKey] = unseal(pages, binding, token)
  if (Number(expiresAt) <= nowMs) throw refusal('PAGE_TOKEN_EXPIRED')
  return sortKey.map(String)
}

function unseal(pages: PageKeys, binding: string, token: string): unknown[] {
  const dot = token.indexOf('.')
  const key = pages.keys[token.slice(0, dot)]
  if (dot < 1 || !Object.hasOwn(pages.keys, token.slice(0, dot)) || !key || token.length > 1000) {
    throw refusal('PAGE_TOKEN_INVALID')
  }
  const bytes = Buffer.from(token.slice(dot + 1), 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(binding))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const text = decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    return JSON.parse(text) as unknown[]
  } catch (error) {
    throw refusal('PAGE_TOKEN_INVALID', error)
  }
}

/** What a token is bound to: a digest, so that the token's own bytes stay short. */
export function pageBinding(client: string, operation: string, filters: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([client, operation, filters]))
    .digest('base64url')
}

function refusal(code: 'PAGE_TOKEN_INVALID' | 'PAGE_TOKEN_EXPIRED', cause?: unknown): Problem {
  const detail =
    code === 'PAGE_TOKEN_INVALID'
      ? 'Send the token of the previous page unchanged, with the same filters.'
      : 'Start again from the first page.'
  return new Problem(code, { errors: [{ pointer: '/after', code, detail }] }, { cause })
}
