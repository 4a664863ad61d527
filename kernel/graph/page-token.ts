import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Problem } from '../domain/problem.ts'

/**
 * The keys of page tokens, by key name. `current` names the key that encrypts new tokens. The other
 * keys still decrypt older tokens. They change when the keys are rotated.
 */
export interface PageKeys {
  current: string
  keys: Record<string, Buffer>
}

/** How long a page token is valid. */
export const pageTokenLifetimeMs = 3 * 24 * 3600 * 1000

/**
 * Encrypts a sort key as a page token (AES-256-GCM). The token is only valid with the same
 * `binding`, a digest of the client, the operation and the filters. It expires after three days.
 */
export function encryptPageToken(
  pageKeys: PageKeys,
  binding: string,
  sortKey: readonly string[],
  nowMs: number,
): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', pageKeys.keys[pageKeys.current]!, iv)
  cipher.setAAD(Buffer.from(binding))
  const encrypted = [
    cipher.update(JSON.stringify([nowMs + pageTokenLifetimeMs, ...sortKey]), 'utf8'),
    cipher.final(),
  ]
  const token = Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString('base64url')
  return `${pageKeys.current}.${token}`
}

/**
 * Returns the sort key in a page token. Throws PAGE_TOKEN_INVALID if the token was changed, was
 * issued for another binding, or names a key that is not in `pageKeys`, and PAGE_TOKEN_EXPIRED
 * after three days.
 */
export function decryptPageToken(
  pageKeys: PageKeys,
  binding: string,
  token: string,
  nowMs: number,
): string[] {
  const [expiresAt, ...sortKey] = decrypt(pageKeys, binding, token)
  if (Number(expiresAt) <= nowMs) throw pageTokenProblem('PAGE_TOKEN_EXPIRED')
  return sortKey.map(String)
}

function decrypt(pageKeys: PageKeys, binding: string, token: string): unknown[] {
  const dot = token.indexOf('.')
  const keyName = token.slice(0, dot)
  const key = pageKeys.keys[keyName]
  if (dot < 1 || !Object.hasOwn(pageKeys.keys, keyName) || !key || token.length > 1000) {
    throw pageTokenProblem('PAGE_TOKEN_INVALID')
  }
  const bytes = Buffer.from(token.slice(dot + 1), 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(binding))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const text = decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    return JSON.parse(text) as unknown[]
  } catch (error) {
    throw pageTokenProblem('PAGE_TOKEN_INVALID', error)
  }
}

/** Returns the binding of a page token: a digest of the client, the operation and the filters. */
export function pageBinding(client: string, operation: string, filters: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([client, operation, filters]))
    .digest('base64url')
}

function pageTokenProblem(
  code: 'PAGE_TOKEN_INVALID' | 'PAGE_TOKEN_EXPIRED',
  cause?: unknown,
): Problem {
  const detail =
    code === 'PAGE_TOKEN_INVALID'
      ? 'Send the token of the previous page unchanged, with the same filters.'
      : 'Start again from the first page.'
  return new Problem(code, { errors: [{ pointer: '/after', code, detail }] }, { cause })
}
