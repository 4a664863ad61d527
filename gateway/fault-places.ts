import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLFormattedError,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import {
  childPointer,
  pointerMembers,
  type Fault,
} from '../subgraphs/_kernel/domain/problem-members.ts'
import { operationOf, type Operation } from './operation.ts'

/**
 * Translates the pointers of an error's faults, which a subgraph gives within the arguments of its
 * field, into the variables the client sent. The pointer to a literal stays one into the arguments
 * of the field at the error's path.
 */
export function locateFaults(
  operation: Operation,
  error: GraphQLFormattedError,
): GraphQLFormattedError {
  const faults = error.extensions?.['errors'] as Fault[] | undefined
  if (!Array.isArray(faults) || !error.path) return error
  const field = fieldAt(operation, error.path)
  if (!field) return error
  const errors = faults.map((fault) =>
    fault.pointer ? { ...fault, pointer: pointerInRequest(field, fault.pointer) } : fault,
  )
  return { ...error, extensions: { ...error.extensions, errors } }
}

function pointerInRequest(field: FieldNode, pointer: string): string {
  const members = pointerMembers(pointer)
  const valueOf = (name: string) => field.arguments?.find((one) => one.name.value === name)?.value
  const argument = valueOf(members[0]!)
  if (argument) return follow(argument, members, 1)
  // A subgraph names the members of a mutation's one input without it, as REST's bodies have them.
  const input = valueOf('input')
  return input ? follow(input, ['input', ...members], 1) : pointer
}

/** Goes into a literal as far as its members lead, and from a variable on by the rest of them. */
function follow(start: ValueNode, members: readonly string[], from: number): string {
  let node: ValueNode | undefined = start
  for (let at = from; node; at++) {
    if (node.kind === Kind.VARIABLE) return pointerTo([node.name.value, ...members.slice(at)])
    const member = members[at]
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

/** The field whose answer stands at a path, wherever fragments put it. */
function fieldAt(
  { document, name }: Operation,
  path: readonly (string | number)[],
): FieldNode | undefined {
  let sets: SelectionSetNode[] = [operationOf(document, name)!.selectionSet]
  let field: FieldNode | undefined
  for (const key of path) {
    if (typeof key === 'number') continue
    const found = sets.flatMap((set) => fieldsOf(document, set, key))
    field = found[0]
    if (!field) return undefined
    sets = found.flatMap(({ selectionSet }) => selectionSet ?? [])
  }
  return field
}

function fieldsOf(document: DocumentNode, set: SelectionSetNode, key: string): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      return (selection.alias ?? selection.name).value === key ? [selection] : []
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsOf(document, selection.selectionSet, key)
    }
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
    )
    return fragment && 'selectionSet' in fragment
      ? fieldsOf(document, fragment.selectionSet, key)
      : []
  })
}
