import { Problem } from './problem.ts'

/** Which events a listener wants: exact types, `<area>.*` or `*`; and one subject, or any. */
export interface EventFilter {
  types: readonly string[] | null
  subject: string | null
}

/** Whether a type is asked for by a pattern: the type itself, `lending.*`, or `*`. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Whether a listener with this filter wants the event. */
export function wants(filter: EventFilter, event: { type: string; subject: string }): boolean {
  if (filter.subject && filter.subject !== event.subject) return false
  return !filter.types || filter.types.some((pattern) => matchesType(pattern, event.type))
}

/**
 * A position to resume after: the `position` of the last event that was seen, as text.
 * Refuses with PAGE_TOKEN_INVALID what is no position.
 */
export function parsePosition(after: string | null | undefined): bigint | null {
  if (after === null || after === undefined) return null
  if (/^\d{1,18}$/.test(after)) return BigInt(after)
  throw new Problem('PAGE_TOKEN_INVALID', {
    detail: '`after` is the position of the last event you have seen.',
    errors: [{ pointer: '/after', code: 'PAGE_TOKEN_INVALID', detail: 'A position such as "42".' }],
  })
}

/** Refuses with UNKNOWN_EVENT_TYPE, and the closest names, a pattern that no event can match. */
export function requireKnownTypes(
  types: readonly string[] | null | undefined,
  known: Iterable<string>,
  pointerAt = (index: number): string => `/types/${index}`,
): void {
  if (!types) return
  const names = [...known]
  for (const [index, pattern] of types.entries()) {
    if (names.some((name) => matchesType(pattern, name))) continue
    const allowed = closest(pattern, pattern.endsWith('.*') ? patternsOf(names) : names)
    throw new Problem('UNKNOWN_EVENT_TYPE', {
      detail: `No event is called "${pattern}".`,
      errors: [
        {
          pointer: pointerAt(index),
          code: 'UNKNOWN_EVENT_TYPE',
          detail: `Closest: ${allowed.join(', ')}.`,
          allowed,
        },
      ],
    })
  }
}

/** `payments.*` and `payments.payment.*`, of every type. */
function patternsOf(names: readonly string[]): string[] {
  const prefixes = names.flatMap((name) => {
    const [area = '', entity = ''] = name.split('.')
    return [`${area}.*`, `${area}.${entity}.*`]
  })
  return [...new Set(prefixes)]
}

function closest(text: string, names: readonly string[]): string[] {
  const pairs = (word: string) =>
    new Set(Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)))
  const wanted = pairs(text)
  const score = (name: string) => {
    const own = [...pairs(name)]
    return own.filter((pair) => wanted.has(pair)).length / (own.length + wanted.size)
  }
  return names
    .map((name) => ({ name, score: score(name) }))
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name)
}
