import { fingerprint } from './answer.ts'
import { maySee, requireVisible } from './auth.ts'
import { command, type PublishedFact } from './command.ts'
import type { Context } from './context.ts'
import type { IdKind } from './domain/ids.ts'
import { Problem, type ProblemCode } from './domain/problem.ts'
import type { Versioned } from './domain/versioned.ts'
import type { Told } from './events.ts'
import type { Row, Write } from './writes.ts'

/** One kind of record, for `createRecord` and `changeRecord`. */
export interface Kind<Record extends Versioned, Event extends string> {
  /** The first part of its subject: `routing-profile`. */
  entity: string
  id: IdKind
  notFound: ProblemCode
  created: Event
  idOf(record: Record): string
  /** The parties it belongs to: who may see it beside the bank, and who hears of it. */
  ownersOf(record: Record): readonly string[]
  find(context: Context, id: string): Promise<Record | null>
  insert(record: Record): Write
  update(before: Record, after: Record): Write
  /** What the events tell. */
  snapshot(record: Record): Row
  /** Whether others may read the snapshot to decide. */
  isPublished: boolean
}

/** What a new record is made of beside what the caller asked for. */
export interface Made {
  id: string
  contentHash: string
  now: Date
}

/** A record as it is decided, with what else commits with it. */
export interface Decided<Record> {
  record: Record
  writes?: readonly Write[]
  events?: readonly Told[]
  facts?: readonly PublishedFact[]
  /** Money moved: the key is never forgotten. */
  isKeyKept?: boolean
}

/** The head of a new record. */
export function versioned({ contentHash, now }: Made): Versioned {
  return { contentHash, version: 1, createdAt: now, updatedAt: now }
}

/**
 * Creates a record under the id the caller chose, or one of ours. The same id with the same
 * content answers the record that is there.
 * Refuses with RESOURCE_EXISTS when the content differs or the record is not the caller's to see,
 * and with whatever `make` refuses with.
 */
export function createRecord<Record extends Versioned, Event extends string>(
  context: Context,
  kind: Kind<Record, Event>,
  operation: string,
  input: object,
  askedId: string | null | undefined,
  make: (made: Made) => Decided<Record> | Promise<Decided<Record>>,
): Promise<Record> {
  const contentHash = fingerprint(operation, input)
  return command(context, operation, input, async () => {
    const existing = askedId ? await kind.find(context, askedId) : null
    if (existing) {
      const resourceId = kind.idOf(existing)
      const isMine = maySee(context.caller, kind.ownersOf(existing))
      if (isMine && existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const id = askedId ?? context.newId(kind.id)
    const decided = await make({ id, contentHash, now: context.now() })
    const { record, writes = [], events = [], facts = [], isKeyKept } = decided
    const told = publish(kind, record, kind.created)
    return {
      result: record,
      resourceId: id,
      isKeyKept,
      writes: [kind.insert(record), ...writes],
      events: [...told.events, ...events],
      facts: [...told.facts, ...facts],
    }
  })
}

/**
 * Changes one record that the caller may see, and tells it. When `decide` answers the record as it
 * was there is nothing to write or tell.
 * Refuses with the kind's NOT_FOUND, and with whatever `decide` refuses with.
 */
export function changeRecord<Record extends Versioned, Event extends string>(
  context: Context,
  kind: Kind<Record, Event>,
  operation: string,
  input: object,
  id: string,
  event: Event,
  decide: (before: Record, now: Date) => Decided<Record> | Promise<Decided<Record>>,
): Promise<Record> {
  return command(context, operation, input, async () => {
    const found = await kind.find(context, id)
    const before = requireVisible(context, found, kind.ownersOf, kind.notFound, id)
    const now = context.now()
    const decided = await decide(before, now)
    const { record, writes = [], events = [], facts = [], isKeyKept } = decided
    if (record === before) return { result: before, resourceId: id }
    const after = { ...record, version: before.version + 1, updatedAt: now }
    const told = publish(kind, after, event)
    return {
      result: after,
      resourceId: id,
      isKeyKept,
      writes: [kind.update(before, after), ...writes],
      events: [...told.events, ...events],
      facts: [...told.facts, ...facts],
    }
  })
}

/** What is told and published of a record as it is after the commit. */
export function publish<Record extends Versioned, Event extends string>(
  kind: Kind<Record, Event>,
  record: Record,
  type: Event,
) {
  const subject = `${kind.entity}/${kind.idOf(record)}`
  const data = kind.snapshot(record)
  const told: Told = {
    type,
    subject,
    version: record.version,
    data,
    parties: kind.ownersOf(record),
  }
  return { events: [told], facts: kind.isPublished ? [{ subject, data }] : [] }
}
