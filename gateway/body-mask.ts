import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  print,
  visit,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  type TypeNode,
} from 'graphql'

/** Masks what a person may have written. */
export interface BodyMask {
  /**
   * Parses and masks the body of a request; null if it is not a JSON object. `document` is the
   * GraphQL document that the request contains; null for a REST request.
   */
  request(body: string, document: DocumentNode | null): object | null
  /** Does the same with the body of a response. */
  response(body: string, document: DocumentNode | null): object | null
  /** Returns a path with its query. */
  path(url: string): string
}

/** Types whose values are codes, IDs, times and amounts: nothing that a person has written. */
const codedTypes: ReadonlySet<string> = new Set([
  'ID',
  'Int',
  'Float',
  'Boolean',
  'BigInt',
  'Amount',
  'Currency',
  'Date',
  'DateTime',
  'Decimal',
  'VersionLabel',
])
/** Texts that are visible nevertheless: they are codes, and names that the bank gives. */
const visibleTexts = [
  'channel',
  'code',
  'currency',
  'amount',
  'nextPageToken',
  'operationName',
  'pageToken',
  'pointer',
  'position',
  'requestId',
  'scope',
  'sha256Hash',
  'status',
  'templateCode',
  'type',
  '__typename',
]
/** Members with a coded type that say something about a person. */
const personalMembers: ReadonlySet<string> = new Set(['dateOfBirth', 'diedOn'])
/** Members that can be objects although the schema does not say so. */
const transportContainers = [
  'amount',
  'data',
  'errors',
  'extensions',
  'pagination',
  'persistedQuery',
]

const mask = '…'

/** What is known of a document: its text without what a person may have written, and how its names differ from the schema. */
interface MaskedDocument {
  text: string
  /** The variables whose values are codes. */
  codedVariables: ReadonlySet<string>
  /** Whether a response has names that the client chose. */
  hasAliases: boolean
}

/**
 * Creates the mask of a schema. A text stays only if every member with its name, anywhere in the
 * graph, has a coded type. An object whose members anybody can choose, such as `metadata`, is masked
 * completely, except for the names of its members. So is a response with aliases, and so are the
 * texts in a document.
 */
export function createBodyMask(schema: GraphQLSchema): BodyMask {
  const { visible, containers } = membersOf(schema)
  const documents = new WeakMap<DocumentNode, MaskedDocument>()
  const isCoded = (type: TypeNode): boolean =>
    type.kind === Kind.NAMED_TYPE
      ? // The name of a variable does not say whether a date is one of birth.
        (codedTypes.has(type.name.value) && type.name.value !== 'Date') ||
        isEnumType(schema.getType(type.name.value))
      : isCoded(type.type)
  const about = (document: DocumentNode): MaskedDocument => {
    const known = documents.get(document)
    if (known) return known
    const found = maskedDocument(document, isCoded)
    documents.set(document, found)
    return found
  }
  const masked = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return visible.has(name) ? value : hidden(value)
    if (Array.isArray(value)) return value.map((item) => masked(item, name))
    if (typeof value !== 'object' || value === null) return value
    return containers.has(name) ? maskedMembers(value) : hidden(value)
  }
  const maskedMembers = (object: object) => mapMembers(object, masked)
  const graphRequest = (body: object, document: MaskedDocument) =>
    mapMembers(body, (value, name) => {
      if (name === 'query') return document.text
      if (name !== 'variables') return masked(value, name)
      return mapMembers((value ?? {}) as object, (variable, variableName) => {
        if (document.codedVariables.has(variableName)) return variable
        return isObject(variable) ? maskedMembers(variable) : hidden(variable)
      })
    })
  return {
    request: (body, document) =>
      maskedJson(body, (object) =>
        document ? graphRequest(object, about(document)) : maskedMembers(object),
      ),
    response: (body, document) =>
      maskedJson(body, (value) =>
        document && about(document).hasAliases && !isProblem(value)
          ? hidden(value)
          : Array.isArray(value)
            ? value.map((item) => (isObject(item) ? maskedMembers(item) : hidden(item)))
            : maskedMembers(value),
      ),
    path(url) {
      const [path, query] = url.split('?') as [string, string?]
      if (query === undefined) return path
      const entries = [...new URLSearchParams(query)]
      const shown = entries.map(([name, value]) => `${name}=${visible.has(name) ? value : mask}`)
      return `${path}?${shown.join('&')}`
    },
  }
}

/** Masks all texts and numbers of a value, at any depth. */
function hidden(value: object): object
function hidden(value: unknown): unknown
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden)
  if (isObject(value)) return mapMembers(value, hidden)
  return value === null || value === '' || typeof value === 'boolean' ? value : mask
}

/** A response with nothing but problems has no name that the client chose. */
const isProblem = (value: object): boolean => 'errors' in value && !('data' in value)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the members of an object in place: it was just parsed, and nobody else has it. */
function mapMembers<Members extends object>(
  object: Members,
  map: (value: unknown, name: string) => unknown,
): Members {
  const members = object as Record<string, unknown>
  for (const name of Object.keys(members)) members[name] = map(members[name], name)
  return object
}

function maskedJson(text: string, map: (value: object) => object): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? map(value) : null
  } catch {
    return null
  }
}

function maskedDocument(
  document: DocumentNode,
  isCoded: (type: TypeNode) => boolean,
): MaskedDocument {
  const codedVariables = new Set<string>()
  let hasAliases = false
  const withoutTexts = visit(document, {
    VariableDefinition({ variable, type }) {
      if (isCoded(type)) codedVariables.add(variable.name.value)
    },
    Field({ alias, name }) {
      if (alias && alias.value !== name.value) hasAliases = true
    },
    StringValue: (node) => (node.value === '' ? undefined : { ...node, value: mask, block: false }),
  })
  return { text: print(withoutTexts), codedVariables, hasAliases }
}

/** Returns the names that only members of coded types have, and those that only objects have. */
function membersOf(schema: GraphQLSchema) {
  const coded = new Set<string>()
  const objects = new Set<string>()
  const texts = new Set(personalMembers)
  const add = (name: string, type: GraphQLNamedType) => {
    if (isObjectLike(type) || type.name === 'Amount') objects.add(name)
    if (isObjectLike(type)) return
    if (isEnumType(type) || codedTypes.has(type.name)) coded.add(name)
    else texts.add(name)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !isObjectLike(type) || isUnionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      add(field.name, namedTypeOf(field))
      for (const argument of 'args' in field ? field.args : []) {
        add(argument.name, namedTypeOf(argument))
      }
    }
  }
  const isCodedOnly = (name: string) => !texts.has(name)
  return {
    visible: new Set([...[...coded].filter(isCodedOnly), ...visibleTexts]),
    containers: new Set([...[...objects].filter(isCodedOnly), ...transportContainers]),
  }
}

const isObjectLike = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) || isUnionType(type)

const namedTypeOf = ({ type }: { type: GraphQLType }): GraphQLNamedType =>
  getNamedType(type) as GraphQLNamedType
