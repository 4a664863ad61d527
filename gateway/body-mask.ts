import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'

/** Returns a JSON text in which values that may be personal are masked; null if it is not JSON. */
export type MaskBody = (json: string) => string | null

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
/** Members that are visible although some of them are texts: names of the bank, and problems. */
const visibleTexts = [
  'channel',
  'code',
  'detail',
  'status',
  'templateCode',
  'type',
  'currency',
  'amount',
  'operationName',
  'pointer',
  'requestId',
  'nextPageToken',
  'position',
  'sha256Hash',
  'currentState',
  'scope',
  '__typename',
]
/** Members with a coded type that say something about a person. */
const personalMembers: ReadonlySet<string> = new Set([
  'dateOfBirth',
  'diedOn',
  'iban',
  'accountNumber',
])

const mask = '…'
const memberPattern = /"((?:[^"\\]|\\.)*)"(\s*:)?/g
const literalPattern = /"""[\s\S]*?"""|"(?:[^"\\]|\\.)*"/g

/**
 * Creates the mask of bodies. A text keeps its value only if every member with its name, anywhere in
 * the graph, is a code, an ID, a time or an amount; what a person may have written is masked. So are
 * the literals in a GraphQL document. Names of members, numbers and booleans stay.
 */
export function createBodyMask(schema: GraphQLSchema): MaskBody {
  const visible = visibleMembers(schema)
  return (json) => {
    if (!isJson(json)) return null
    // The name of the member, or of the array of values, to which a text belongs.
    let member = ''
    return json.replace(memberPattern, (token: string, text: string, colon?: string) => {
      if (colon !== undefined) {
        member = text
        return token
      }
      if (member === 'query') return JSON.stringify(maskLiterals(JSON.parse(token) as string))
      return text === '' || visible.has(member) ? token : `"${mask}"`
    })
  }
}

const maskLiterals = (document: string): string =>
  document.replace(literalPattern, (literal) => (literal === '""' ? literal : `"${mask}"`))

/** Returns the names that only members of coded types have. */
function visibleMembers(schema: GraphQLSchema): Set<string> {
  const coded = new Set<string>()
  const other = new Set(personalMembers)
  const add = (name: string, type: GraphQLNamedType) =>
    (isEnumType(type) || codedTypes.has(type.name) ? coded : other).add(name)
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const namedType = namedTypeOf(field)
      // A member that is an object has no text of its own.
      if (!isObjectType(namedType) && !isInputObjectType(namedType)) add(field.name, namedType)
      for (const argument of 'args' in field ? field.args : []) {
        add(argument.name, namedTypeOf(argument))
      }
    }
  }
  return new Set([...[...coded].filter((name) => !other.has(name)), ...visibleTexts])
}

const namedTypeOf = ({ type }: { type: GraphQLType }): GraphQLNamedType =>
  getNamedType(type) as GraphQLNamedType

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
