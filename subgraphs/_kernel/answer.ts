import { hash } from 'node:crypto'

/**
 * Text of a result that keeps dates and big integers apart from strings and numbers, so that a
 * remembered answer reads back as it was given. They are tagged objects, `{"$date": …}`; a key of
 * the result's own that begins with `$` gets a second one, so that nobody's data is a tag.
 */
export function encodeAnswer(result: unknown): string {
  return JSON.stringify(tagged(result))
}

/** The result that `encodeAnswer` made a text of. */
export function decodeAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('"$') ? untagged(value) : value
}

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return { $date: value.toISOString() }
  if (Array.isArray(value)) return value.map(tagged)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name]
    if (item === undefined || typeof item === 'function') continue
    put(copy, name.charCodeAt(0) === dollar ? `$${name}` : name, tagged(item))
  }
  return copy
}

/** From the outside in, so that what was inside an escaped object is never taken for a tag. */
function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(untagged)
  const { $date, $bigint } = value as { $date?: string; $bigint?: string }
  if ($date !== undefined) return new Date($date)
  if ($bigint !== undefined) return BigInt($bigint)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const item = untagged((value as Record<string, unknown>)[name])
    put(copy, name.charCodeAt(0) === dollar ? name.slice(1) : name, item)
  }
  return copy
}

const dollar = 36

/** Assigns a member; a plain assignment of `__proto__` would change what the object is. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}

/** SHA-256 over the operation and its canonical input (RFC 8785); absent and null members are alike. */
export function fingerprint(operation: string, input: unknown): string {
  return hash('sha256', `${operation}\n${canonical(input) ?? ''}`, 'base64url')
}

/** RFC 8785 without absent and null members; big integers and instants are the texts they are told as. */
function canonical(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `"${value}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const name of sortedNames(value)) {
    const item = (value as Record<string, unknown>)[name]
    const text = item === null ? undefined : canonical(item)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** By UTF-16 code units. Few names are put in order by hand: sorting takes more memory than the names. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value)
  if (names.length > 16) return names.sort()
  for (let at = 1; at < names.length; at++) {
    const name = names[at]!
    let to = at
    for (; to > 0 && names[to - 1]! > name; to--) names[to] = names[to - 1]!
    names[to] = name
  }
  return names
}
