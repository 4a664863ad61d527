import { isUtf8 } from 'node:buffer'
import { isExact } from '../kernel/domain/exact-number.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { requireStorableJson } from '../kernel/domain/unstorable.ts'

const maxDepth = 20

/**
 * Parses a JSON body without losing information. Throws:
 *
 * - MALFORMED_JSON for an empty body, invalid UTF-8, invalid JSON, a byte order mark, duplicate
 *   names in an object, and values nested deeper than 20 levels
 * - VALIDATION_FAILED for values that cannot be stored unchanged, including numbers that JavaScript
 *   cannot represent exactly
 */
export function parseStrictJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.')
  const text = body.toString('utf8')
  if (text.trim() === '') throw malformed('The body is empty. Send a JSON object.')
  if (text.charCodeAt(0) === 0xfeff) throw malformed('The body starts with a byte order mark.')
  requireUniqueNames(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(`The body is not JSON: ${(error as Error).message}.`, error)
  }
  requireStorableJson(value)
  requireExactNumbers(text, value)
  return value
}

/**
 * Matches JSON that may contain a number that is not exact. A number with at most 15 digits and no
 * exponent is always exact.
 */
const doubtfulNumber = /[\d.]{16}|[\d.][eE]/

/** Throws VALIDATION_FAILED for a number that JavaScript cannot represent exactly. */
function requireExactNumbers(text: string, value: unknown): void {
  if (!doubtfulNumber.test(text)) return
  const numbers = numbersOf(text).filter((number) => !isExact(number))
  if (numbers.length === 0) return
  const number = numbers[0]!
  const pointer = pointerTo(value, Number(number)) ?? ''
  const code = 'NUMBER_NOT_EXACT'
  const detail = `${number.slice(0, 40)} cannot be represented exactly. Send it as a string.`
  throw new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}

/** Returns the numbers in a JSON text as they are written. */
function numbersOf(text: string): string[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g) ?? []
  return tokens.filter((token) => !token.startsWith('"'))
}

/**
 * Returns the JSON pointer to the first occurrence of a number in a value; null if there is none.
 */
function pointerTo(value: unknown, number: number, pointer = ''): string | null {
  if (Object.is(value, number)) return pointer
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const itemPointer = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const found = pointerTo(item, number, itemPointer)
    if (found !== null) return found
  }
  return null
}

/**
 * Throws MALFORMED_JSON for duplicate names in an object, which `JSON.parse` would accept silently,
 * and for values that are nested too deep. Does not check the syntax; `JSON.parse` does.
 */
function requireUniqueNames(text: string): void {
  const openContainers: (Set<string> | null)[] = []
  let isNameNext = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (char === '"') {
      const end = endOfString(text, index)
      const names = openContainers.at(-1)
      if (isNameNext && names) addName(names, text.slice(index, end + 1))
      isNameNext = false
      index = end
    } else if (char === '{' || char === '[') {
      if (openContainers.length >= maxDepth)
        throw malformed(`The body is nested deeper than ${maxDepth} levels.`)
      openContainers.push(char === '{' ? new Set() : null)
      isNameNext = char === '{'
    } else if (char === '}' || char === ']') {
      openContainers.pop()
      isNameNext = false
    } else if (char === ',') isNameNext = openContainers.at(-1) instanceof Set
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text[index]
    if (char === '\\') index++
    else if (char === '"') return index
  }
  throw malformed('A string is not terminated.')
}

function addName(names: Set<string>, quoted: string): void {
  let name = quoted
  if (quoted.includes('\\')) {
    try {
      name = JSON.stringify(JSON.parse(quoted))
    } catch (error) {
      throw malformed('A name is not a JSON string.', error)
    }
  }
  if (names.has(name)) throw malformed(`The name ${name.slice(0, 80)} occurs twice in an object.`)
  names.add(name)
}

function malformed(detail: string, cause?: unknown): Problem {
  return new Problem('MALFORMED_JSON', { detail }, { cause })
}
