import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import type { EventFilter } from '../../_kernel/domain/event-filter.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import type { LogPlaces } from '../domain/subscription.ts'
import type { BusinessEvent } from '../graph/business-event.types.ts'

type EventRow = Prisma.EventGetPayload<object>

function fromRow({ subject, data, parties: _, ...row }: EventRow): BusinessEvent {
  return { ...row, subjectId: subject, data: data as Record<string, unknown> }
}

/** What the caller may hear: a delegated user only what belongs to their party. */
function audible(context: Context): Prisma.EventWhereInput {
  const { partyId } = context.caller
  return partyId ? { parties: { has: partyId } } : {}
}

export const loadEvent = loader<string, BusinessEvent>(async (context, eventIds) => {
  const rows = await context.db.event.findMany({
    where: { eventId: { in: [...eventIds] }, ...audible(context) },
  })
  const byId = new Map(rows.map((row) => [row.eventId, fromRow(row)]))
  return eventIds.map((eventId) => byId.get(eventId) ?? null)
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

/** Where the log ends with all that has been told, placed in it or not; and how far it has been planned. */
export async function readPlaces({ bank }: Context): Promise<LogPlaces> {
  const [row] = await readRows<{ end: string; planned: string }>(bank, placesSql, [])
  return { end: BigInt(row!.end), planned: BigInt(row!.planned) }
}
