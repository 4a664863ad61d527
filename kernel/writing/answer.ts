import { hash } from 'node:crypto'

/** The stored response of an idempotency key after the personal data in it was erased. */
export const erasedAnswer = '{"$erased":true}'

/**
 * Encodes a result as text, so that a stored response decodes to the original values. Dates and big
 * integers become tagged objects, such as `{"$date": …}`. A key that begins with `$` gets a second
 * `$`, so that data is never taken for a tag.
 */
export function encodeResponse(result: unknown): string {
  return JSON.stringify(withTags(result))
}

/** Decodes a text that `encodeResponse` returned. */
export function decodeResponse(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('"$') ? withoutTags(value) : value
}

function withTags(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return { $date: value.toISOString() }
  if (Array.isArray(value)) return value.map(withTags)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name]
    if (item === undefined || typeof item === 'function') continue
    setProperty(copy, name.charCodeAt(0) === dollarCode ? `$${name}` : name, withTags(item))
  }
  return copy
}

/**
 * Decodes outer objects before inner ones, so that the content of an escaped object is never taken
 * for a tag.
 */
function withoutTags(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutTags)
  const { $date, $bigint } = value as { $date?: string; $bigint?: string }
  if ($date !== undefined) return new Date($date)
  if ($bigint !== undefined) return BigInt($bigint)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const item = withoutTags((value as Record<string, unknown>)[name])
    setProperty(copy, name.charCodeAt(0) === dollarCode ? name.slice(1) : name, item)
  }
  return copy
}

const dollarCode = 36

/** Sets a property. A plain assignment to `__proto__` would change the prototype of the object. */
function setProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}

const nameMember =
  /"(?:(\w*(?:[pP]art(?:y|ies)|[oO]wner)\w*)|username)":(?:"([^"\\]+)"|\[("[^\]]*")\])/g

/**
 * Returns the subjects of the facts about the persons whom an encoded response is about: parties by
 * their IDs, employees by their usernames. `parties` are known to be among them.
 */
export function personsOf(answer: string, parties: readonly string[]): string[] {
  const persons = new Set(parties.map((id) => `party/${id}`))
  for (const [, party, text, list] of answer.matchAll(nameMember)) {
    const names = text === undefined ? (JSON.parse(`[${list!}]`) as string[]) : [text]
    for (const name of names) persons.add(`${party === undefined ? 'employee' : 'party'}/${name}`)
  }
  return [...persons]
}

/**
 * Returns the SHA-256 of the operation and its canonical input (RFC 8785). An input with a property
 * that is null has the same fingerprint as an input without the property.
 */
export function fingerprint(operation: string, input: unknown): string {
  return hash('sha256', `${operation}\n${canonicalJson(input) ?? ''}`, 'base64url')
}

/**
 * Returns canonical JSON (RFC 8785) without properties that are undefined or null. Big integers and
 * instants become strings.
 */
function canonicalJson(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `"${value}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item) ?? 'null').join(',')}]`
  }
  const members: string[] = []
  for (const name of sortedNames(value)) {
    const item = (value as Record<string, unknown>)[name]
    const text = item === null ? undefined : canonicalJson(item)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/**
 * Returns the property names in the order of their UTF-16 code units. Up to 16 names are sorted by
 * insertion, because `sort` would allocate more memory than the names themselves.
 */
function sortedNames(value: object): string[] {
  const names = Object.keys(value)
  if (names.length > 16) return names.sort()
  for (let index = 1; index < names.length; index++) {
    const name = names[index]!
    let target = index
    for (; target > 0 && names[target - 1]! > name; target--) names[target] = names[target - 1]!
    names[target] = name
  }
  return names
}
