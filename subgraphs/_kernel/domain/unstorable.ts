import { childPointer } from './problem-members.ts'
import { Problem } from './problem.ts'

const hostileKeys = new Set(['__proto__', 'constructor', 'prototype'])
const mostDepth = 20

/**
 * Promises that a JSON value can be stored and answered exactly as it was sent.
 * Refuses with VALIDATION_FAILED: NUL and lone surrogates (PostgreSQL and UTF-8 have no place for
 * them), keys that reach into JavaScript's prototypes, and nesting beyond 20.
 */
export function refuseUnstorable(value: unknown, pointer = '', depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw refuse(pointer, 'NUL_CHARACTER', 'NUL cannot be stored.')
    if (!value.isWellFormed()) {
      throw refuse(pointer, 'LONE_SURROGATE', 'Half of a surrogate pair is no character.')
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= mostDepth) throw refuse(pointer, 'TOO_DEEP', `Nested deeper than ${mostDepth}.`)
  if (Array.isArray(value)) {
    value.forEach((item, index) => refuseUnstorable(item, `${pointer}/${index}`, depth + 1))
    return
  }
  for (const [key, item] of Object.entries(value)) {
    const at = childPointer(pointer, key)
    if (hostileKeys.has(key)) throw refuse(at, 'KEY_RESERVED', 'This name is reserved.')
    refuseUnstorable(key, at)
    refuseUnstorable(item, at, depth + 1)
  }
}

function refuse(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
