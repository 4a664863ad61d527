import { fingerprint } from './answer.ts'
import { maySee, requireVisible } from '../authorization/auth.ts'
import { command } from './command.ts'
import type { PublishedFact } from './facts.ts'
import type { Context } from '../environment/context.ts'
import type { IdKind } from '../domain/ids.ts'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import type { Lifecycle } from '../domain/states.ts'
import type { Versioned } from '../domain/versioned.ts'
import type { DomainEvent } from '../events/events.ts'
import type { Row, Write } from './writes.ts'

/** The definition of a kind of record, for `createRecord` and `changeRecord`. */
export interface RecordKind<Entity extends Versioned, Event extends string> {
  /** The first part of the subject, such as `routing-profile`. */
  entity: string
  id: IdKind
  notFound: ProblemCode
  created: Event
  idOf(record: Entity): string
  /**
   * Returns the parties that own the record. They may see the record and receive its events; the
   * bank may see every record.
   */
  ownersOf(record: Entity): readonly string[]
  find(context: Context, id: string): Promise<Entity | null>
  insert(record: Entity): Write
  update(before: Entity, after: Entity): Write
  /** Returns the data of the record's events. */
  snapshot(record: Entity): Row
  /** Whether the snapshot is also published as a fact. */
  isPublished: boolean
  /** Returns the lifecycle that the fact also contains, if other records refer to the record. */
  lifecycleOf?(record: Entity): Lifecycle
}

/** The ID of a new record, the hash of the request that creates it, and the time of creation. */
export interface CreationStamp {
  id: string
  contentHash: string
  now: Date
}

/** The new state of a record, with other writes, events and facts of the same commit. */
export interface Decided<Entity> {
  record: Entity
  writes?: readonly Write[]
  events?: readonly DomainEvent[]
  facts?: readonly PublishedFact[]
  /** The parties that receive the event of the change, if not all owners of the record do. */
  parties?: readonly string[]
  /** Whether the idempotency key is stored permanently. Set if money moves. */
  retainsKey?: boolean
}

/** Returns the common properties of a new record. */
export function versioned({ contentHash, now }: CreationStamp): Versioned {
  return { contentHash, version: 1, createdAt: now, updatedAt: now }
}

/**
 * Creates a record with the ID that the caller requested, or with a generated ID. If a record with
 * this ID was created by the same request, that record is returned. Throws RESOURCE_EXISTS if the
 * content differs or the existing record is not visible to the caller, and whatever `make` throws.
 */
export function createRecord<Entity extends Versioned, Event extends string>(
  context: Context,
  kind: RecordKind<Entity, Event>,
  operation: string,
  input: object,
  requestedId: string | null | undefined,
  make: (stamp: CreationStamp) => Decided<Entity> | Promise<Decided<Entity>>,
): Promise<Entity> {
  const contentHash = fingerprint(operation, input)
  return command(context, operation, input, async () => {
    const existing = requestedId ? await kind.find(context, requestedId) : null
    if (existing) {
      const resourceId = kind.idOf(existing)
      const isVisible = maySee(context.caller, kind.ownersOf(existing))
      if (isVisible && existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const id = requestedId ?? context.newId(kind.id)
    const decided = await make({ id, contentHash, now: context.now() })
    const { record, writes = [], events = [], facts = [], retainsKey } = decided
    const published = publicationOf(kind, record, kind.created)
    return {
      result: record,
      resourceId: id,
      retainsKey,
      writes: [kind.insert(record), ...writes],
      events: [...published.events, ...events],
      facts: [...published.facts, ...facts],
    }
  })
}

/**
 * Changes a record that is visible to the caller, and emits `event`. If `decide` returns the record
 * unchanged, nothing is written or emitted. Throws the NOT_FOUND code of the kind, and whatever
 * `decide` throws.
 */
export function changeRecord<Entity extends Versioned, Event extends string>(
  context: Context,
  kind: RecordKind<Entity, Event>,
  operation: string,
  input: object,
  id: string,
  event: Event,
  decide: (before: Entity, now: Date) => Decided<Entity> | Promise<Decided<Entity>>,
): Promise<Entity> {
  return command(context, operation, input, async () => {
    const found = await kind.find(context, id)
    const before = requireVisible(context, found, kind.ownersOf, kind.notFound, id)
    const now = context.now()
    const decided = await decide(before, now)
    const { record, writes = [], events = [], facts = [], parties, retainsKey } = decided
    if (record === before) return { result: before, resourceId: id }
    const after = { ...record, version: before.version + 1, updatedAt: now }
    const published = publicationOf(kind, after, event, parties)
    return {
      result: after,
      resourceId: id,
      retainsKey,
      writes: [kind.update(before, after), ...writes],
      events: [...published.events, ...events],
      facts: [...published.facts, ...facts],
    }
  })
}

/**
 * Returns the event that publishes the new state of a record, and the fact if the kind is
 * published. The owners of the record receive the event, or only `parties`.
 */
export function publicationOf<Entity extends Versioned, Event extends string>(
  kind: RecordKind<Entity, Event>,
  record: Entity,
  type: Event,
  parties: readonly string[] = kind.ownersOf(record),
) {
  const subject = `${kind.entity}/${kind.idOf(record)}`
  const data = kind.snapshot(record)
  const domainEvent: DomainEvent = {
    type,
    subject,
    version: record.version,
    data,
    parties,
  }
  if (!kind.isPublished) return { events: [domainEvent], facts: [] }
  const lifecycle = kind.lifecycleOf?.(record)
  return {
    events: [domainEvent],
    facts: [{ subject, data: lifecycle ? { ...data, lifecycle } : data }],
  }
}
