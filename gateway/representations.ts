import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { isObjectType, type GraphQLSchema } from 'graphql'

type Data = Record<string, unknown>

/** Returns the fields of an object that identify it to a subgraph; null if one is missing. */
export type Represent = (source: Data) => Data | null

/** Adds fields of an object to its representation. Returns false if one is missing. */
type Part = (source: Data, representation: Data) => boolean

/**
 * Compiles the function that returns what a fetch requires of an entity, as a query plan describes
 * it. Returns null if the plan names an abstract type, which is not supported.
 */
export function compileRepresentation(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): Represent | null {
  return hasConcreteTypes(selections, schema) ? compile(selections) : null
}

function compile(selections: readonly QueryPlanSelectionNode[]): Represent {
  const parts = selections.map(compilePart)
  return (source) => {
    const representation: Data = {}
    return addAll(parts, source, representation) ? representation : null
  }
}

function compilePart(selection: QueryPlanSelectionNode): Part {
  if (selection.kind === 'InlineFragment') {
    const { typeCondition } = selection
    const parts = selection.selections.map(compilePart)
    return (source, representation) =>
      (typeCondition !== undefined && source['__typename'] !== typeCondition) ||
      addAll(parts, source, representation)
  }
  const key = selection.alias ?? selection.name
  const inner = selection.selections && compile(selection.selections)
  const pick = (item: unknown): unknown =>
    inner && typeof item === 'object' && item !== null ? inner(item as Data) : item
  return (source, representation) => {
    const value = source[key]
    if (value === undefined) return false
    representation[key] = Array.isArray(value) ? value.map(pick) : pick(value)
    return true
  }
}

function addAll(parts: readonly Part[], source: Data, representation: Data): boolean {
  for (const part of parts) if (!part(source, representation)) return false
  return true
}

/** Returns the key by which equal representations are recognized. */
export function keyOf(representation: Data): string {
  let key = ''
  for (const name in representation) {
    const value = representation[name]
    key += typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`
  }
  return key
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
