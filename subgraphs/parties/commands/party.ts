import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireVisible } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { IdKind } from '../../../kernel/domain/ids.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { CreationStamp } from '../../../kernel/writing/records.ts'
import type { Row, Write } from '../../../kernel/writing/writes.ts'

/**
 * The common properties of parties, customers and agreements. Each such record belongs to one party
 * and is stored in one row.
 */
export interface Owned {
  partyId: string
  contentHash: string
  version: number
  updatedAt: Date
}

/** How `create` and `change` read, write and publish one type of record. */
export interface Kind<Entity extends Owned, Event extends string> {
  entity: IdKind
  notFound: ProblemCode
  created: Event
  idOf(record: Entity): string
  find(context: Context, id: string): Promise<Entity | null>
  insert(record: Entity): Write
  update(before: Entity, after: Entity): Write
  /** Returns the data of the record's events. */
  snapshot(record: Entity): Row
  /** Whether the snapshot is published as a fact for other subgraphs. */
  isPublished: boolean
}

/**
 * Creates a record with the requested ID, or with a generated ID. A repeated request with the same
 * ID and content returns the existing record.
 * Throws RESOURCE_EXISTS if the content differs, and whatever `make` throws.
 */
export function create<Entity extends Owned, Event extends string>(
  context: Context,
  kind: Kind<Entity, Event>,
  operation: string,
  input: object,
  requestedId: string | null | undefined,
  make: (stamp: CreationStamp) => Promise<{ record: Entity; guards?: readonly Write[] }>,
): Promise<Entity> {
  const contentHash = fingerprint(operation, input)
  return command(context, operation, input, async () => {
    const existing = requestedId ? await kind.find(context, requestedId) : null
    if (existing) {
      const resourceId = kind.idOf(existing)
      if (existing.contentHash !== contentHash) throw new Problem('RESOURCE_EXISTS', { resourceId })
      return { result: existing, resourceId }
    }
    const id = requestedId ?? context.newId(kind.entity)
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
 * Changes one record that the caller may see, and emits the event. If `decide` returns the same
 * record, nothing is written or emitted.
 * Throws the kind's `notFound` code, and whatever `decide` throws.
 */
export function change<Entity extends Owned, Event extends string>(
  context: Context,
  kind: Kind<Entity, Event>,
  operation: string,
  input: object,
  id: string,
  event: Event,
  decide: (before: Entity, today: LocalDate, now: Date) => Entity | Promise<Entity>,
): Promise<Entity> {
  return command(context, operation, input, async () => {
    const found = await kind.find(context, id)
    const before = requireVisible(context, found, ownersOf, kind.notFound, id)
    const now = context.now()
    const updated = await decide(before, dateOf(now), now)
    if (updated === before) return { result: before, resourceId: id }
    const after = { ...updated, version: before.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: id,
      writes: [kind.update(before, after)],
      ...publish(kind, after, event),
    }
  })
}

/** Returns the event and, if the kind is published, the fact of a record after a change. */
export function publish<Entity extends Owned, Event extends string>(
  kind: Kind<Entity, Event>,
  record: Entity,
  type: Event,
) {
  const subject = `${kind.entity}/${kind.idOf(record)}`
  const data = kind.snapshot(record)
  const domainEvent: DomainEvent = {
    type,
    subject,
    version: record.version,
    data,
    parties: [record.partyId],
  }
  return { events: [domainEvent], facts: kind.isPublished ? [{ subject, data }] : [] }
}

export const ownersOf = ({ partyId }: { partyId: string }): string[] => [partyId]
