import { Problem } from './problem.ts'

/**
 * The type of the events that report records of the audit of identity. Only callers with the scope
 * `audit:read` may receive them.
 */
export const identityRecordEvent = 'operations.identity-record.created'

/**
 * A filter for events. `types` contains exact types, patterns such as `<area>.*`, or `*`. If
 * `types` or `subject` is null, the filter matches any type or any subject.
 */
export interface EventFilter {
  types: readonly string[] | null
  subject: string | null
}

/**
 * Whether a pattern matches an event type. A pattern is a type, a prefix such as `lending.*`, or
 * `*`.
 */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** Whether an event passes the filter. */
export function matchesEvent(
  filter: EventFilter,
  event: { type: string; subject: string },
): boolean {
  if (filter.subject && filter.subject !== event.subject) return false
  return !filter.types || filter.types.some((pattern) => matchesType(pattern, event.type))
}

/**
 * Parses the position after which a client resumes: the `position` of the last event it received,
 * as text. Returns null if `after` is null or undefined. Throws PAGE_TOKEN_INVALID for any other
 * text.
 */
export function parsePosition(after: string | null | undefined): bigint | null {
  if (after === null || after === undefined) return null
  if (/^\d{1,18}$/.test(after)) return BigInt(after)
  throw new Problem('PAGE_TOKEN_INVALID', {
    detail: '`after` must be the position of the last event that you received.',
    errors: [
      {
        pointer: '/after',
        code: 'PAGE_TOKEN_INVALID',
        detail: 'The value must be a position such as "42".',
      },
    ],
  })
}

/**
 * Throws UNKNOWN_EVENT_TYPE for a pattern that matches no event type. The error lists the most
 * similar names, at most three. If `types` is null, nothing is checked.
 */
export function requireKnownTypes(
  types: readonly string[] | null | undefined,
  known: Iterable<string>,
  pointerAt = (index: number): string => `/types/${index}`,
): void {
  if (!types) return
  const names = [...known]
  for (const [index, pattern] of types.entries()) {
    if (names.some((name) => matchesType(pattern, name))) continue
    const allowed = bestMatch(pattern, pattern.endsWith('.*') ? patternsOf(names) : names)
    throw new Problem('UNKNOWN_EVENT_TYPE', {
      detail: `No event type matches "${pattern}".`,
      errors: [
        {
          pointer: pointerAt(index),
          code: 'UNKNOWN_EVENT_TYPE',
          detail: `The most similar names are ${allowed.join(', ')}.`,
          allowed,
        },
      ],
    })
  }
}

/**
 * Returns the patterns that match at least one type of `names`, such as `payments.*` and
 * `payments.payment.*`.
 */
function patternsOf(names: readonly string[]): string[] {
  const prefixes = names.flatMap((name) => {
    const [area = '', entity = ''] = name.split('.')
    return [`${area}.*`, `${area}.${entity}.*`]
  })
  return [...new Set(prefixes)]
}

function bestMatch(text: string, names: readonly string[]): string[] {
  const pairs = (word: string) =>
    new Set(Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2)))
  const textPairs = pairs(text)
  const score = (name: string) => {
    const namePairs = [...pairs(name)]
    return (
      namePairs.filter((pair) => textPairs.has(pair)).length / (namePairs.length + textPairs.size)
    )
  }
  return names
    .map((name) => ({ name, score: score(name) }))
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name)
}
