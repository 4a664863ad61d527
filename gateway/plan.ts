import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner'
import {
  visit,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import type { Context } from '../kernel/environment/context.ts'
import { operationOf, type Operation } from './operation.ts'
import { compileRepresentation, keyOf, type Represent } from './representations.ts'
import { compileShape } from './shape.ts'
import type { Source } from './sources.ts'

type Data = Record<string, unknown>

/** The state of one execution of a plan. */
interface Run {
  context: Context
  variables: Data
  errors: GraphQLFormattedError[]
}

/** An object of the result to which a fetch adds fields, with the way to it. */
interface Place {
  data: Data
  trail: Trail | null
}

/** The last part of a path, linked to the parts before it. Only errors need the whole path. */
interface Trail {
  key: string | number
  before: Trail | null
}

type Step = (run: Run, places: readonly Place[]) => Promise<void>

export type CompiledPlan = (variables: Data, context: Context) => Promise<ExecutionResult>

/**
 * Compiles a query plan to a function, so that the preparation of its fetches, entity keys, merges
 * and field selections is done only once. The executor of Apollo's gateway repeats this work for
 * each request. Returns null for a rare plan that is not supported, such as one with conditions,
 * directives, rewrites or introspection.
 */
export function compilePlan(
  plan: QueryPlan,
  operation: Operation,
  schema: GraphQLSchema,
  sources: ReadonlyMap<string, Source>,
): CompiledPlan | null {
  const { node } = plan
  const root = operationOf(operation.document, operation.name)
  if (!node || !root || !isPlain(operation)) return null
  const step = compileNode(node as PlanNode, schema, sources)
  if (!step) return null
  const type = root.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const shape = compileShape(schema, operation.document, type!, root.selectionSet)
  return async (variables, context) => {
    const run: Run = { context, variables, errors: [] }
    const data: Data = {}
    await step(run, [{ data, trail: null }])
    const completedData = shape(data)
    return run.errors.length > 0
      ? { data: completedData, errors: run.errors as never }
      : { data: completedData }
  }
}

/**
 * Whether the document has no directives and no introspection, so that all of its results have the
 * same shape.
 */
function isPlain({ document }: Operation): boolean {
  let isShapeFixed = true
  visit(document, {
    Directive: () => void (isShapeFixed = false),
    Field: ({ name }) => void (isShapeFixed &&= !/^__(schema|type)$/.test(name.value)),
  })
  return isShapeFixed
}

function compileNode(
  node: PlanNode,
  schema: GraphQLSchema,
  sources: ReadonlyMap<string, Source>,
): Step | null {
  if (node.kind === 'Fetch') return compileFetch(node, schema, sources)
  if (node.kind === 'Flatten') {
    const step = compileNode(node.node, schema, sources)
    const { path } = node
    return step && ((run, places) => step(run, flatten(places, path)))
  }
  if (node.kind !== 'Sequence' && node.kind !== 'Parallel') return null
  const compiled = node.nodes.map((child) => compileNode(child, schema, sources))
  const steps = compiled.filter((step) => step !== null)
  if (steps.length < compiled.length) return null
  if (node.kind === 'Parallel') {
    return async (run, places) => {
      await Promise.all(steps.map((step) => step(run, places)))
    }
  }
  return async (run, places) => {
    for (const step of steps) await step(run, places)
  }
}

function compileFetch(
  fetch: FetchNode,
  schema: GraphQLSchema,
  sources: ReadonlyMap<string, Source>,
): Step | null {
  const { operation, requires, variableUsages = [] } = fetch
  if (fetch.inputRewrites || fetch.outputRewrites || fetch.contextRewrites) return null
  const represent = requires ? compileRepresentation(requires, schema) : undefined
  if (represent === null) return null
  const source = sources.get(fetch.serviceName)!
  const fetchData = async (run: Run, representations?: Data[]) => {
    const variables: Data = {}
    for (const name of variableUsages) {
      if (run.variables[name] !== undefined) variables[name] = run.variables[name]
    }
    if (representations) variables['representations'] = representations
    return source.run(operation, variables, run.context)
  }
  if (!represent) {
    return async (run, places) => {
      if (places.length === 0) return
      const { data, errors } = await fetchData(run)
      for (const place of places) merge(place.data, data)
      if (errors) run.errors.push(...errors)
    }
  }
  return async (run, places) => {
    const { representations, placeGroups } = groupByRepresentation(places, represent)
    if (representations.length === 0) return
    const { data, errors } = await fetchData(run, representations)
    const entities = (data?.['_entities'] ?? []) as (Data | null)[]
    for (let index = 0; index < entities.length; index++) {
      for (const place of placeGroups[index]!) merge(place.data, entities[index])
    }
    for (const error of errors ?? []) {
      run.errors.push(relocateError(error, placeGroups))
    }
  }
}

/**
 * Returns the distinct representations of entities and, in the same order, the objects of the
 * result that each representation stands for.
 */
function groupByRepresentation(places: readonly Place[], represent: Represent) {
  const byKey = new Map<string, number>()
  const representations: Data[] = []
  const placeGroups: Place[][] = []
  for (const place of places) {
    const representation = represent(place.data)
    if (!representation?.['__typename']) continue
    const key = keyOf(representation)
    const knownIndex = byKey.get(key)
    if (knownIndex !== undefined) {
      placeGroups[knownIndex]!.push(place)
      continue
    }
    byKey.set(key, representations.length)
    representations.push(representation)
    placeGroups.push([place])
  }
  return { representations, placeGroups }
}

/** Returns the objects at a path below the places. `@` stands for each item of a list. */
function flatten(places: readonly Place[], path: readonly (string | number)[]): Place[] {
  let values: unknown[] = places.map(({ data }) => data)
  let trails: (Trail | null)[] = places.map(({ trail }) => trail)
  for (const part of path) {
    const innerValues: unknown[] = []
    const innerTrails: Trail[] = []
    for (let index = 0; index < values.length; index++) {
      const value = values[index]
      const before = trails[index]!
      if (value === null || value === undefined) continue
      if (part !== '@') {
        innerValues.push((value as Data)[part])
        innerTrails.push({ key: part, before })
      } else if (Array.isArray(value)) {
        for (let key = 0; key < value.length; key++) {
          innerValues.push(value[key])
          innerTrails.push({ key, before })
        }
      }
    }
    values = innerValues
    trails = innerTrails
  }
  const found: Place[] = []
  for (let index = 0; index < values.length; index++) {
    const data = values[index]
    if (typeof data === 'object' && data !== null)
      found.push({ data: data as Data, trail: trails[index]! })
  }
  return found
}

function pathOf(trail: Trail | null): (string | number)[] {
  const path: (string | number)[] = []
  for (let part = trail; part; part = part.before) path.unshift(part.key)
  return path
}

/**
 * Replaces the position in `_entities` in the path of an error by the path of the entity in the
 * response. Of several places with the same entity, the first one is used.
 */
function relocateError(
  error: GraphQLFormattedError,
  placeGroups: readonly Place[][],
): GraphQLFormattedError {
  const [field, index, ...rest] = error.path ?? []
  const place = field === '_entities' ? placeGroups[index as number]?.[0] : undefined
  return place ? { ...error, path: [...pathOf(place.trail), ...rest] } : error
}

function merge(target: Data, source: Data | null | undefined): void {
  if (!source) return
  for (const key of Object.keys(source)) {
    const value = source[key]
    // Only own properties are merged into, so that a name such as `constructor` cannot change an
    // inherited object.
    const existing = Object.hasOwn(target, key) ? target[key] : undefined
    if (!existing || typeof value !== 'object' || value === null) target[key] = value
    else if (!Array.isArray(value)) merge(existing as Data, value as Data)
    else mergeList(existing as unknown[], value)
  }
}

function mergeList(target: unknown[], source: readonly unknown[]): void {
  source.forEach((item, index) => {
    const existing = target[index]
    if (isRecord(existing) && isRecord(item)) merge(existing, item)
    else target[index] = item
  })
}

function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
