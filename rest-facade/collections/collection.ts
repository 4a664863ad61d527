import { dayMs, isLocalDate, parseDateTime } from '../../kernel/domain/dates.ts'
import type { JsonSchema } from '../json-schema.ts'
import { recordVariables, runOrder, type Step } from './run-order.ts'

/** A value that a client fills in before it sends a request. */
export interface Variable {
  name: string
  value: string
  isSecret?: true
}

/** A query parameter, which is off until somebody gives it a value. */
export interface QueryParameter {
  name: string
  description: string
}

/** One request. `path` and `body` contain variables as `{{name}}`. */
export interface CollectionRequest {
  name: string
  description: string
  method: string
  path: string
  query: readonly QueryParameter[]
  hasIdempotencyKey: boolean
  /** JSON; null if the request has no body. */
  body: string | null
  captures: Readonly<Record<string, string>>
}

/** A collection of requests, for an app that sends them. */
export interface Collection {
  name: string
  description: string
  /** The variables of an environment: its addresses and credentials. */
  environment: readonly Variable[]
  /** The records that the requests name. */
  records: readonly Variable[]
  folders: readonly { name: string; requests: readonly CollectionRequest[] }[]
  /** The variables `todayPlus<days>` that the requests use. */
  dayOffsets: readonly number[]
  /** How far the clock of the bank is ahead of the real time, in milliseconds. */
  clockOffsetMs: number
}

interface Parameter {
  name: string
  in: string
  description?: string
  example?: string
  schema: { description?: string }
}

interface Operation {
  operationId: string
  summary: string
  tags: readonly string[]
  parameters: readonly Parameter[]
  requestBody?: {
    content: { 'application/json': { examples?: Record<string, { value: object }> } }
  }
}

/** What a collection needs of the OpenAPI document. */
export interface Contract {
  info: { title: string; version: string }
  servers: readonly { url: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: {
    securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: string } } } }
  }
}

const description =
  `Send the requests one by one, or run the whole collection. Each request uses records of the
sandbox or those of earlier requests, and can be repeated. Before the first request, set either \`token\`, or
\`clientId\` and \`clientSecret\`; then tokens are requested and replaced for you. In live, give the variables of
records the IDs of your own records.`.replaceAll('\n', ' ')

/**
 * Returns the collection of the documented operations, in the order in which they can run. `now` is
 * the time of the bank, to which the dates of the contract's examples are relative, and `realNow`
 * the real one. In live, the variables have no values. Throws an Error if an operation is missing.
 */
export function collectionOf(contract: JsonSchema, now: Date, realNow: Date): Collection {
  const { info, servers, paths, components } = contract as unknown as Contract
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const offsets = new Set<number>()
  const folders = new Map<string, CollectionRequest[]>()
  for (const step of runOrder) {
    const found = operations.find(({ operation }) => operation.operationId === step.operationId)
    if (!found) throw new Error(`There is no operation ${step.operationId}.`)
    const tag = found.operation.tags[0]!
    const requests = folders.get(tag) ?? []
    folders.set(tag, requests)
    requests.push(requestOf(found, step, now, offsets))
  }
  const baseUrl = servers[0]!.url
  const isSandbox = baseUrl.endsWith('/v1')
  const aheadMs = now.getTime() - realNow.getTime()
  return {
    name: `bankgraph (${isSandbox ? 'sandbox' : 'live'})`,
    description: `${info.title} ${info.version}. ${description}`,
    environment: [
      { name: 'baseUrl', value: baseUrl },
      {
        name: 'tokenUrl',
        value: components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl,
      },
      { name: 'clientId', value: '' },
      { name: 'clientSecret', value: '', isSecret: true },
      { name: 'token', value: '', isSecret: true },
    ],
    records: Object.entries(recordVariables).map(([name, { fixture, value = fixture }]) => ({
      name,
      value: isSandbox ? value : '',
    })),
    folders: [...folders].map(([name, requests]) => ({ name, requests })),
    dayOffsets: [...offsets].sort((one, other) => one - other),
    clockOffsetMs: Math.abs(aheadMs) < dayMs ? 0 : aheadMs,
  }
}

function requestOf(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  { example, replacements = {}, captures = {} }: Step,
  now: Date,
  offsets: Set<number>,
): CollectionRequest {
  const { operationId, summary, parameters } = operation
  const variables = Object.entries(recordVariables).map(([name, { fixture }]) => [
    fixture,
    `{{${name}}}`,
  ])
  const placeholders = { ...Object.fromEntries(variables), ...replacements }
  const fill = (text: string) => withPlaceholders(text, placeholders)
  const requestPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, fill(each.example!)), path)
  const examples = operation.requestBody?.content['application/json'].examples
  const value = example ? examples?.[example] : Object.values(examples ?? {})[0]
  return {
    name: operationId,
    description: summary,
    method: method.toUpperCase(),
    path: requestPath,
    query: parameters.flatMap((each) =>
      each.in === 'query'
        ? [{ name: each.name, description: each.schema.description ?? each.description ?? '' }]
        : [],
    ),
    hasIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: value
      ? JSON.stringify(value.value, (_, each) => dated(fill, each, now, offsets), 2)
      : null,
    captures,
  }
}

function withPlaceholders(text: string, placeholders: Readonly<Record<string, string>>): string {
  const ids = Object.keys(placeholders).sort((one, other) => other.length - one.length)
  return text.replace(new RegExp(ids.join('|'), 'g'), (id) => placeholders[id]!)
}

/** Replaces records, times and dates by variables, so that a collection does not become outdated. */
function dated(fill: (text: string) => string, value: unknown, now: Date, offsets: Set<number>) {
  if (typeof value !== 'string') return value
  if (isLocalDate(value)) {
    const days = Math.round(
      (Date.parse(value) - Date.parse(now.toISOString().slice(0, 10))) / dayMs,
    )
    offsets.add(days)
    return `{{todayPlus${days}}}`
  }
  return parseDateTime(value) ? '{{now}}' : fill(value)
}
