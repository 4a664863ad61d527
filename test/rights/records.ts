import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLNamedType,
} from 'graphql'
import type { Platform } from '../kit/platform.ts'
import { documentFor, type GraphOperation } from './operations.ts'

/**
 * Ids that everybody may know: those of the bank's catalog and organization, and references of
 * clients.
 */
const catalog =
  /^(productId|channelId|queueId|routingProfileId|agentId|assistantVersionId|templateId|feeRunId|endToEndId|exchangeRateId)$/

/** Fields whose value changes with each read. */
const passing = /^(startCursor|endCursor|cursor|remainingSeconds|opensAt)$/

/** A selection of all fields without required arguments, down to a depth. */
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

/** Everything a caller can list, by the name of the list. */
export type Seen = Record<string, unknown>

/** Queries every list without required arguments. */
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
    // An error differs each time only by the ID of its request.
    const errors = body.errors?.map(
      ({ extensions: { requestId: _, ...members }, ...error }: any) => ({
        ...error,
        extensions: members,
      }),
    )
    seen[operation.name] = body.data?.[operation.name] ?? errors
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

/** The ids in a caller's records, by the name of the member. */
export function idsIn(seen: Seen): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const walk = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      const isId = name.endsWith('Id') && typeof member === 'string' && !catalog.test(name)
      if (isId) found.set(name, (found.get(name) ?? new Set()).add(member))
      else walk(member)
    }
  }
  walk(seen)
  return found
}
