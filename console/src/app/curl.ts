import type { RecordedOperation } from '../graph/record.ts'
import { fetchAnswer } from '../session/fetch.ts'

/** The parts of the bank's OpenAPI document that a command needs. */
export interface OpenApi {
  servers: readonly { url: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, RestOperation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

interface RestOperation {
  'x-graphql-operation': string
  parameters?: readonly { name: string; in: string }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

interface Schema {
  $ref?: string
  properties?: Readonly<Record<string, Schema>>
  enum?: readonly string[]
}

let openApi: Promise<OpenApi> | null = null

/** Loads the description of the documented REST operations, once. */
export function loadOpenApi(): Promise<OpenApi> {
  openApi ??= fetchAnswer('/openapi.json')
    .then((response) => response.json() as Promise<OpenApi>)
    .catch((error: unknown) => {
      openApi = null
      throw error
    })
  return openApi
}

/** Returns a command for a POSIX shell that sends the operation with a token from `$TOKEN`. */
export const graphCommand = ({ text: query, variables, kind }: RecordedOperation): string =>
  commandOf(`${location.origin}/graphql`, kind === 'mutation', { query, variables })

/**
 * Returns the command that does the same over the documented REST operations; null if none of them
 * does. Members that the REST operation does not have are omitted.
 */
export function restCommand(operation: RecordedOperation, api: OpenApi): string | null {
  const field = rootFieldOf(operation.text)
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, rest] of Object.entries(methods)) {
      if (rest['x-graphql-operation'] !== field) continue
      const values = valuesOf(operation)
      const url = `${api.servers[0]!.url}${filled(path, values)}`
      if (method === 'get') return commandOf(`${url}${queryOf(rest, values)}`, false, null)
      return commandOf(url, true, bodyOf(rest, values, api))
    }
  }
  return null
}

/** Returns the first field that a document selects, such as `createNotification`. */
const rootFieldOf = (text: string): string | undefined =>
  /^[^{]*\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(text)?.[1]

type Values = Readonly<Record<string, unknown>>

/** Returns the values of an operation by their names in REST. */
function valuesOf({ variables }: RecordedOperation): Values {
  const { first, after, ...rest } = variables
  const input = (variables['input'] ?? rest) as Values
  return { ...input, pageSize: first, pageToken: after }
}

const filled = (path: string, values: Values): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])))

function queryOf({ parameters = [] }: RestOperation, values: Values): string {
  const given = parameters
    .filter((parameter) => parameter.in === 'query' && values[parameter.name] != null)
    .map(({ name }): [string, string] => [name, textOf(values[name])])
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

const textOf = (value: unknown) => String(value as string | number)

function bodyOf({ requestBody }: RestOperation, values: Values, api: OpenApi): Values {
  const { properties = {} } = resolved(requestBody?.content['application/json'].schema, api)
  const members = Object.entries(properties).filter(([name]) => values[name] != null)
  return Object.fromEntries(
    members.map(([name, schema]) => [name, wireValue(values[name], schema)]),
  )
}

const resolved = (schema: Schema | undefined, { components }: OpenApi): Schema =>
  schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : (schema ?? {})

/** The graph writes `SECURE_MESSAGE` where REST writes `secure-message`. */
const wireValue = (value: unknown, { enum: names }: Schema): unknown =>
  names?.find((name) => name.toUpperCase().replaceAll('-', '_') === value) ?? value

function commandOf(url: string, isWrite: boolean, body: object | null): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl ${quoted(url)}`,
    '-H "authorization: Bearer $TOKEN"',
    ...(body ? ["-H 'content-type: application/json'"] : []),
    ...(isWrite ? ['-H "idempotency-key: $(uuidgen)"'] : []),
    ...(body ? [`-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ')
}
