import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../_kernel/context.ts'
import type { EventFilter } from '../../_kernel/domain/event-filter.ts'
import { withData } from '../../_kernel/events.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import type { LogPlaces } from '../domain/subscription.ts'
import type { BusinessEvent } from '../graph/business-event.types.ts'

type EventRow = Prisma.EventGetPayload<object>

function fromRow({ subject, data, parties: _, ...row }: EventRow): BusinessEvent {
  return { ...row, subjectId: subject, data: data as BusinessEvent['data'] }
}

/** The data of events that the log does not contain. */
export const loadData = loader<BusinessEvent, Record<string, unknown>>(async ({ bank }, events) => {
  const told = events.map(({ type, subjectId, data }) => ({ type, subject: subjectId, data }))
  return (await withData(bank.pool, told)).map(({ data }) => data)
})

/** The events that the caller may see: for a delegated user, those of their party. */
function audible(context: Context): Prisma.EventWhereInput {
  const { partyId } = context.caller
  return partyId ? { parties: { has: partyId } } : {}
}

export const loadEvent = loader<string, BusinessEvent>(async (context, eventIds) => {
  const rows = await context.db.event.findMany({
    where: { eventId: { in: [...eventIds] }, ...audible(context) },
  })
  return inOrder(eventIds, rows.map(fromRow), ({ eventId }) => eventId)
})

/** Events after a position in the order of the log. */
export async function readEvents(
  context: Context,
  filter: EventFilter,
  after: bigint,
  take: number,
): Promise<BusinessEvent[]> {
  const rows = await context.db.event.findMany({
    where: {
      AND: [audible(context), typesWhere(filter.types)],
      position: { gt: after },
      ...(filter.subject ? { subject: filter.subject } : {}),
    },
    orderBy: { position: 'asc' },
    take,
  })
  return rows.map(fromRow)
}

function typesWhere(types: readonly string[] | null): Prisma.EventWhereInput {
  if (!types || types.includes('*')) return {}
  return {
    OR: types.map((type) =>
      type.endsWith('.*') ? { type: { startsWith: type.slice(0, -1) } } : { type },
    ),
  }
}

const placesSql = `
  select h.position + (select coalesce(sum(told), 0) from kernel.outbox) as end, c.position as planned
  from kernel.head h, kernel.consumer c where c.name = 'events.webhooks'`

/**
 * The end of the log, counting events still in the outbox, and the position up to which deliveries
 * are planned.
 */
export async function readPlaces({ bank }: Context): Promise<LogPlaces> {
  const [row] = await readRows<{ end: string; planned: string }>(bank, placesSql, [])
  return { end: BigInt(row!.end), planned: BigInt(row!.planned) }
}
