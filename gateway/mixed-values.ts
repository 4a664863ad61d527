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
import { childPointer } from '../kernel/domain/problem-members.ts'
import { checkLeaf, type InputError } from './input-faults.ts'
import { operationOf, type Operation } from './operation.ts'
import { variablesIn } from './variables-in.ts'

/**
 * A literal of a scalar type that contains variables, such as `{ amount: $v, currency: "EUR" }`.
 */
interface MixedValue {
  scalar: GraphQLScalarType
  node: ValueNode
  variables: readonly string[]
  /**
   * A JSON pointer to the variable if there is exactly one, otherwise to the literal in the
   * arguments.
   */
  pointer: string
}

/**
 * Checks literals of scalar types that contain variables. GraphQL only checks variables that are an
 * entire argument or property, so without this check only the subgraph would reject an invalid
 * literal. Each document is searched once.
 */
export class MixedValues {
  readonly #schema: GraphQLSchema
  readonly #valuesByDocument = new WeakMap<DocumentNode, readonly MixedValue[]>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** Returns the validation errors of the operation's mixed values, given the sent variables. */
  faults(operation: Operation, sentVariables: Readonly<Record<string, unknown>>): InputError[] {
    const { document } = operation
    let values = this.#valuesByDocument.get(document)
    if (!values) {
      values = findMixedValues(this.#schema, document)
      this.#valuesByDocument.set(document, values)
    }
    if (values.length === 0) return []
    const variables = withDefaults(operation, sentVariables)
    const faults: InputError[] = []
    for (const { scalar, node, variables: usedNames, pointer } of values) {
      // A fragment that only another operation uses may use variables that this operation does not
      // declare.
      if (!usedNames.every((name) => Object.hasOwn(variables, name))) continue
      const parse = () => scalar.parseLiteral(node, variables)
      checkLeaf(pointer, faults, variables[usedNames[0]!], parse)
    }
    return faults
  }
}

function findMixedValues(schema: GraphQLSchema, document: DocumentNode): MixedValue[] {
  const values: MixedValue[] = []
  const info = new TypeInfo(schema)
  const path: string[] = []
  const addIfMixed = (node: ValueNode, type: GraphQLInputType | null | undefined) => {
    const scalar = getNullableType(type)
    if (!isScalarType(scalar)) return undefined
    const variables = variablesIn(node)
    const [firstName, ...otherNames] = variables
    const pointer =
      otherNames.length === 0 && firstName ? childPointer('', firstName) : path.join('')
    if (firstName) values.push({ scalar, node, variables, pointer })
    return false
  }
  const trackPath = {
    enter: (node: { name: { value: string } }) => void path.push(childPointer('', node.name.value)),
    leave: () => void path.pop(),
  }
  const visitor = visitWithTypeInfo(info, {
    VariableDefinition: () => false,
    Argument: trackPath,
    ObjectField: trackPath,
    ObjectValue: (node) => addIfMixed(node, info.getInputType()),
    // Inside a list, the input type is the type of its items.
    ListValue: (node) => addIfMixed(node, info.getParentInputType()),
  })
  visit(document, visitor)
  return values
}

/**
 * Returns the declared variables with their sent values or defaults; undefined for a variable with
 * neither.
 */
function withDefaults(
  { document, name }: Operation,
  sentVariables: Readonly<Record<string, unknown>>,
) {
  const definitions = operationOf(document, name)?.variableDefinitions ?? []
  return Object.fromEntries(
    definitions.map(({ variable, defaultValue }) => {
      const value = Object.hasOwn(sentVariables, variable.name.value)
        ? sentVariables[variable.name.value]
        : undefined
      const declaredDefault = defaultValue && valueFromASTUntyped(defaultValue)
      return [variable.name.value, value === undefined ? declaredDefault : value]
    }),
  )
}
