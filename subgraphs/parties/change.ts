import { fingerprint } from '../_kernel/answer.ts'
import { requireVisible } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf, type LocalDate } from '../_kernel/domain/dates.ts'
import type { IdKind } from '../_kernel/domain/ids.ts'
import { Problem, type ProblemCode } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import type { Row, Write } from '../_kernel/writes.ts'

/**
 * The common columns of parties, customers and agreements. Each belongs to one party and is one
 * row.
 */
export interface Owned {
  partyId: string
  contentHash: string
  version: number
  updatedAt: Date
}

/** How `create` and `change` read, write and publish one type of record. */
export interface Kind<Record extends Owned, Event extends string> {
  entity: IdKind
  notFound: ProblemCode
  created: Event
  idOf(record: Record): string
  find(context: Context, id: string): Promise<Record | null>
  insert(record: Record): Write
  update(before: Record, after: Record): Write
  /** The data of the events. */
  snapshot(record: Record): Row
  /** Whether the snapshot is published as a fact for other areas. */
  isPublished: boolean
}

/** The values of a new record that do not come from the caller. */
export interface Made {
  id: string
  contentHash: string
  now: Date
}

/**
 * Creates a record under the id given by the caller, or a generated one. Repeating the same id and
 * content returns the existing record.
 * Rejects with RESOURCE_EXISTS when the content differs, and with as `make` does.
 */
export function create<Record extends Owned, Event extends string>(
  context: Context,
  kind: Kind<Record, Event>,
  operation: string,
  input: object,
  askedId: string | null | undefined,
  make: (made: Made) => Promise<{ record: Record; guards?: readonly Write[] }>,
): Promise<Record> {
  const contentHash = fingerprint(operation, input)
  return command(context, operation, input, async () => {
    const existing = askedId ? await kind.find(context, askedId) : null
    if (existing) {
      const resourceId = kind.idOf(existing)
      if (existing.contentHash !== contentHash) throw new Problem('RESOURCE_EXISTS', { resourceId })
      return { result: existing, resourceId }
    }
    const id = askedId ?? context.newId(kind.entity)
    const { record, guards = [] } = await make({ id, contentHash, now: context.now() })
    return {
      result: record,
      resourceId: id,
      writes: [kind.insert(record), ...guards],
      ...publish(kind, record, kind.created),
    }
  })
}

/**
 * Changes one record that the caller may see, and emits the event. When `decide` returns the record
 * unchanged, nothing is written or emitted.
 * Rejects with the kind's NOT_FOUND, and with as `decide` does.
 */
export function change<Record extends Owned, Event extends string>(
  context: Context,
  kind: Kind<Record, Event>,
  operation: string,
  input: object,
  id: string,
  event: Event,
  decide: (before: Record, today: LocalDate, now: Date) => Record | Promise<Record>,
): Promise<Record> {
  return command(context, operation, input, async () => {
    const found = await kind.find(context, id)
    const before = requireVisible(context, found, ownersOf, kind.notFound, id)
    const now = context.now()
    const decided = await decide(before, dateOf(now), now)
    if (decided === before) return { result: before, resourceId: id }
    const after = { ...decided, version: before.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: id,
      writes: [kind.update(before, after)],
      ...publish(kind, after, event),
    }
  })
}

/** The event and the fact of a record as it is after the commit. */
export function publish<Record extends Owned, Event extends string>(
  kind: Kind<Record, Event>,
  record: Record,
  type: Event,
) {
  const subject = `${kind.entity}/${kind.idOf(record)}`
  const data = kind.snapshot(record)
  const told: Told = { type, subject, version: record.version, data, parties: [record.partyId] }
  return { events: [told], facts: kind.isPublished ? [{ subject, data }] : [] }
}

export const ownersOf = ({ partyId }: { partyId: string }): string[] => [partyId]
