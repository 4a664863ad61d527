import type { DeliveryStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { visibleEndpoints } from './endpoint.ts'

/** The delivery of one event to one endpoint. */
export type Delivery = Omit<Prisma.WebhookDeliveryGetPayload<object>, 'status'> & {
  status: DeliveryStatus
}
export type Attempt = Prisma.WebhookAttemptGetPayload<object>

const fromRow = (row: Prisma.WebhookDeliveryGetPayload<object>): Delivery => ({
  ...row,
  status: row.status as DeliveryStatus,
})

/**
 * Loads deliveries by ID. Deliveries to endpoints that the caller may not see are null, and all
 * deliveries are null for delegated users.
 */
export const loadDelivery = loader<string, Delivery>(async (context, ids) => {
  if (context.caller.partyId !== null) return ids.map(() => null)
  const rows = await context.db.webhookDelivery.findMany({
    where: { deliveryId: { in: [...ids] } },
  })
  const endpoints = await context.db.webhookEndpoint.findMany({
    where: {
      endpointId: { in: rows.map(({ endpointId }) => endpointId) },
      ...visibleEndpoints(context),
    },
    select: { endpointId: true },
  })
  const visibleIds = new Set(endpoints.map(({ endpointId }) => endpointId))
  const visibleRows = rows.filter(({ endpointId }) => visibleIds.has(endpointId))
  return inOrder(ids, visibleRows.map(fromRow), ({ deliveryId }) => deliveryId)
})

/** Returns the deliveries to an endpoint, in the order they were planned. */
export async function listDeliveries(
  context: Context,
  endpointId: string,
  status: DeliveryStatus | null,
  after: string[] | null,
  take: number,
): Promise<Delivery[]> {
  const rows = await context.db.webhookDelivery.findMany({
    where: {
      endpointId,
      ...(status !== null && { status }),
      ...afterTimeAndId('createdAt', 'deliveryId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { deliveryId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

/** Loads the attempts of deliveries, oldest first. */
export const loadAttempts = loader<string, Attempt[]>(async (context, ids) => {
  const rows = await context.db.webhookAttempt.findMany({
    where: { deliveryId: { in: [...ids] } },
    orderBy: [{ deliveryId: 'asc' }, { number: 'asc' }],
  })
  return ids.map((id) => rows.filter(({ deliveryId }) => deliveryId === id))
})
