import {
  Kind,
  type FieldNode,
  type GraphQLFormattedError,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import {
  childPointer,
  pointerMembers,
  type ValidationError,
} from '../kernel/domain/problem-members.ts'
import { operationOf, type Operation } from './operation.ts'
import { fieldsOf, responseKeyOf } from './fields-of.ts'

/**
 * Translates the JSON pointers in an error. A subgraph's pointers are relative to the arguments of
 * its field; the client needs pointers into its variables. A pointer to a literal in the document
 * remains relative to the arguments of the field at the error's path.
 */
export function locateErrors(
  operation: Operation,
  error: GraphQLFormattedError,
): GraphQLFormattedError {
  const inputErrors = error.extensions?.['errors'] as ValidationError[] | undefined
  if (!Array.isArray(inputErrors) || !error.path) return error
  const field = fieldAt(operation, error.path)
  if (!field) return error
  const errors = inputErrors.map((fault) =>
    fault.pointer ? { ...fault, pointer: pointerInRequest(field, fault.pointer) } : fault,
  )
  return { ...error, extensions: { ...error.extensions, errors } }
}

function pointerInRequest(field: FieldNode, pointer: string): string {
  const members = pointerMembers(pointer)
  const valueOf = (name: string) =>
    field.arguments?.find((argument) => argument.name.value === name)?.value
  const argument = valueOf(members[0]!)
  if (argument) return follow(argument, members, 1)
  // A subgraph's pointers omit the argument `input` of a mutation, so that they also fit REST
  // bodies.
  const input = valueOf('input')
  return input ? follow(input, ['input', ...members], 1) : pointer
}

/**
 * Follows the members of a pointer into the value of an argument. If they lead to a variable,
 * returns a pointer into that variable; otherwise returns the pointer with all members.
 */
function follow(argument: ValueNode, members: readonly string[], firstIndex: number): string {
  let node: ValueNode | undefined = argument
  for (let index = firstIndex; node; index++) {
    if (node.kind === Kind.VARIABLE) return pointerTo([node.name.value, ...members.slice(index)])
    const member = members[index]
    if (member === undefined) break
    if (node.kind === Kind.OBJECT) {
      node = node.fields.find((each) => each.name.value === member)?.value
    } else node = node.kind === Kind.LIST ? node.values[Number(member)] : undefined
  }
  return pointerTo(members)
}

function pointerTo(members: readonly string[]): string {
  return members.reduce(childPointer, '')
}

/**
 * Returns the field of the document that belongs to a path of the response, even if it is in a
 * fragment; undefined if there is none.
 */
function fieldAt(
  { document, name }: Operation,
  path: readonly (string | number)[],
): FieldNode | undefined {
  let sets: SelectionSetNode[] = [operationOf(document, name)!.selectionSet]
  let field: FieldNode | undefined
  for (const key of path) {
    if (typeof key === 'number') continue
    const fields = sets
      .flatMap((set) => fieldsOf(document, set))
      .filter((each) => responseKeyOf(each) === key)
    field = fields[0]
    if (!field) return undefined
    sets = fields.flatMap(({ selectionSet }) => selectionSet ?? [])
  }
  return field
}
