import {
  getNullableType,
  isScalarType,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql'
import { childPointer } from '../subgraphs/_kernel/domain/problem-members.ts'
import { checkLeaf, type InputFault } from './input-faults.ts'
import { operationOf, type Operation } from './operation.ts'
import { variablesIn } from './variables-in.ts'

/** A scalar that a document writes out with variables inside, such as `{ amount: $v, currency: "EUR" }`. */
interface MixedValue {
  scalar: GraphQLScalarType
  node: ValueNode
  variables: readonly string[]
  /** The variable's place if there is one variable, else the scalar's place in the arguments. */
  pointer: string
}

/**
 * Checks scalars that a document writes out with variables inside. GraphQL types whole arguments and
 * members alone, so nothing else checks these before a subgraph does. A document is searched once.
 */
export class MixedValues {
  readonly #schema: GraphQLSchema
  readonly #found = new WeakMap<DocumentNode, readonly MixedValue[]>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** Every fault of the operation's mixed values with these variables. */
  faults(operation: Operation, sent: Readonly<Record<string, unknown>>): InputFault[] {
    const { document } = operation
    let values = this.#found.get(document)
    if (!values) this.#found.set(document, (values = mixedValues(this.#schema, document)))
    if (values.length === 0) return []
    const variables = withDefaults(operation, sent)
    const faults: InputFault[] = []
    for (const { scalar, node, variables: used, pointer } of values) {
      // A fragment of another operation has that operation's variables.
      if (!used.every((name) => Object.hasOwn(variables, name))) continue
      const parse = () => scalar.parseLiteral(node, variables)
      checkLeaf(pointer, faults, variables[used[0]!], parse)
    }
    return faults
  }
}

function mixedValues(schema: GraphQLSchema, document: DocumentNode): MixedValue[] {
  const values: MixedValue[] = []
  const info = new TypeInfo(schema)
  const places: string[] = []
  const look = (node: ValueNode, type: GraphQLInputType | null | undefined) => {
    const scalar = getNullableType(type)
    if (!isScalarType(scalar)) return undefined
    const variables = variablesIn(node)
    const [only, ...others] = variables
    const pointer = others.length === 0 && only ? childPointer('', only) : places.join('')
    if (only) values.push({ scalar, node, variables, pointer })
    return false
  }
  const inPlace = {
    enter: (node: { name: { value: string } }) =>
      void places.push(childPointer('', node.name.value)),
    leave: () => void places.pop(),
  }
  const visitor = visitWithTypeInfo(info, {
    VariableDefinition: () => false,
    Argument: inPlace,
    ObjectField: inPlace,
    ObjectValue: (node) => look(node, info.getInputType()),
    // Within a list the type is that of its items.
    ListValue: (node) => look(node, info.getParentInputType()),
  })
  visit(document, visitor)
  return values
}

/** The variables that the operation declares: as sent, else their defaults, else undefined. */
function withDefaults({ document, name }: Operation, sent: Readonly<Record<string, unknown>>) {
  const definitions = operationOf(document, name)?.variableDefinitions ?? []
  return Object.fromEntries(
    definitions.map(({ variable, defaultValue }) => {
      const value = Object.hasOwn(sent, variable.name.value) ? sent[variable.name.value] : undefined
      const usual = defaultValue && valueFromASTUntyped(defaultValue)
      return [variable.name.value, value === undefined ? usual : value]
    }),
  )
}
