import { idPattern } from './ids.ts'
import { Problem } from './problem.ts'
import type { Fault } from './problem-members.ts'

/**
 * The state that a filter names, in any letter case, in the spelling of the graph (`UNDER_REVIEW`) or of
 * REST (`under-review`); null without a filter. Throws VALIDATION_FAILED with the allowed names for any
 * other text, because an empty list would look like an answer.
 */
export function filterValue<Value extends string>(
  sent: string | null | undefined,
  values: readonly Value[],
  pointer: string,
): Value | null {
  if (sent === null || sent === undefined) return null
  const name = sent.toLowerCase().replaceAll('_', '-')
  const value = values.find((known) => known === name)
  if (value !== undefined) return value
  const allowed = values.map(graphName)
  const detail = `"${sent.slice(0, 64)}" is not a value of this filter. Use one of the allowed values.`
  throw refusal({ pointer, code: 'NOT_ALLOWED', detail, allowed })
}

/** What the description of such a filter says: `Only accounts in this state: ACTIVE, CLOSED.` */
export function filterDescription(which: string, values: readonly string[]): string {
  return `${which}: ${values.map(graphName).join(', ')}, in any letter case. Another value is rejected.`
}

/**
 * The subject that a filter names, `<entity>/<id>`; null without a filter. Throws VALIDATION_FAILED for
 * any other form.
 */
export function filterSubject(sent: string | null | undefined, pointer: string): string | null {
  if (sent === null || sent === undefined) return null
  const slash = sent.indexOf('/')
  const isEntity = /^[a-z][a-z-]{0,63}$/.test(sent.slice(0, Math.max(slash, 0)))
  if (isEntity && idPattern.test(sent.slice(slash + 1))) return sent
  const detail = `"${sent.slice(0, 64)}" is not a subject such as loan-application/app_1.`
  throw refusal({ pointer, code: 'FORMAT', detail })
}

function graphName(value: string): string {
  return value.toUpperCase().replaceAll('-', '_')
}

function refusal(fault: Fault): Problem {
  return new Problem('VALIDATION_FAILED', { detail: fault.detail, errors: [fault] })
}
