import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  getNamedType,
  isNonNullType,
  print,
  validate,
  type FieldNode,
  type GraphQLObjectType,
} from 'graphql'
import type { Graph } from '../gateway/graph.ts'
import { createOperation, type Operation } from '../gateway/operation.ts'
import { isLocalDate, parseDateTime } from '../kernel/domain/dates.ts'
import { isCurrency } from '../kernel/domain/money.ts'
import type { Scope } from '../kernel/domain/scopes.ts'
import {
  withDescription,
  inputSchema,
  objectSchema,
  outputSchema,
  type JsonSchema,
} from './json-schema.ts'
import type { Route } from './routes.ts'
import { scopeOf } from './scope-of.ts'
import { variableDescriptions } from './variable-descriptions.ts'
import { operationOf, toGraph, toWire, variableTypes, type Converter } from './wire.ts'

/**
 * The parameters from one part of a request (path, query or body), with their JSON Schema and its
 * validator.
 */
export interface RequestParameters {
  names: readonly string[]
  schema: JsonSchema
  /** Returns the validator. It is compiled when it is needed first. */
  validator(): ValidateFunction
}

/** A route with everything that can be computed before the first request. */
export interface CompiledRoute extends Omit<Route, 'frames'> {
  frames: CompiledStream | null
  graphql: Operation
  rootKey: string
  rootField: string
  scope: Scope
  description: string
  pathMembers: RequestParameters
  queryMembers: RequestParameters
  bodyMembers: RequestParameters
  converters: ReadonlyMap<string, Converter>
  defaults: Readonly<Record<string, unknown>>
  shape: Converter
  answerSchema: JsonSchema
}

/**
 * The compiled operation that returns the events of a stream, whose ID is its variable `streamId`,
 * for a `text/event-stream` response. Each event has a `kind`.
 */
export interface CompiledStream {
  graphql: Operation
  rootKey: string
  shape: Converter
  frameSchema: JsonSchema
  lastEventName: string
}

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: false,
  coerceTypes: false,
  unicodeRegExp: true,
})
ajv.addFormat('date', isLocalDate)
ajv.addFormat('iso-4217', isCurrency)
ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)

/**
 * Compiles a route against the composed graph, once at start. Throws an Error if the operation does
 * not match the graph, so that the program does not start with a broken route.
 */
export function compileRoute(graph: Graph, route: Route): CompiledRoute {
  const schema = graph.apiSchema
  const errors = validate(schema, route.operation)
  if (errors.length > 0) {
    throw new Error(`${route.method} ${route.path} does not match the graph: ${errors[0]!.message}`)
  }
  const operation = operationOf(route.operation)
  const root = operation.selectionSet.selections[0] as FieldNode
  const isQuery = operation.operation === 'query'
  const rootType = (isQuery ? schema.getQueryType() : schema.getMutationType())!
  const field = rootType.getFields()[root.name.value]!
  const responseType = getNamedType(field.type) as GraphQLObjectType
  const types = variableTypes(schema, route.operation)
  const pathNames = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const routeVariables = route.frames ? [...pathNames, 'streamId'] : pathNames
  const requestVariables = [...types.keys()].filter((name) => !routeVariables.includes(name))
  const defaults = defaultsOf(route)
  const descriptions = variableDescriptions(schema, route.operation)
  const parametersOf = (names: readonly string[]) =>
    compileParameters(names, types, descriptions, defaults)
  return {
    ...route,
    frames: route.frames ? compileFrames(graph, route.frames) : null,
    graphql: createOperation(route.operation, print(route.operation), undefined, true),
    rootKey: (root.alias ?? root.name).value,
    rootField: root.name.value,
    scope: scopeOf(graph.supergraph, rootType.name, root.name.value),
    description: field.description ?? '',
    pathMembers: parametersOf(pathNames),
    queryMembers: parametersOf(route.method === 'GET' ? requestVariables : []),
    bodyMembers: parametersOf(route.method === 'POST' ? requestVariables : []),
    converters: new Map(
      [...types].flatMap(([name, type]) => {
        const convert = toGraph(type)
        return convert ? [[name, convert] as const] : []
      }),
    ),
    defaults,
    shape: toWire(schema, responseType, root.selectionSet!),
    answerSchema: responseSchemaOf(route, responseType, root),
  }
}

