import {
  GraphQLError,
  isInputObjectType,
  isListType,
  isEnumType,
  isNonNullType,
  isScalarType,
  Kind,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type ObjectValueNode,
  type ValueNode,
} from 'graphql'
import { childPointer, type ValidationError } from '../kernel/domain/problem-members.ts'
import { scalars } from '../kernel/graph/scalars.ts'
import { operationOf, type Operation } from './operation.ts'
import { variablesIn } from './variables-in.ts'

/** A validation error of an input, with a JSON pointer into the variables or the arguments. */
export type InputError = ValidationError & { pointer: string }

/**
 * The number of validation errors after which no further values are checked. A malicious list could
 * cause tens of thousands of errors.
 */
const maxFaults = 100

/**
 * Sets the platform's parsers on the custom scalars of a composed schema. Without them, a schema
 * that is built from SDL accepts any value.
 */
export function adoptScalars(schema: GraphQLSchema): void {
  for (const { name, parseValue, parseLiteral, extensions } of scalars) {
    const type = schema.getType(name)
    if (isScalarType(type)) Object.assign(type, { parseValue, parseLiteral, extensions })
  }
}

/** Returns the validation errors of a request's variables, with pointers into the variables. */
export function variableFaults(
  schema: GraphQLSchema,
  { document, name }: Operation,
  variables: Readonly<Record<string, unknown>>,
): InputError[] {
  const faults: InputError[] = []
  for (const definition of operationOf(document, name)?.variableDefinitions ?? []) {
    const variable = definition.variable.name.value
    const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined
    if (!type || (value === undefined && definition.defaultValue)) continue
    checkValue(type, value, childPointer('', variable), faults)
  }
  return faults
}

function checkValue(
  type: GraphQLInputType,
  value: unknown,
  pointer: string,
  faults: InputError[],
): void {
  if (faults.length >= maxFaults) return
  if (isNonNullType(type)) {
    if (value === null || value === undefined) faults.push(requiredFault(pointer))
    else checkValue(type.ofType, value, pointer, faults)
    return
  }
  if (value === null || value === undefined) return
  if (isListType(type)) {
    if (!Array.isArray(value)) return checkValue(type.ofType, value, pointer, faults)
    value.forEach((item, index) =>
      checkValue(type.ofType, item ?? null, childPointer(pointer, index), faults),
    )
    return
  }
  if (isInputObjectType(type)) return checkObject(type, value, pointer, faults)
  if (isEnumType(type)) {
    if (typeof value !== 'string' || !type.getValue(value)) {
      faults.push(notAllowedFault(pointer, type, value))
    }
    return
  }
  checkLeaf(pointer, faults, value, () => type.parseValue(value))
}

function checkObject(
  type: GraphQLInputObjectType,
  value: unknown,
  pointer: string,
  faults: InputError[],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push({ pointer, code: 'TYPE', detail: `The value must be an object (${type.name}).` })
    return
  }
  const properties = value as Record<string, unknown>
  const fields = type.getFields()
  for (const name of Object.keys(properties)) {
    if (!Object.hasOwn(fields, name)) faults.push(unknownPropertyFault(pointer, name, type))
  }
  for (const { name, type: memberType, defaultValue, astNode } of Object.values(fields)) {
    const isSent = Object.hasOwn(properties, name) && properties[name] !== undefined
    const hasDefault = defaultValue !== undefined || astNode?.defaultValue !== undefined
    if (isSent) checkValue(memberType, properties[name], childPointer(pointer, name), faults)
    else if (isNonNullType(memberType) && !hasDefault)
      faults.push(requiredFault(childPointer(pointer, name)))
  }
}

/** Returns the validation errors of a literal, with pointers into the arguments of its field. */
export function literalFaults(
  type: GraphQLInputType,
  node: ValueNode,
  pointer: string,
): InputError[] {
  const faults: InputError[] = []
  checkLiteral(type, node, pointer, faults)
  return faults
}

