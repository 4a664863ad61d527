import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLNamedType,
} from 'graphql'
import type { Platform } from '../kit/platform.ts'
import { documentFor, type GraphOperation } from './operations.ts'

/** What everybody may know: the bank's own catalogue and organisation; and what names no record. */
const catalogue =
  /^(productId|channelId|queueId|routingProfileId|agentId|templateId|feeRunId|endToEndId|exchangeRateId)$/

/** What becomes another each time it is read. */
const passing = /^(startCursor|endCursor|cursor|remainingSeconds|opensAt)$/

/** Everything of a type that can be asked for without arguments, down to a depth. */
export function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (!isObjectType(type)) return '__typename'
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const needs = field.args.some(
      ({ type: needed, defaultValue }) => isNonNullType(needed) && defaultValue === undefined,
    )
    if (needs) return []
    const inner = getNamedType(field.type)
    if (isLeafType(inner)) return passing.test(field.name) ? [] : [field.name]
    if (depth === 0 || field.name === 'edges') return []
    return [`${field.name} { ${selectionOf(inner, depth - 1)} }`]
  })
  return parts.join(' ') || '__typename'
}

/** Everything somebody sees of their own, by the name of the list. */
export type Seen = Record<string, unknown>

/** Asks for every list that needs nothing to be said, as somebody. */
export async function everythingSeen(
  bank: Platform,
  operations: readonly GraphOperation[],
  token: string,
): Promise<Seen> {
  const seen: Seen = {}
  for (const operation of operations.filter(isOpenList)) {
    const selection = selectionOf(getNamedType(operation.field.type), 2)
    const { query, variables } = documentFor(operation, selection)
    const { body } = await bank.graph(query, variables, { token })
    seen[operation.name] = body.data?.[operation.name] ?? body.errors
  }
  return seen
}

function isOpenList({ type, name, field }: GraphOperation): boolean {
  const needs = field.args.some(({ type: needed }) => isNonNullType(needed))
  return (
    type === 'query' &&
    !needs &&
    name !== 'businessEvents' &&
    getNamedType(field.type).name.endsWith('Connection')
  )
}

/** The ids of somebody's records: by the name of the member that has them. */
export function idsIn(seen: Seen): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const walk = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      const isId = name.endsWith('Id') && typeof member === 'string' && !catalogue.test(name)
      if (isId) found.set(name, (found.get(name) ?? new Set()).add(member))
      else walk(member)
    }
  }
  walk(seen)
  return found
}
