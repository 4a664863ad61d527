import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  print,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from 'graphql'
import { everyScope, type Scope } from '../../kernel/domain/scopes.ts'

export type OperationType = 'query' | 'mutation' | 'subscription'

/** One root field of the graph. */
export interface GraphOperation {
  type: OperationType
  name: string
  field: GraphQLField<unknown, unknown>
  /** null: requires a token but no scope. */
  scope: Scope | null
  /** Whether a person must decide. */
  needsPerson: boolean
}

/** Every root field of the served graph, with the scope that the supergraph declares for it. */
export function graphOperations(schema: GraphQLSchema, supergraph: DocumentNode): GraphOperation[] {
  const roots = [
    ['query', schema.getQueryType()!],
    ['mutation', schema.getMutationType()!],
    ['subscription', schema.getSubscriptionType()!],
  ] as const
  return roots.flatMap(([type, root]) =>
    Object.values(root.getFields()).map((field) => ({
      type,
      name: field.name,
      field,
      ...declarationsOf(supergraph, root.name, field.name),
    })),
  )
}

/** Does not use the REST facade's own code, which is under test. */
function declarationsOf(
  supergraph: DocumentNode,
  root: string,
  name: string,
): Pick<GraphOperation, 'scope' | 'needsPerson'> {
  const type = supergraph.definitions.find(
    (each): each is ObjectTypeDefinitionNode =>
      each.kind === Kind.OBJECT_TYPE_DEFINITION && each.name.value === root,
  )!
  const field = type.fields!.find((each) => each.name.value === name)!
  const printed = field.directives!.map((directive) => print(directive)).join(' ')
  const found = /@scope\(requires: "([^"]+)"\)/.exec(printed)?.[1]
  return {
    scope: everyScope.find((scope) => scope === found) ?? null,
    needsPerson: field.directives!.some((directive) => directive.name.value === 'person'),
  }
}

type Input = GraphQLArgument | GraphQLInputField

/** The value of an input member; undefined leaves it to the default for its type. */
export type Fill = (name: string, input: Input) => unknown

const usual: Record<string, unknown> = {
  ID: 'absent',
  Int: 1,
  Float: 1,
  Boolean: false,
  Currency: 'EUR',
  Date: '2026-01-15',
  DateTime: '2026-01-15T09:00:00Z',
  Decimal: '1.5',
  VersionLabel: '2026.1',
  Amount: '1.00',
  BigInt: '1',
  Base64: 'aGVsbG8=',
  JSONObject: {},
}

/**
 * A document for the field, with variables for required arguments and those that `fill` supplies.
 */
export function documentFor(
  { type, name, field }: GraphOperation,
  selection: string,
  fill: Fill = () => undefined,
): { query: string; variables: Record<string, unknown> } {
  const sent = field.args.flatMap((argument) => {
    const value = valueOf(argument, fill)
    return value === undefined ? [] : [{ argument, value }]
  })
  const names = sent.map(({ argument }) => argument.name)
  const declared = sent.map(({ argument }) => `$${argument.name}: ${String(argument.type)}`)
  const provided = names.map((each) => `${each}: $${each}`)
  const list = (items: readonly string[]) => (items.length > 0 ? `(${items.join(', ')})` : '')
  const fields = isLeafType(getNamedType(field.type)) ? '' : ` { ${selection} }`
  return {
    query: `${type} Asked${list(declared)} { ${name}${list(provided)}${fields} }`,
    variables: Object.fromEntries(sent.map(({ argument, value }) => [argument.name, value])),
  }
}

function valueOf(input: Input, fill: Fill): unknown {
  const filled = fill(input.name, input)
  if (filled !== undefined) return wrapped(input.type, filled)
  const inner = getNamedType(input.type)
  if (isInputObjectType(inner)) {
    const members = Object.values(inner.getFields()).flatMap((member) => {
      const value = valueOf(member, fill)
      return value === undefined ? [] : [[member.name, value] as const]
    })
    if (members.length === 0 && !isNonNullType(input.type)) return undefined
    if (!isNonNullType(input.type) && !members.some(([name]) => hasIds(inner, name, fill))) {
      return undefined
    }
    return wrapped(input.type, Object.fromEntries(members))
  }
  if (!isNonNullType(input.type) || input.defaultValue !== undefined) return undefined
  if (isEnumType(inner)) return wrapped(input.type, inner.getValues()[0]!.name)
  return wrapped(input.type, usual[inner.name] ?? 'x')
}

/** Whether `fill` supplies a member of an optional object. */
function hasIds(object: ReturnType<typeof getNamedType>, name: string, fill: Fill): boolean {
  if (!isInputObjectType(object)) return false
  const member = object.getFields()[name]!
  return fill(name, member) !== undefined
}

function wrapped(type: GraphQLInputType, value: unknown): unknown {
  const inner = isNonNullType(type) ? type.ofType : type
  return isListType(inner) && !Array.isArray(value) ? [value] : value
}
