import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Text of a result that keeps dates and big integers apart from strings and numbers, so that a
 * remembered answer reads back as it was given.
 */
export function encodeAnswer(result: unknown): string {
  return JSON.stringify(tagged(result))
}

export function decodeAnswer(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    const { $date, $bigint } = value as { $date?: string; $bigint?: string }
    if ($date !== undefined) return new Date($date)
    if ($bigint !== undefined) return BigInt($bigint)
    return value
  })
}

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return { $date: value.toISOString() }
  if (Array.isArray(value)) return value.map(tagged)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined && typeof item !== 'function')
      .map(([name, item]) => [name, tagged(item)]),
  )
}

/** SHA-256 over the operation and its canonical input (RFC 8785); absent and null members are alike. */
export function fingerprint(operation: string, input: unknown): string {
  return createHash('sha256')
    .update(operation)
    .update('\n')
    .update(canonicalize(withoutNulls(input)) ?? '')
    .digest('base64url')
}

function withoutNulls(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(withoutNulls)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined && item !== null)
      .map(([name, item]) => [name, withoutNulls(item)]),
  )
}
