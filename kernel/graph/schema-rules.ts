import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FieldDefinitionNode,
  type StringValueNode,
  type TypeNode,
} from 'graphql'

/**
 * Applies the rules for nullability and descriptions to every field of a subgraph's schema. The
 * rules apply when the schema is built, so that no resolver can omit them. See docs/decisions/0087.
 */
export function applySchemaRules(document: DocumentNode): DocumentNode {
  const entities = entityNamesIn(document)
  return visit(document, {
    ObjectTypeDefinition: (type) => ({
      ...type,
      description: type.description ?? rootDescription(type.name.value),
      fields: type.fields?.map((field) =>
        withSentences(type.name.value, nullableIfFragile(type.name.value, field, entities)),
      ),
    }),
  })
}

/** Returns the names of the entities: types with a key, to which other subgraphs can add fields. */
function entityNamesIn({ definitions }: DocumentNode): ReadonlySet<string> {
  const types = definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION)
  const entities = types.filter((type) => type.directives?.some(({ name }) => name.value === 'key'))
  return new Set(entities.map(({ name }) => name.value))
}

/**
 * Makes a field nullable if it can fail on its own. In GraphQL an error in a non-null field also
 * removes the object around the field.
 */
function nullableIfFragile(
  typeName: string,
  field: FieldDefinitionNode,
  entities: ReadonlySet<string>,
): FieldDefinitionNode {
  const { type } = field
  const isFragile = type.kind === Kind.NON_NULL_TYPE && canFailAlone(typeName, field, entities)
  return isFragile ? { ...field, type: type.type } : field
}

/**
 * Whether a field can fail while the other fields of its object succeed. Such a field is a query,
 * requires a scope, has arguments, or returns an entity, which another subgraph may resolve. The
 * fields of a page cannot, because its nodes are read together with the page.
 */
function canFailAlone(
  typeName: string,
  field: FieldDefinitionNode,
  entities: ReadonlySet<string>,
): boolean {
  if (typeName === 'Query') return true
  if (typeName === 'Mutation' || typeName === 'Subscription' || isPagePart(typeName)) return false
  const hasArguments = (field.arguments?.length ?? 0) > 0
  return hasArguments || scopeIn(field) !== undefined || entities.has(namedType(field.type))
}

/** Whether the type is a `<Name>Connection` or a `<Name>Edge`. */
function isPagePart(typeName: string): boolean {
  return /(Connection|Edge)$/.test(typeName)
}

const rootDescriptions: Readonly<Record<string, string>> = {
  Query: 'The operations that read data.',
  Mutation: 'The operations that change data.',
  Subscription: 'The operations that send events to the client as they occur.',
}

/** Returns the description of a root type. Type-graphql has no option for these descriptions. */
function rootDescription(typeName: string): StringValueNode | undefined {
  const value = rootDescriptions[typeName]
  return value ? { kind: Kind.STRING, value } : undefined
}

/** Appends sentences about missing records and the required scope to the description of a field. */
function withSentences(typeName: string, field: FieldDefinitionNode): FieldDefinitionNode {
  const sentences = [
    field.description?.value,
    isLookup(typeName, field) ? unknownIdSentence : undefined,
    scopeSentence(typeName, scopeIn(field)),
  ].filter((sentence) => sentence !== undefined)
  if (sentences.length === 0) return field
  const value = sentences.join(' ')
  return { ...field, description: { kind: Kind.STRING, value, block: true } }
}

/** The sentence about missing records in the description of a query by ID. */
export const unknownIdSentence =
  'Null if the record does not exist or is not visible to the caller.'

/**
 * Returns the sentence about the scope that a field requires; undefined for a field that requires
 * no more than its object.
 */
export function scopeSentence(typeName: string, scope: string | undefined): string | undefined {
  if (scope) return `Requires the scope \`${scope}\`.`
  const isOperation = ['Query', 'Mutation', 'Subscription'].includes(typeName)
  return isOperation ? 'Requires a token, but no scope.' : undefined
}

/** Whether the field is a query for one record by its ID. */
function isLookup(typeName: string, { type, arguments: args = [] }: FieldDefinitionNode): boolean {
  if (typeName !== 'Query' || type.kind !== Kind.NAMED_TYPE || isPagePart(type.name.value)) {
    return false
  }
  return args.some((argument) => print(argument.type) === 'ID!')
}

function scopeIn({ directives }: FieldDefinitionNode): string | undefined {
  const declared = directives?.find(({ name }) => name.value === 'scope')
  const value = declared?.arguments?.[0]?.value
  return value?.kind === Kind.STRING ? value.value : undefined
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? print(type.name) : namedType(type.type)
}
