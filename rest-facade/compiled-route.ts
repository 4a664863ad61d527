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
import { prepare, type Operation } from '../gateway/operation.ts'
import { isLocalDate, parseDateTime } from '../subgraphs/_kernel/domain/dates.ts'
import { isCurrency } from '../subgraphs/_kernel/domain/money.ts'
import type { Scope } from '../subgraphs/_kernel/scopes.ts'
import {
  described,
  inputSchema,
  objectSchema,
  outputSchema,
  type JsonSchema,
} from './json-schema.ts'
import type { Route } from './routes.ts'
import { scopeOf } from './scope-of.ts'
import { variableDescriptions } from './variable-descriptions.ts'
import { operationOf, toGraph, toWire, variableTypes, type Convert } from './wire.ts'

/** One place a request's members come from, with what they must look like. */
export interface Members {
  names: readonly string[]
  schema: JsonSchema
  check: ValidateFunction
}

/** A route with everything that can be worked out before the first request. */
export interface CompiledRoute extends Omit<Route, 'frames'> {
  frames: CompiledFrames | null
  graphql: Operation
  rootKey: string
  rootField: string
  scope: Scope
  description: string
  pathMembers: Members
  queryMembers: Members
  bodyMembers: Members
  convert: ReadonlyMap<string, Convert>
  defaults: Readonly<Record<string, unknown>>
  shape: Convert
  answerSchema: JsonSchema
}

/** The operation that answers `frames`, each with its `kind`, of a run named `streamId`. */
export interface CompiledFrames {
  graphql: Operation
  rootKey: string
  shape: Convert
  frameSchema: JsonSchema
  last: string
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
 * Compiles a route against the composed graph, once, at start.
 * Throws when its document does not fit the graph: the program does not start with a broken route.
 */
export function compileRoute(graph: Graph, route: Route): CompiledRoute {
  const schema = graph.apiSchema
  const faults = validate(schema, route.operation)
  if (faults.length > 0) {
    throw new Error(`${route.method} ${route.path} does not fit the graph: ${faults[0]!.message}`)
  }
  const operation = operationOf(route.operation)
  const root = operation.selectionSet.selections[0] as FieldNode
  const isQuery = operation.operation === 'query'
  const rootType = (isQuery ? schema.getQueryType() : schema.getMutationType())!
  const field = rootType.getFields()[root.name.value]!
  const answerType = getNamedType(field.type) as GraphQLObjectType
  const types = variableTypes(schema, route.operation)
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const ours = route.frames ? [...inPath, 'streamId'] : inPath
  const rest = [...types.keys()].filter((name) => !ours.includes(name))
  const defaults = defaultsOf(route)
  const descriptions = variableDescriptions(schema, route.operation)
  const members = (names: readonly string[]) => compileMembers(names, types, descriptions, defaults)
  return {
    ...route,
    frames: route.frames ? compileFrames(graph, route.frames) : null,
    graphql: prepare(route.operation, print(route.operation)),
    rootKey: (root.alias ?? root.name).value,
    rootField: root.name.value,
    scope: scopeOf(graph.supergraph, rootType.name, root.name.value),
    description: field.description ?? '',
    pathMembers: members(inPath),
    queryMembers: members(route.method === 'GET' ? rest : []),
    bodyMembers: members(route.method === 'POST' ? rest : []),
    convert: new Map(
      [...types].flatMap(([name, type]) => {
        const convert = toGraph(type)
        return convert ? [[name, convert] as const] : []
      }),
    ),
    defaults,
    shape: toWire(schema, answerType, root.selectionSet!),
    answerSchema: answerSchemaOf(route, answerType, root),
  }
}

function compileFrames(graph: Graph, { operation, last }: Frames): CompiledFrames {
  const faults = validate(graph.apiSchema, operation)
  if (faults.length > 0) throw new Error(`Frames do not fit the graph: ${faults[0]!.message}`)
  const root = operationOf(operation).selectionSet.selections[0] as FieldNode
  const field = graph.apiSchema.getQueryType()!.getFields()[root.name.value]!
  const type = getNamedType(field.type) as GraphQLObjectType
  const schema = outputSchema(type, root.selectionSet!)['properties'] as Record<string, JsonSchema>
  return {
    graphql: prepare(operation, print(operation)),
    rootKey: (root.alias ?? root.name).value,
    shape: toWire(graph.apiSchema, type, root.selectionSet!),
    frameSchema: schema['frames']!['items'] as JsonSchema,
    last,
  }
}
type Frames = NonNullable<Route['frames']>

function compileMembers(
  names: readonly string[],
  types: ReadonlyMap<string, Parameters<typeof inputSchema>[0]>,
  descriptions: ReadonlyMap<string, string>,
  defaults: Readonly<Record<string, unknown>>,
): Members {
  const schema = objectSchema(
    names.map((name) => {
      const type = types.get(name)
      if (!type) throw new Error(`The operation has no variable $${name}.`)
      return {
        name,
        isRequired: isNonNullType(type) && !(name in defaults),
        schema: described(
          name === 'pageSize' ? pageSizeSchema(defaults) : inputSchema(type),
          descriptions.get(name) ?? pagingDescriptions[name],
        ),
      }
    }),
  )
  return { names, schema, check: ajv.compile(schema) }
}

/** Of what every listing takes, and the graph calls something else. */
const pagingDescriptions: Readonly<Record<string, string>> = {
  pageSize: 'How many at most.',
  pageToken: 'Where the page before ended, as it says; with the same filters.',
}

function pageSizeSchema(defaults: Readonly<Record<string, unknown>>): JsonSchema {
  const most = Math.max(200, Number(defaults['pageSize']))
  return {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    ...(most <= 200 && { default: defaults['pageSize'] }),
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

/** For lists the document selects `nodes` and `pageInfo`; REST answers the nodes, bare or in a page. */
function answerSchemaOf(route: Route, type: GraphQLObjectType, root: FieldNode): JsonSchema {
  const whole = outputSchema(type, root.selectionSet!)
  if (route.answer === 'record') return whole
  const nodes = (whole['properties'] as Record<string, JsonSchema>)['nodes']!
  if (route.answer === 'array') return nodes
  const pagination = {
    type: 'object',
    properties: { pageSize: { type: 'integer' }, nextPageToken: { type: 'string' } },
  }
  return { type: 'object', properties: { items: nodes, pagination } }
}
