import type { FetchNode, PlanNode, QueryPlan, QueryPlanSelectionNode } from '@apollo/query-planner'
import {
  isObjectType,
  visit,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import type { Context } from '../kernel/environment/context.ts'
import { operationOf, type Operation } from './operation.ts'
import { compileShape } from './shape.ts'
import type { Source } from './sources.ts'

type Data = Record<string, unknown>
type Path = (string | number)[]

/** The state of one execution of a plan. */
interface Run {
  context: Context
  variables: Data
  errors: GraphQLFormattedError[]
}

/** An object of the result to which a fetch adds fields, with its path. */
interface Place {
  data: Data
  path: Path
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
    await step(run, [{ data, path: [] }])
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
  if (requires && !hasConcreteTypes(requires, schema)) return null
  const source = sources.get(fetch.serviceName)!
  const fetchData = async (run: Run, representations?: Data[]) => {
    const variables: Data = {}
    for (const name of variableUsages) {
      if (run.variables[name] !== undefined) variables[name] = run.variables[name]
    }
    if (representations) variables['representations'] = representations
    return source.run(operation, variables, run.context)
  }
  if (!requires) {
    return async (run, places) => {
      if (places.length === 0) return
      const { data, errors } = await fetchData(run)
      for (const place of places) merge(place.data, data)
      if (errors) run.errors.push(...errors)
    }
  }
  return async (run, places) => {
    const { representations, placeGroups } = groupByRepresentation(places, requires)
    if (representations.length === 0) return
    const { data, errors } = await fetchData(run, representations)
    const entities = (data?.['_entities'] ?? []) as (Data | null)[]
    entities.forEach((entity, index) => {
      for (const place of placeGroups[index]!) merge(place.data, entity)
    })
    for (const error of errors ?? []) {
      run.errors.push(relocateError(error, placeGroups))
    }
  }
}

/**
 * Returns the distinct representations of entities and, in the same order, the objects of the
 * result that each representation stands for.
 */
function groupByRepresentation(
  places: readonly Place[],
  requires: readonly QueryPlanSelectionNode[],
) {
  const byKey = new Map<string, number>()
  const representations: Data[] = []
  const placeGroups: Place[][] = []
  for (const place of places) {
    const representation = select(place.data, requires)
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

/** Returns the key by which equal representations are recognized. */
function keyOf(representation: Data): string {
  let key = ''
  for (const name in representation) {
    const value = representation[name]
    key += typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`
  }
  return key
}

/** Returns the fields of an entity that a subgraph requires; null if one is missing. */
function select(source: Data, selections: readonly QueryPlanSelectionNode[]): Data | null {
  const result: Data = {}
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection
      if (typeCondition !== undefined && source['__typename'] !== typeCondition) continue
      const inner = select(source, selection.selections)
      if (!inner) return null
      Object.assign(result, inner)
      continue
    }
    const key = selection.alias ?? selection.name
    const value = source[key]
    if (value === undefined) return null
    const nested = selection.selections
    const pick = (item: unknown) =>
      nested && typeof item === 'object' && item !== null ? select(item as Data, nested) : item
    result[key] = Array.isArray(value) ? value.map(pick) : pick(value)
  }
  return result
}

function hasConcreteTypes(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): boolean {
  return selections.every(
    (selection) =>
      selection.kind === 'Field' ||
      selection.typeCondition === undefined ||
      isObjectType(schema.getType(selection.typeCondition)),
  )
}

/** Returns the objects at a path below the places. `@` stands for each item of a list. */
function flatten(places: readonly Place[], path: readonly (string | number)[]): Place[] {
  let current: { value: unknown; path: Path }[] = places.map(({ data, path: valuePath }) => ({
    value: data,
    path: valuePath,
  }))
  for (const part of path) {
    current = current.flatMap(({ value, path: valuePath }) => {
      if (value === null || value === undefined) return []
      if (part !== '@') return [{ value: (value as Data)[part], path: [...valuePath, part] }]
      if (!Array.isArray(value)) return []
      return value.map((item: unknown, index) => ({ value: item, path: [...valuePath, index] }))
    })
  }
  return current.flatMap(({ value, path: valuePath }) =>
    typeof value === 'object' && value !== null ? [{ data: value as Data, path: valuePath }] : [],
  )
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
  return place ? { ...error, path: [...place.path, ...rest] } : error
}

function merge(target: Data, source: Data | null | undefined): void {
  if (!source) return
  for (const [key, value] of Object.entries(source)) {
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