function compileFrames(graph: Graph, { operation, lastEventName }: Frames): CompiledStream {
  const errors = validate(graph.apiSchema, operation)
  if (errors.length > 0)
    throw new Error(`The stream operation does not match the graph: ${errors[0]!.message}`)
  const root = operationOf(operation).selectionSet.selections[0] as FieldNode
  const field = graph.apiSchema.getQueryType()!.getFields()[root.name.value]!
  const type = getNamedType(field.type) as GraphQLObjectType
  const schema = outputSchema(type, root.selectionSet!)['properties'] as Record<string, JsonSchema>
  return {
    graphql: createOperation(operation, print(operation), undefined, true),
    rootKey: (root.alias ?? root.name).value,
    shape: toWire(graph.apiSchema, type, root.selectionSet!),
    frameSchema: schema['frames']!['items'] as JsonSchema,
    lastEventName,
  }
}
type Frames = NonNullable<Route['frames']>

function compileParameters(
  names: readonly string[],
  types: ReadonlyMap<string, Parameters<typeof inputSchema>[0]>,
  descriptions: ReadonlyMap<string, string>,
  defaults: Readonly<Record<string, unknown>>,
): RequestParameters {
  const schema = objectSchema(
    names.map((name) => {
      const type = types.get(name)
      if (!type) throw new Error(`The GraphQL operation has no variable $${name}.`)
      return {
        name,
        isRequired: isNonNullType(type) && !(name in defaults),
        schema: withDescription(
          name === 'pageSize' ? pageSizeSchema(defaults) : inputSchema(type),
          pagingDescriptions[name] ?? descriptions.get(name),
        ),
      }
    }),
  )
  let validate: ValidateFunction | undefined
  return { names, schema, validator: () => (validate ??= ajv.compile(schema)) }
}

/**
 * The descriptions of the paging parameters. The descriptions of the graph mention fields that REST
 * does not have.
 */
const pagingDescriptions: Readonly<Record<string, string>> = {
  pageSize: 'The maximum number of records on the page.',
  pageToken:
    'The `nextPageToken` of the previous page, to be sent with the same filters. A token is valid ' +
    'for three days. If omitted, the first page is returned.',
}

function pageSizeSchema(defaults: Readonly<Record<string, unknown>>): JsonSchema {
  const largestPageSize = Math.max(200, Number(defaults['pageSize']))
  return {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    ...(largestPageSize <= 200 && { default: defaults['pageSize'] }),
  }
}

function defaultsOf(route: Route): Record<string, unknown> {
  const definitions = operationOf(route.operation).variableDefinitions ?? []
  return Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue && 'value' in defaultValue
        ? [
            [
              variable.name.value,
              defaultValue.kind === 'IntValue' ? Number(defaultValue.value) : defaultValue.value,
            ],
          ]
        : [],
    ),
  )
}

/**
 * Returns the schema of the response. A list query selects `nodes`, which REST returns as `items`
 * of a page object or as an array.
 */
function responseSchemaOf(route: Route, type: GraphQLObjectType, root: FieldNode): JsonSchema {
  const recordSchema = outputSchema(type, root.selectionSet!)
  if (route.answer === 'record') return recordSchema
  const nodes = (recordSchema['properties'] as Record<string, JsonSchema>)['nodes']!
  if (route.answer === 'array') return nodes
  const pagination = {
    type: 'object',
    properties: { pageSize: { type: 'integer' }, nextPageToken: { type: 'string' } },
  }
  return { type: 'object', properties: { items: nodes, pagination } }
}
