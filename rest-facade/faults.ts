import type { ErrorObject } from 'ajv/dist/2020.js'
import { Problem } from '../kernel/domain/problem.ts'
import { pointerMembers, type ValidationError } from '../kernel/domain/problem-members.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { enumToWire } from './wire.ts'

type Locate = (pointer: string) => Pick<ValidationError, 'pointer' | 'parameter'>

/**
 * The maximum number of errors that are examined. Each one is compared with all others, so the cost
 * is quadratic.
 */
const maxErrors = 200

/**
 * Returns the validation errors of a request, at most 200, with the places and the rules that are
 * violated.
 */
export function validationErrorsOf(
  validationErrors: readonly ErrorObject[],
  locate: Locate,
): ValidationError[] {
  const errors = validationErrors.slice(0, maxErrors)
  const faults = errors
    .filter((error) => isReported(error, errors))
    .map((each) => faultOf(each, locate))
  // One value can violate several rules with the same text, such as a pattern and a maximum length.
  // The text is reported once.
  const reportedSentences = new Set<string>()
  return faults.filter(({ pointer, parameter, detail }) => {
    const sentence = `${pointer ?? parameter} ${detail}`
    return !reportedSentences.has(sentence) && reportedSentences.add(sentence)
  })
}

function faultOf(error: ErrorObject, locate: Locate): ValidationError {
  const { keyword, instancePath, params, parentSchema = {}, message = 'is not valid' } = error
  if (keyword === 'additionalProperties') {
    const name = String((params as { additionalProperty: string }).additionalProperty)
    const detail = 'This member is not documented.'
    const place = locate(`${instancePath}/${escapePointer(name)}`)
    const allowed = Object.keys((parentSchema['properties'] as object | undefined) ?? {})
    return { ...place, code: 'UNKNOWN_PROPERTY', detail, allowed }
  }
  if (keyword === 'required') {
    const name = String((params as { missingProperty: string }).missingProperty)
    const detail = 'This member is required.'
    return { ...locate(`${instancePath}/${name}`), code: 'REQUIRED', detail }
  }
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues: string[] }).allowedValues
    return {
      ...locate(instancePath),
      code: 'NOT_ALLOWED',
      detail: `The value ${message}.`,
      allowed,
    }
  }
  const rule = keyword === 'type' ? undefined : parentSchema['x-wanted']
  const code = keyword.replace(/([A-Z])/g, '_$1').toUpperCase()
  return { ...locate(instancePath), code, detail: String(rule ?? `The value ${message}.`) }
}

/**
 * Translates a problem of the graph to REST: variables from the path and the query are reported as
 * parameters.
 */
export function withParameters(
  { pathMembers, queryMembers }: Pick<CompiledRoute, 'pathMembers' | 'queryMembers'>,
  problem: Problem,
): Problem {
  const { errors } = problem.members
  if (!errors) return problem
  const parameters = new Set([...pathMembers.names, ...queryMembers.names])
  const restErrors = errors.map(({ pointer, ...fault }): ValidationError => {
    const [name] = pointerMembers(pointer ?? '')
    if (name !== undefined && parameters.has(name))
      return { parameter: name, ...toWireSpelling(fault) }
    return pointer === undefined ? fault : { pointer, ...fault }
  })
  return new Problem(problem.code, { ...problem.members, errors: restErrors }, { cause: problem })
}

/** Converts the allowed values of a filter to their wire spelling. */
function toWireSpelling(fault: ValidationError): ValidationError {
  const { code, allowed } = fault
  return code === 'NOT_ALLOWED' && allowed ? { ...fault, allowed: allowed.map(enumToWire) } : fault
}

/**
 * Returns whether to report an error. For a value with alternatives (`anyOf`), only the errors of
 * the alternative that matches the type of the value are reported, or only the `anyOf` error if
 * none matches.
 */
function isReported(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (error.keyword !== 'anyOf') {
    const choice = errors.find((each) => each.keyword === 'anyOf' && isWithin(error, each))
    return !choice || !isOfAnotherType(error, choice)
  }
  return errors.every((each) => !isWithin(each, error) || isOfAnotherType(each, error))
}

function isWithin({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  const isInside = `${instancePath}/`.startsWith(`${choice.instancePath}/`)
  return isInside && schemaPath.startsWith(`${choice.schemaPath}/`)
}

function isOfAnotherType({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return keyword === 'type' && instancePath === choice.instancePath
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
