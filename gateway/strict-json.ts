import { isUtf8 } from 'node:buffer'
import { isExact } from '../subgraphs/_kernel/domain/exact-number.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { refuseUnstorable } from '../subgraphs/_kernel/domain/unstorable.ts'

const mostDepth = 20

/**
 * The value of a JSON body, exactly as it was sent or not at all.
 * Refuses with MALFORMED_JSON: bytes that are not UTF-8, text that is not JSON, a byte order mark,
 * a name that occurs twice in one object, nesting beyond 20; with VALIDATION_FAILED what cannot be
 * stored as sent, and numbers that would be changed.
 */
export function parseStrictJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.')
  const text = body.toString('utf8')
  if (text.trim() === '') throw malformed('There is no body.')
  if (text.charCodeAt(0) === 0xfeff) throw malformed('The body starts with a byte order mark.')
  requireUniqueNames(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(`The body is not JSON: ${(error as Error).message}.`, error)
  }
  refuseUnstorable(value)
  requireExactNumbers(text, value)
  return value
}

/** Numbers of at most 15 digits and no exponent are exact. */
const doubtfulNumber = /[\d.]{16}|[\d.][eE]/

/** Refuses a number that JavaScript would change, with its place. */
function requireExactNumbers(text: string, value: unknown): void {
  if (!doubtfulNumber.test(text)) return
  const numbers = numbersOf(text).filter((number) => !isExact(number))
  if (numbers.length === 0) return
  const number = numbers[0]!
  const pointer = pointerTo(value, Number(number)) ?? ''
  const code = 'NUMBER_NOT_EXACT'
  const detail = `${number.slice(0, 40)} cannot be kept exactly; send it as a string.`
  throw new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}

/** The numbers of a text that is JSON, as they were written. */
function numbersOf(text: string): string[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g) ?? []
  return tokens.filter((token) => !token.startsWith('"'))
}

/** Where a number is in a value: the first place. */
function pointerTo(value: unknown, number: number, pointer = ''): string | null {
  if (Object.is(value, number)) return pointer
  if (typeof value !== 'object' || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const found = pointerTo(item, number, at)
    if (found !== null) return found
  }
  return null
}

/**
 * One pass over the text: finds names that occur twice in an object, which JSON.parse would settle
 * silently, and nesting too deep for what follows. Whether it is JSON at all is JSON.parse's to say.
 */
function requireUniqueNames(text: string): void {
  const open: (Set<string> | null)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      const names = open.at(-1)
      if (isName && names) addName(names, text.slice(at, end + 1))
      isName = false
      at = end
    } else if (char === '{' || char === '[') {
      if (open.length >= mostDepth) throw malformed(`Nested deeper than ${mostDepth}.`)
      open.push(char === '{' ? new Set() : null)
      isName = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      isName = false
    } else if (char === ',') isName = open.at(-1) instanceof Set
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '"') return at
  }
  throw malformed('A string does not end.')
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
  if (names.has(name)) throw malformed(`The name ${name.slice(0, 80)} occurs twice.`)
  names.add(name)
}

function malformed(detail: string, cause?: unknown): Problem {
  return new Problem('MALFORMED_JSON', { detail }, { cause })
}
