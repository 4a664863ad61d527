import {
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'

/** A document that reads one nested field of every record of a list, such as the parties of notifications. */
export interface NestedFieldDocument {
  /** Such as `notifications.party`. */
  name: string
  /** The document; its variable `$first` is the size of the page. */
  document: string
}

/** Returns a document for each nested field of each list of the schema that needs no arguments. */
export function nestedFieldDocuments(schema: GraphQLSchema): NestedFieldDocument[] {
  return fieldsOf(schema.getQueryType()!).flatMap((list) => {
    const node = nodeTypeOf(list)
    if (!node) return []
    return fieldsOf(node)
      .filter(({ type }) => isObjectType(getNamedType(type)))
      .map((field) => ({
        name: `${list.name}.${field.name}`,
        document: `query ($first: Int) {
          ${list.name}(first: $first) { nodes { ${field.name} ${selectionOf(field)} } } }`,
      }))
  })
}

type Field = GraphQLField<unknown, unknown>

const fieldsOf = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument))

/** Returns the type of the records of a connection; null for any other field. */
function nodeTypeOf({ type }: Field): GraphQLObjectType | null {
  const connection = getNamedType(type)
  if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return null
  const node = getNamedType(connection.getFields()['nodes']!.type)
  return isObjectType(node) ? node : null
}

/** Selects the scalars of a record, or of the records of a connection. */
function selectionOf(field: Field): string {
  const node = nodeTypeOf(field)
  if (node) return `{ nodes { ${scalarsOf(node)} } }`
  const type = getNamedType(field.type)
  return `{ ${scalarsOf(type as GraphQLObjectType)} }`
}

function scalarsOf(type: GraphQLObjectType): string {
  const scalars = fieldsOf(type).filter((field) => isLeafType(getNamedType(field.type)))
  return ['__typename', ...scalars.map(({ name }) => name)].join(' ')
}
