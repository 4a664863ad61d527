import { type AmountSent, isCurrency } from '../domain/money.ts'
import { GraphQLError, GraphQLID, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { isLocalDate, parseDateTime } from '../domain/dates.ts'
import { isExact } from '../domain/exact-number.ts'
import { idPattern } from '../domain/ids.ts'
import { hasAtMost } from '../domain/text-length.ts'

/**
 * The JSON Schema of a scalar. The OpenAPI document and the validation of the REST facade use it.
 * `x-wanted` describes the accepted values; error messages of GraphQL and REST contain this text.
 */
export type WireSchema = Readonly<Record<string, unknown>>

interface ScalarConfig {
  name: string
  description: string
  wire: WireSchema
  /** Converts a text to the internal value; undefined if the text is not valid. */
  parse(text: string): unknown
  serialize?(value: unknown): unknown
}

/** Creates a scalar that is sent as a string, both in literals and in variables. */
function textScalar({ name, description, wire, parse, serialize }: ScalarConfig) {
  const parseText = (value: unknown) => {
    if (typeof value !== 'string') throw new GraphQLError(`${name} must be a string.`)
    const parsed = parse(value)
    return parsed === undefined ? reject(wire['x-wanted']) : parsed
  }
  return new GraphQLScalarType({
    name,
    description,
    extensions: { wire },
    serialize: serialize ?? ((value) => value),
    parseValue: parseText,
    parseLiteral(node: ValueNode) {
      return parseText(node.kind === Kind.STRING ? node.value : undefined)
    },
  })
}

const reject = (reason: unknown): never => {
  throw new GraphQLError(String(reason))
}

export const DateTimeScalar = textScalar({
  name: 'DateTime',
  description: 'A point in time in ISO 8601 with a time zone. Responses use UTC.',
  wire: {
    type: 'string',
    format: 'date-time',
    'x-wanted': 'A date-time such as 2026-01-31T09:30:00Z.',
  },
  parse: parseDateTime,
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
})

export const LocalDateScalar = textScalar({
  name: 'Date',
  description: 'An existing calendar date in the format YYYY-MM-DD.',
  wire: { type: 'string', format: 'date', 'x-wanted': 'A date such as 2026-01-31.' },
  parse: (text) => (isLocalDate(text) ? text : undefined),
})

const decimalWire = {
  type: 'string',
  pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$',
  'x-wanted': 'A decimal string such as "12.50".',
}

export const DecimalScalar = textScalar({
  name: 'Decimal',
  description:
    'A decimal number as a string, with at most 15 digits before the decimal point and 10 after it.',
  wire: decimalWire,
  parse: (text) => (/^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? text : undefined),
})

const currencyWire = {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  format: 'iso-4217',
  'x-wanted': 'An ISO 4217 code such as EUR.',
}

export const CurrencyScalar = textScalar({
  name: 'Currency',
  description: 'An ISO 4217 currency code.',
  wire: currencyWire,
  parse: (text) => (isCurrency(text) ? text : undefined),
})

/**
 * Control (Cc) and format (Cf) characters of the Basic Multilingual Plane, as the content of a
 * character class in a regular expression.
 */
const controlCharacters =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2' +
  '\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb'

export const LabelScalar = textScalar({
  name: 'Label',
  description:
    'A name or a classification of 1 to 64 characters, not all of them blanks. Control and ' +
    'format characters are not allowed.',
  wire: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    // The first two parts match disjoint sets of characters, so that matching takes linear time.
    // Many tools compile patterns without the `u` flag, so there are no Unicode property escapes.
    pattern: `^[^\\S${controlCharacters}]*[^\\s${controlCharacters}][^${controlCharacters}]*$`,
    'x-wanted': '1 to 64 characters without control characters, not all of them blanks.',
  },
  parse: (text) =>
    hasAtMost(64, text) && /\S/.test(text) && !/[\p{Cc}\p{Cf}]/u.test(text) ? text : undefined,
})

const versionPattern = '^\\d{4}\\.(0?[1-9]|1[0-2])$'

export const VersionLabelScalar = textScalar({
  name: 'VersionLabel',
  description: 'The label of a product version: a year and a month, such as 2026.10.',
  wire: {
    type: 'string',
    pattern: versionPattern,
    'x-wanted': 'A year and a month such as 2026.10.',
  },
  parse: (text) => (new RegExp(versionPattern).test(text) ? text : undefined),
})

