import { childPointer } from './problem-members.ts'
import { Problem } from './problem.ts'

const hostileKeys = new Set(['__proto__', 'constructor', 'prototype'])
const maxDepth = 20

/** Marks encrypted values in the database. Unicode reserves it for the use inside of programs. */
export const noncharacter = '\uFDD0'

/**
 * Throws VALIDATION_FAILED for a JSON value that cannot be stored and returned unchanged. This
 * applies to NUL characters (which PostgreSQL rejects), to lone surrogates (which UTF-8 cannot
 * represent), to the noncharacter that marks encrypted values, to keys that could change JavaScript
 * prototypes, and to values nested deeper than 20 levels.
 */
export function requireStorableJson(value: unknown, pointer = '', depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw invalid(
        pointer,
        'NUL_CHARACTER',
        'The text contains a NUL character, which cannot be stored.',
      )
    if (!value.isWellFormed()) {
      throw invalid(
        pointer,
        'LONE_SURROGATE',
        'The text contains a lone surrogate, which is not valid Unicode.',
      )
    }
    if (value.includes(noncharacter)) {
      throw invalid(
        pointer,
        'NONCHARACTER',
        'The text contains the noncharacter U+FDD0, which is reserved for the use inside of programs.',
      )
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxDepth)
    throw invalid(pointer, 'TOO_DEEP', `The value is nested deeper than ${maxDepth} levels.`)
  if (Array.isArray(value)) {
    value.forEach((item, index) => requireStorableJson(item, `${pointer}/${index}`, depth + 1))
    return
  }
  for (const [key, item] of Object.entries(value)) {
    const child = childPointer(pointer, key)
    if (hostileKeys.has(key)) throw invalid(child, 'KEY_RESERVED', 'The property name is reserved.')
    requireStorableJson(key, child)
    requireStorableJson(item, child, depth + 1)
  }
}

function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
