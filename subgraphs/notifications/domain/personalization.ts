import type { NewVariable } from '../model/template-inputs.ts'
import type { VariableType, TemplateVariable } from '../model/template.ts'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { characterCount, hasAtMost } from '../../../kernel/domain/text-length.ts'

export type Scalar = string | number | boolean
export type Personalization = Readonly<Record<string, unknown>>

export const maxValueLength = 1000
export const maxVariables = 100
const variableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/**
 * Variables that every template can use without a declaration: the notification's subject and the
 * party's name.
 */
export const impliedNames = ['subject', 'partyName'] as const

/**
 * Validates variable declarations and applies their defaults. Throws VALIDATION_FAILED for more
 * than 100 variables, and for a name that is malformed, reserved or repeated.
 */
export function declareVariables(variables: readonly NewVariable[]): TemplateVariable[] {
  const usedNames = new Set<string>(impliedNames)
  if (variables.length > maxVariables) {
    throw invalidVariables(
      '/variables',
      'TOO_MANY',
      `A template can have at most ${maxVariables} variables.`,
    )
  }
  return variables.map(({ name, type, required, pii }, index) => {
    const pointer = `/variables/${index}/name`
    if (!variableName.test(name)) {
      const detail =
        `The name "${name}" must start with a letter and contain only letters, digits and ` +
        'underscores, at most 64 characters.'
      throw invalidVariables(pointer, 'NAME_INVALID', detail)
    }
    if (usedNames.has(name)) {
      throw invalidVariables(pointer, 'NAME_TAKEN', `${name} is already declared or reserved.`)
    }
    usedNames.add(name)
    return { name, type: type ?? 'string', required: required ?? true, pii: pii ?? false }
  })
}

function invalidVariables(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}

/**
 * Returns the values of the declared variables. Other members of the personalization are stored
 * with the notification but not rendered.
 * Throws MISSING_PERSONALIZATION, and INVALID_PERSONALIZATION for a value of the wrong type or
 * longer than 1,000 characters.
 */
export function validatePersonalization(
  variables: readonly TemplateVariable[],
  personalization: Personalization | null | undefined,
): Record<string, Scalar> {
  const values: Record<string, Scalar> = {}
  const missing: string[] = []
  const invalid: ValidationError[] = []
  for (const { name, type, required } of variables) {
    const value =
      personalization && Object.hasOwn(personalization, name) ? personalization[name] : undefined
    if (!isScalar(value)) {
      if (required) missing.push(name)
      continue
    }
    const detail = problemWith(value, type)
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
    detail: `The personalization lacks ${missing.join(', ')}, which the template requires.`,
    missing,
    errors: missing.map((name) => ({
      pointer: `/personalization/${name}`,
      code: 'MISSING_PERSONALIZATION',
      detail: `The template requires a value for ${name}.`,
    })),
  })
}

/**
 * Returns what is wrong with a value; null if the value is valid. A string variable accepts any
 * scalar; number and boolean variables accept only their own type.
 */
function problemWith(value: Scalar, type: VariableType): string | null {
  if (type !== 'string' && typeof value !== type) return `The value must be a ${type}.`
  if (typeof value === 'string' && !hasAtMost(maxValueLength, value)) {
    return `The value has ${characterCount(value)} characters; the maximum is ${maxValueLength}.`
  }
  return null
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