export const TextScalar = textScalar({
  name: 'Text',
  description: 'Free text of 1 to 16,000 characters. It is stored exactly as sent.',
  wire: {
    type: 'string',
    minLength: 1,
    maxLength: 16_000,
    'x-wanted': '1 to 16,000 characters.',
  },
  parse: (text) => (text.length >= 1 && hasAtMost(16_000, text) ? text : undefined),
})

export const JsonObjectScalar = new GraphQLScalarType({
  name: 'JSONObject',
  description: 'A free-form JSON object.',
  extensions: { wire: { type: 'object' } },
  parseValue: (value) => (isObject(value) ? value : reject('A JSON object.')),
  parseLiteral: (node, variables) => {
    const value = literal(node, variables ?? {})
    return isObject(value) ? value : reject('A JSON object.')
  },
})

export const BigIntScalar = textScalar({
  name: 'BigInt',
  description: 'A whole number as a string, with at most 30 digits.',
  wire: { type: 'string', pattern: '^-?\\d{1,30}$', 'x-wanted': 'A whole number as a string.' },
  parse: (text) => (/^-?\d{1,30}$/.test(text) ? BigInt(text) : undefined),
  serialize: (value) => String(value),
})

const amountForms = 'An amount is {amount, currency} or a decimal string.'

export const AmountScalar = new GraphQLScalarType({
  name: 'Amount',
  description:
    'An amount of money: either `{amount, currency}`, or a decimal string in the currency of the ' +
    'record that the amount is for.',
  extensions: {
    wire: {
      'x-wanted': amountForms,
      anyOf: [
        decimalWire,
        {
          type: 'object',
          properties: {
            amount: decimalWire,
            currency: currencyWire,
          },
          required: ['amount', 'currency'],
          additionalProperties: false,
        },
      ],
    },
  },
  parseValue: readAmount,
  parseLiteral: (node, variables) => readAmount(literal(node, variables ?? {})),
})

function readAmount(value: unknown): AmountSent {
  if (typeof value === 'string') {
    return { amount: DecimalScalar.parseValue(value) as string, currency: null }
  }
  if (!isObject(value)) return reject(amountForms)
  const { amount, currency, ...others } = value as Record<string, unknown>
  if (Object.keys(others).length > 0) return reject('An amount has an amount and a currency.')
  return {
    amount: DecimalScalar.parseValue(amount) as string,
    currency: CurrencyScalar.parseValue(currency) as string,
  }
}

const maxBase64Length = 64_000

/**
 * The internal value is the base64 text itself, because the gateway sends values to subgraphs as
 * JSON.
 */
export const Base64Scalar = textScalar({
  name: 'Base64',
  description: `Binary data in base64 with padding, at most ${maxBase64Length} characters.`,
  wire: {
    type: 'string',
    maxLength: maxBase64Length,
    'x-wanted': `Base64 with padding, 4 to ${maxBase64Length} characters.`,
  },
  parse: (text) =>
    text.length <= maxBase64Length && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
      ? text
      : undefined,
})

export const scalars = [
  Base64Scalar,
  AmountScalar,
  DateTimeScalar,
  LocalDateScalar,
  DecimalScalar,
  CurrencyScalar,
  LabelScalar,
  VersionLabelScalar,
  TextScalar,
  JsonObjectScalar,
  BigIntScalar,
]

/** The JSON Schema of IDs. The built-in ID scalar has no `wire` extension to hold it. */
export const idWire: WireSchema = {
  type: 'string',
  pattern: idPattern.source,
  maxLength: 64,
  'x-wanted': 'An ID is a string of 1 to 64 letters, digits and . _ : ~ -',
}

/**
 * Makes the built-in ID scalar strict in every schema of this process. By default GraphQL accepts
 * any text. It also accepts integers, which lose precision beyond 2^53.
 */
export function makeIdStrict(): void {
  const parseId = (value: unknown) =>
    typeof value === 'string' && idPattern.test(value) ? value : reject(idWire['x-wanted'])
  GraphQLID.parseValue = parseId
  GraphQLID.parseLiteral = (node) => parseId(node.kind === Kind.STRING ? node.value : undefined)
}

makeIdStrict()

function exactNumber(text: string): number {
  if (isExact(text)) return Number(text)
  return reject(`${text.slice(0, 40)} cannot be represented exactly; send it as a string.`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function literal(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value]
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value)
    case Kind.NULL:
      return null
    case Kind.LIST:
      return node.values.map((item) => literal(item, variables))
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literal(field.value, variables)]),
      )
    default:
      return node.value
  }
}