function checkLiteral(
  type: GraphQLInputType,
  node: ValueNode,
  pointer: string,
  faults: InputError[],
): void {
  // Another validation rule checks the types of variables, and `variableFaults` checks the values.
  if (node.kind === Kind.VARIABLE || faults.length >= maxFaults) return
  if (isNonNullType(type)) {
    if (node.kind === Kind.NULL) faults.push(requiredFault(pointer))
    else checkLiteral(type.ofType, node, pointer, faults)
    return
  }
  if (node.kind === Kind.NULL) return
  if (isListType(type)) {
    const items = node.kind === Kind.LIST ? node.values : null
    if (!items) return checkLiteral(type.ofType, node, pointer, faults)
    items.forEach((item, index) =>
      checkLiteral(type.ofType, item, childPointer(pointer, index), faults),
    )
    return
  }
  if (isInputObjectType(type)) {
    if (node.kind === Kind.OBJECT) return checkObjectLiteral(type, node, pointer, faults)
    faults.push({ pointer, code: 'TYPE', detail: `The value must be an object (${type.name}).` })
    return
  }
  if (isEnumType(type)) {
    if (node.kind !== Kind.ENUM || !type.getValue(node.value)) {
      faults.push(notAllowedFault(pointer, type, valueFromASTUntyped(node)))
    }
    return
  }
  // `MixedValues` checks literals that contain variables, when the values of the variables are
  // known.
  if (variablesIn(node).length > 0) return
  checkLeaf(pointer, faults, 'value' in node ? node.value : null, () =>
    type.parseLiteral(node, undefined),
  )
}

function checkObjectLiteral(
  type: GraphQLInputObjectType,
  node: ObjectValueNode,
  pointer: string,
  faults: InputError[],
): void {
  const properties = new Map(node.fields.map(({ name, value }) => [name.value, value]))
  const fields = type.getFields()
  for (const name of properties.keys()) {
    if (!Object.hasOwn(fields, name)) faults.push(unknownPropertyFault(pointer, name, type))
  }
  for (const { name, type: memberType, defaultValue, astNode } of Object.values(fields)) {
    const value = properties.get(name)
    const hasDefault = defaultValue !== undefined || astNode?.defaultValue !== undefined
    if (value) checkLiteral(memberType, value, childPointer(pointer, name), faults)
    else if (isNonNullType(memberType) && !hasDefault)
      faults.push(requiredFault(childPointer(pointer, name)))
  }
}

/**
 * Adds a validation error if `parse` returns undefined or throws a GraphQLError. In the latter case
 * the validation error has the message of the GraphQLError.
 */
export function checkLeaf(
  pointer: string,
  faults: InputError[],
  value: unknown,
  parse: () => unknown,
): void {
  try {
    if (parse() !== undefined) return
    faults.push({ pointer, code: 'TYPE', detail: 'The value has the wrong type.' })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const code = typeof value === 'string' ? 'FORMAT' : 'TYPE'
    faults.push({ pointer, code, detail: error.message })
  }
}

function requiredFault(pointer: string): InputError {
  return { pointer, code: 'REQUIRED', detail: 'This member is required.' }
}

function unknownPropertyFault(
  pointer: string,
  name: string,
  type: GraphQLInputObjectType,
): InputError {
  const allowed = Object.keys(type.getFields())
  const detail = `${type.name} has no field ${name.slice(0, 64)}.`
  return { pointer: childPointer(pointer, name), code: 'UNKNOWN_PROPERTY', detail, allowed }
}

function notAllowedFault(pointer: string, type: GraphQLEnumType, value: unknown): InputError {
  const shownValue = typeof value === 'string' ? `"${value.slice(0, 64)}"` : 'The value'
  const allowed = type.getValues().map(({ name }) => name)
  return {
    pointer,
    code: 'NOT_ALLOWED',
    detail: `${shownValue} is not a value of ${type.name}.`,
    allowed,
  }
}
