import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import {
  inOrder,
  loader,
  requireCallerWaits,
  type Context,
} from '../../../kernel/environment/context.ts'
import { mayReceiveType } from '../../../kernel/authorization/restricted-events.ts'
import type { EventFilter } from '../../../kernel/domain/event-filter.ts'
import { withData, type LoggedEvent } from '../../../kernel/events/events.ts'
import type { ArchiveFilter } from '../../../kernel/events/event-archive.ts'
import type { ArchivedEvent } from '../../../kernel/events/segment-file.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LogPositions } from '../domain/subscription.ts'
import type { BusinessEvent } from '../model/business-event.ts'
import { feedQuery, retainedSql, type FeedRow, type RetainedRow } from './feed.ts'

type EventRow = Prisma.EventGetPayload<object>

function fromRow({ subject, data, parties: _, ...row }: EventRow): BusinessEvent {
  return { ...row, subjectId: subject, data: data as BusinessEvent['data'], isArchived: false }
}

function fromArchive({ subject, data, parties: _, ...event }: ArchivedEvent): BusinessEvent {
  const value = (data === null ? null : JSON.parse(data)) as BusinessEvent['data']
  return { ...event, subjectId: subject, data: value, isArchived: true }
}

/** Loads the data of events from the event log or from the data source of their event type. */
export const loadData = loader<BusinessEvent, Record<string, unknown>>(async ({ bank }, events) => {
  const withoutData = events.map(({ type, subjectId, data }) => ({
    type,
    subject: subjectId,
    data,
  }))
  return (await withData(bank.pool, withoutData)).map(({ data }) => data)
})

/**
 * Returns whether the caller may see an event. Delegated users see only their own. The events of the
 * audit of identity need a scope of their own.
 */
const visibleTo =
  ({ caller }: Context) =>
  ({ type, parties }: Pick<LoggedEvent, 'type' | 'parties'>): boolean =>
    maySee(caller, parties) && mayReceiveType(caller, type)

export const loadEvent = loader<string, BusinessEvent>(async (context, eventIds) => {
  const rows = await context.db.event.findMany({ where: { eventId: { in: [...eventIds] } } })
  const known = new Set(rows.map(({ eventId }) => eventId))
  const missing = eventIds.filter((eventId) => !known.has(eventId))
  const check = () => requireCallerWaits(context)
  const archived = missing.length > 0 ? await context.bank.archive.find(missing, check) : []
  const isVisible = visibleTo(context)
  return inOrder(
    eventIds,
    [...rows.filter(isVisible).map(fromRow), ...archived.filter(isVisible).map(fromArchive)],
    ({ eventId }) => eventId,
  )
})

/**
 * Returns events after a position, in the order of the event log. Those that are not in the database
 * are read from the archive. Throws EVENT_ARCHIVE_UNAVAILABLE, and TIMEOUT if the caller no longer
 * waits.
 */
export async function readEvents(
  context: Context,
  filter: EventFilter,
  after: bigint,
  take: number,
): Promise<BusinessEvent[]> {
  const { sql, values, archiveFilter } = feedQuery(context.caller, filter)
  const rows = await readRows<FeedRow>(context.bank, sql, [after.toString(), take, ...values])
  const stored = rows.flatMap(({ archivedThrough: _, position, ...row }) =>
    position === null ? [] : [{ ...row, position: BigInt(position), isArchived: false }],
  )
  const archivedThrough = BigInt(rows[0]!.archivedThrough)
  if (after >= archivedThrough) return stored
  // A database that is behind the one with the rows, such as a standby, would skip events.
  if ((await context.bank.archive.reach()) < archivedThrough) {
    throw new Problem('EVENT_ARCHIVE_UNAVAILABLE')
  }
  const archived = await readArchived(context, archiveFilter, after, take)
  return [
    ...archived.filter(({ position }) => position <= archivedThrough),
    ...stored.filter(({ position }) => position > archivedThrough),
  ].slice(0, take)
}

async function readArchived(
  context: Context,
  filter: ArchiveFilter,
  after: bigint,
  take: number,
): Promise<BusinessEvent[]> {
  const { bank } = context
  const archived = await bank.archive.read(after, take, filter, () => requireCallerWaits(context))
  const positions = archived.map(({ position }) => String(position))
  const rows = await readRows<RetainedRow>(bank, retainedSql, [positions])
  // Of an archived event whose row has stayed, the row has the complete data.
  const retained = new Map(rows.map((row) => [BigInt(row.position), row]))
  return archived.map((event) => {
    const row = retained.get(event.position)
    return row ? { ...row, position: event.position, isArchived: false } : fromArchive(event)
  })
}

const placesSql = `
  select h.position + (select coalesce(sum(event_count), 0) from kernel.outbox) as end, c.position as planned
  from kernel.head h, kernel.consumer c where c.name = 'events.webhooks'`

/**
 * Returns the end of the event log, including the events that are still in the outbox, and the
 * position up to which deliveries are planned.
 */
export async function readLogPositions({ bank }: Context): Promise<LogPositions> {
  const [row] = await readRows<{ end: string; planned: string }>(bank, placesSql, [])
  return { end: BigInt(row!.end), planned: BigInt(row!.planned) }
}
