import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FieldDefinitionNode,
  type TypeNode,
} from 'graphql'

/**
 * Rules that hold for every field of the graph, applied when a subgraph's schema is built, so that no
 * resolver can forget them. They are stated in docs/decisions/0087.
 */
export function applySchemaRules(document: DocumentNode): DocumentNode {
  const entities = entityNamesIn(document)
  return visit(document, {
    ObjectTypeDefinition: (type) => ({
      ...type,
      fields: type.fields?.map((field) =>
        describe(type.name.value, isolate(type.name.value, field, entities)),
      ),
    }),
  })
}

/** Types that other subgraphs can add fields to: those with a key. */
function entityNamesIn({ definitions }: DocumentNode): ReadonlySet<string> {
  const types = definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION)
  const entities = types.filter((type) => type.directives?.some(({ name }) => name.value === 'key'))
  return new Set(entities.map(({ name }) => name.value))
}

/** Makes a field nullable when it can fail on its own: the failure then costs the page this field alone. */
function isolate(
  typeName: string,
  field: FieldDefinitionNode,
  entities: ReadonlySet<string>,
): FieldDefinitionNode {
  const { type } = field
  const isFragile = type.kind === Kind.NON_NULL_TYPE && canFailAlone(typeName, field, entities)
  return isFragile ? { ...field, type: type.type } : field
}

/**
 * Whether a field can fail while its neighbors succeed: a query, a field with a scope of its own, one
 * whose arguments can be rejected, and one that leads to a record another subgraph may have to complete.
 * The nodes of a page are read together with the page.
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

/** `<Name>Connection` and `<Name>Edge`. */
function isPagePart(typeName: string): boolean {
  return /(Connection|Edge)$/.test(typeName)
}

/** Completes a description with what the declaration of the field already says. */
function describe(typeName: string, field: FieldDefinitionNode): FieldDefinitionNode {
  const sentences = [
    field.description?.value,
    isLookup(typeName, field) ? unknownIdSentence : undefined,
    rightsSentence(typeName, scopeIn(field)),
  ].filter((sentence) => sentence !== undefined)
  if (sentences.length === 0) return field
  const value = sentences.join(' ')
  return { ...field, description: { kind: Kind.STRING, value, block: true } }
}

/** What the description of a query for one record says about an unknown id. */
export const unknownIdSentence = 'Null if the caller can see no record with this id.'

/** What a description says about the scope of a field; undefined for a field that follows its record. */
export function rightsSentence(typeName: string, scope: string | undefined): string | undefined {
  if (scope) return `Requires the scope \`${scope}\`.`
  const isOperation = ['Query', 'Mutation', 'Subscription'].includes(typeName)
  return isOperation ? 'Requires a token, but no scope.' : undefined
}

/** A query for one record by its id. */
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
