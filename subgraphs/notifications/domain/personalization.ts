import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'

export const variableTypes = ['string', 'number', 'boolean'] as const
export type VariableType = (typeof variableTypes)[number]

/** A value that a template takes from the personalization of each notification. */
export interface Variable {
  name: string
  type: VariableType
  required: boolean
  /** It holds personal data: whoever exports or logs renderings has to leave it out. */
  pii: boolean
}

/** A variable as it is declared: a required string without personal data where nothing else is said. */
export interface NewVariable {
  name: string
  type?: VariableType | null
  required?: boolean | null
  pii?: boolean | null
}

export type Scalar = string | number | boolean
export type Personalization = Readonly<Record<string, unknown>>

export const longestValue = 1000
export const mostVariables = 100
const variableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** What every template may use without declaring it: the notification's own subject, and the party's name. */
export const impliedNames = ['subject', 'partyName'] as const

/**
 * The variables as they were declared, complete.
 * Refuses with VALIDATION_FAILED a name that Liquid cannot spell, that is implied, or that comes twice.
 */
export function declareVariables(variables: readonly NewVariable[]): Variable[] {
  const seen = new Set<string>(impliedNames)
  if (variables.length > mostVariables) {
    throw refused('/variables', 'TOO_MANY', `At most ${mostVariables} variables.`)
  }
  return variables.map(({ name, type, required, pii }, index) => {
    const pointer = `/variables/${index}/name`
    if (!variableName.test(name)) {
      throw refused(pointer, 'NAME_INVALID', 'A letter, then letters, digits and _; at most 64.')
    }
    if (seen.has(name)) throw refused(pointer, 'NAME_TAKEN', `${name} is there already.`)
    seen.add(name)
    return { name, type: type ?? 'string', required: required ?? true, pii: pii ?? false }
  })
}

function refused(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}

/**
 * The values a template gets: those it declares, as far as they are strings, numbers or booleans.
 * Whatever else was sent stays with the notification and is not rendered.
 * Refuses with MISSING_PERSONALIZATION, naming what is missing, and INVALID_PERSONALIZATION a value
 * of another type or longer than 1,000 characters.
 */
export function fitPersonalization(
  variables: readonly Variable[],
  sent: Personalization | null | undefined,
): Record<string, Scalar> {
  const values: Record<string, Scalar> = {}
  const missing: string[] = []
  const invalid: Fault[] = []
  for (const { name, type, required } of variables) {
    const value = sent && Object.hasOwn(sent, name) ? sent[name] : undefined
    if (!isScalar(value)) {
      if (required) missing.push(name)
      continue
    }
    const detail = wrongWith(value, type)
    const pointer = `/personalization/${name}`
    if (detail) invalid.push({ pointer, code: 'INVALID_PERSONALIZATION', detail })
    values[name] = value
  }
  if (missing.length > 0) throw missingValues(missing)
  if (invalid.length > 0) throw new Problem('INVALID_PERSONALIZATION', { errors: invalid })
  return values
}

function missingValues(missing: readonly string[]): Problem {
  return new Problem('MISSING_PERSONALIZATION', {
    detail: `The template needs ${missing.join(', ')}.`,
    missing,
    errors: missing.map((name) => ({
      pointer: `/personalization/${name}`,
      code: 'MISSING_PERSONALIZATION',
      detail: 'The template needs this value.',
    })),
  })
}

/** Text takes any scalar, spelled as it is; a number and a boolean are what they say. */
function wrongWith(value: Scalar, type: VariableType): string | null {
  if (type !== 'string' && typeof value !== type) return `A ${type}.`
  if (typeof value === 'string' && value.length > longestValue) {
    return `At most ${longestValue} characters.`
  }
  return null
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
