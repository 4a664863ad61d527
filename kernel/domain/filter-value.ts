import { idPattern } from './ids.ts'
import { americanSpelling, wireSpelling } from './spelling.ts'
import { Problem } from './problem.ts'
import type { ValidationError } from './problem-members.ts'

/**
 * Returns the wire value for the text of a filter; null if there is no filter. The text may have
 * the form of the graph (`UNDER_REVIEW`) or of REST (`under-review`), in any letter case. Throws
 * VALIDATION_FAILED with the allowed values for any other text, because an empty list would look
 * like a valid result.
 */
export function filterValue<Value extends string>(
  text: string | null | undefined,
  values: readonly Value[],
  pointer: string,
): Value | null {
  if (text === null || text === undefined) return null
  const name = wireSpelling(text.toLowerCase().replaceAll('_', '-'))
  const value = values.find((known) => known === name)
  if (value !== undefined) return value
  const allowed = values.map(graphName)
  const detail = `"${text.slice(0, 64)}" is not a value of this filter. Use one of the allowed values.`
  throw validationProblem({ pointer, code: 'NOT_ALLOWED', detail, allowed })
}

/**
 * Returns the description of a filter with fixed values, such as `Only accounts in this state:
 * ACTIVE, CLOSED, in any letter case. …`.
 */
export function filterDescription(intro: string, values: readonly string[]): string {
  const names = values.map(graphName).join(', ')
  return `${intro}: ${names}, in any letter case. Other values are rejected.`
}

/**
 * Returns the subject in a filter, in the form `<entity>/<id>`; null if there is no filter. Throws
 * VALIDATION_FAILED for any other form.
 */
export function filterSubject(text: string | null | undefined, pointer: string): string | null {
  if (text === null || text === undefined) return null
  const slash = text.indexOf('/')
  const isEntity = /^[a-z][a-z-]{0,63}$/.test(text.slice(0, Math.max(slash, 0)))
  if (isEntity && idPattern.test(text.slice(slash + 1))) return text
  const detail = `"${text.slice(0, 64)}" is not a subject such as loan-application/app_1.`
  throw validationProblem({ pointer, code: 'FORMAT', detail })
}

function graphName(value: string): string {
  return americanSpelling(value).toUpperCase().replaceAll('-', '_')
}

function validationProblem(fault: ValidationError): Problem {
  return new Problem('VALIDATION_FAILED', { detail: fault.detail, errors: [fault] })
}
