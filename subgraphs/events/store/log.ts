import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { mayReceiveType } from '../../../kernel/authorization/restricted-events.ts'
import { identityRecordEvent, type EventFilter } from '../../../kernel/domain/event-filter.ts'
import { withData } from '../../../kernel/events/events.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LogPositions } from '../domain/subscription.ts'
import type { BusinessEvent } from '../model/business-event.ts'
import { feedQuery, type FeedRow } from './feed.ts'

type EventRow = Prisma.EventGetPayload<object>

function fromRow({ subject, data, parties: _, ...row }: EventRow): BusinessEvent {
  return { ...row, subjectId: subject, data: data as BusinessEvent['data'] }
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
 * Returns the condition for events that the caller may see. Delegated users see only their own. The
 * events of the audit of identity need a scope of their own.
 */
function visibleEvents({ caller }: Context): Prisma.EventWhereInput {
  const { partyId } = caller
  return {
    ...(partyId && { parties: { has: partyId } }),
    ...(!mayReceiveType(caller, identityRecordEvent) && { type: { not: identityRecordEvent } }),
  }
}

export const loadEvent = loader<string, BusinessEvent>(async (context, eventIds) => {
  const rows = await context.db.event.findMany({
    where: { eventId: { in: [...eventIds] }, ...visibleEvents(context) },
  })
  return inOrder(eventIds, rows.map(fromRow), ({ eventId }) => eventId)
})

/** Returns events after a position, in the order of the event log. */
export async function readEvents(
  context: Context,
  filter: EventFilter,
  after: bigint,
  take: number,
): Promise<BusinessEvent[]> {
  const { sql, values } = feedQuery(context.caller, filter)
  const rows = await readRows<FeedRow>(context.bank, sql, [after.toString(), take, ...values])
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }))
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
