import {
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'

/**
 * Completes a value. Returns the value with only its selected fields, in the order of the document;
 * null; or `propagatedNull`.
 */
type Complete = (value: unknown) => unknown

/** Marks a null in a non-null field, so that the nearest nullable parent becomes null instead. */
const propagatedNull = Symbol('null of a non-null field')

const completeLeaf: Complete = (value) => value ?? null
const completeRequiredLeaf: Complete = (value) => value ?? propagatedNull

type Data = Record<string, unknown>

interface FieldCompletion {
  key: string
  complete: Complete
}

/**
 * Compiles a function that completes the result of an operation. The merged data of the fetches
 * also contains keys and type names that the client did not select. The function reduces the data
 * to the selected fields and propagates nulls as GraphQL specifies.
 */
export function compileShape(
  schema: GraphQLSchema,
  document: DocumentNode,
  root: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): (data: Data) => Data | null {
  const shaper = new Shaper(schema, document)
  const complete = shaper.compileObject(root, [selectionSet])
  return (data) => complete(data) as Data | null
}

class Shaper {
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema
    this.#fragments = new Map(
      document.definitions
        .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node) => [node.name.value, node]),
    )
  }

  /**
   * Compiles the completion of an object. For an abstract type, the fields are compiled once per
   * concrete type.
   */
  compileObject(parent: GraphQLCompositeType, sets: readonly SelectionSetNode[]): Complete {
    const fieldsByType = new Map<string, FieldCompletion[]>()
    const fieldsOf = (name: string) => {
      let fields = fieldsByType.get(name)
      if (!fields) {
        fields = this.#compileFields(this.#schema.getType(name) as GraphQLObjectType, sets)
        fieldsByType.set(name, fields)
      }
      return fields
    }
    const concreteFields = isObjectType(parent) ? fieldsOf(parent.name) : null
    return (value) => {
      if (value === null || value === undefined) return null
      const completed: Data = {}
      for (const { key, complete } of concreteFields ??
        fieldsOf((value as Data)['__typename'] as string)) {
        const member = complete((value as Data)[key])
        if (member === propagatedNull) return null
        completed[key] = member
      }
      return completed
    }
  }

  #compileFields(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): FieldCompletion[] {
    const nodesByKey = new Map<string, FieldNode[]>()
    for (const set of sets) this.#collect(type, set, nodesByKey)
    return [...nodesByKey].map(([key, nodes]) => {
      const name = nodes[0]!.name.value
      if (name === '__typename') return { key, complete: () => type.name }
      return { key, complete: this.#compileMember(type.getFields()[name]!.type, nodes) }
    })
  }

  #collect(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    nodesByKey: Map<string, FieldNode[]>,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const nodes = nodesByKey.get(key)
        if (nodes) nodes.push(selection)
        else nodesByKey.set(key, [selection])
        continue
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragments.get(selection.name.value)!
          : selection
      const condition = fragment.typeCondition?.name.value
      if (this.#applies(type, condition)) this.#collect(type, fragment.selectionSet, nodesByKey)
    }
  }

  #applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    if (condition === undefined || condition === type.name) return true
    const abstract = this.#schema.getType(condition)
    return isAbstractType(abstract) && this.#schema.isSubType(abstract, type)
  }

  #compileMember(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (!isNonNullType(type)) return this.#compileNullable(type, nodes)
    const complete = this.#compileNullable(type.ofType, nodes)
    if (complete === completeLeaf) return completeRequiredLeaf
    return (value) => {
      const member = complete(value)
      return member === null ? propagatedNull : member
    }
  }

  #compileNullable(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    const inner = getNullableType(type)
    if (isListType(inner)) {
      const item = this.#compileMember(inner.ofType as GraphQLOutputType, nodes)
      return (value) => {
        if (!Array.isArray(value)) return null
        const items = value.map(item)
        return items.includes(propagatedNull) ? null : items
      }
    }
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (sets.length > 0) return this.compileObject(inner as GraphQLCompositeType, sets)
    return completeLeaf
  }
}
