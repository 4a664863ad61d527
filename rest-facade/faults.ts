import type { ErrorObject } from 'ajv/dist/2020.js'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { pointerMembers, type Fault } from '../subgraphs/_kernel/domain/problem-members.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { enumToWire } from './wire.ts'

type Locate = (pointer: string) => Pick<Fault, 'pointer' | 'parameter'>

/** Each is compared with all others, and a body may have ten thousands of them. */
const mostErrors = 200

/** What is wrong with a request's members, each with where it is and what is wanted there; of very many, the first. */
export function faultsOf(all: readonly ErrorObject[], locate: Locate): Fault[] {
  const errors = all.slice(0, mostErrors)
  const faults = errors
    .filter((error) => isTold(error, errors))
    .map((each) => faultOf(each, locate))
  // A code that is too long does not have its form either: one sentence says both.
  const said = new Set<string>()
  return faults.filter(({ pointer, parameter, detail }) => {
    const sentence = `${pointer ?? parameter} ${detail}`
    return !said.has(sentence) && said.add(sentence)
  })
}

function faultOf(error: ErrorObject, locate: Locate): Fault {
  const { keyword, instancePath, params, parentSchema = {}, message = 'is not valid' } = error
  if (keyword === 'additionalProperties') {
    const name = String((params as { additionalProperty: string }).additionalProperty)
    const detail = 'This member is not documented.'
    const at = locate(`${instancePath}/${escapePointer(name)}`)
    const allowed = Object.keys((parentSchema['properties'] as object | undefined) ?? {})
    return { ...at, code: 'UNKNOWN_PROPERTY', detail, allowed }
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
  const wanted = keyword === 'type' ? undefined : parentSchema['x-wanted']
  const code = keyword.replace(/([A-Z])/g, '_$1').toUpperCase()
  return { ...locate(instancePath), code, detail: String(wanted ?? `The value ${message}.`) }
}

/** The problem of the graph as REST reports it: a variable that came from the path or the query is a parameter. */
export function withParameters(
  { pathMembers, queryMembers }: Pick<CompiledRoute, 'pathMembers' | 'queryMembers'>,
  problem: Problem,
): Problem {
  const { errors } = problem.members
  if (!errors) return problem
  const parameters = new Set([...pathMembers.names, ...queryMembers.names])
  const located = errors.map(({ pointer, ...fault }): Fault => {
    const [name] = pointerMembers(pointer ?? '')
    if (name !== undefined && parameters.has(name)) return { parameter: name, ...inWire(fault) }
    return pointer === undefined ? fault : { pointer, ...fault }
  })
  return new Problem(problem.code, { ...problem.members, errors: located }, { cause: problem })
}

/** A filter's allowed values, which the graph spells as its enums. */
function inWire(fault: Fault): Fault {
  const { code, allowed } = fault
  return code === 'NOT_ALLOWED' && allowed ? { ...fault, allowed: allowed.map(enumToWire) } : fault
}

/**
 * Of a member that may be one thing or another, what is said is what is wrong with the thing it
 * was meant to be; where it is neither, that it has to be one of them.
 */
function isTold(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (error.keyword !== 'anyOf') {
    const choice = errors.find((each) => each.keyword === 'anyOf' && isWithin(error, each))
    return !choice || !isOfAnotherType(error, choice)
  }
  return errors.every((each) => !isWithin(each, error) || isOfAnotherType(each, error))
}

function isWithin({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  const isThere = `${instancePath}/`.startsWith(`${choice.instancePath}/`)
  return isThere && schemaPath.startsWith(`${choice.schemaPath}/`)
}

function isOfAnotherType({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return keyword === 'type' && instancePath === choice.instancePath
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
