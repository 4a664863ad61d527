import type { DeliveryStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'

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
 * Loads deliveries by ID. Deliveries to endpoints of other clients are null, and all deliveries are
 * null for delegated users.
 */
export const loadDelivery = loader<string, Delivery>(async (context, ids) => {
  const { clientId, partyId } = context.caller
  if (partyId !== null) return ids.map(() => null)
  const rows = await context.db.webhookDelivery.findMany({
    where: { deliveryId: { in: [...ids] } },
  })
  const endpoints = await context.db.webhookEndpoint.findMany({
    where: { endpointId: { in: rows.map(({ endpointId }) => endpointId) }, clientId },
    select: { endpointId: true },
  })
  const ownEndpointIds = new Set(endpoints.map(({ endpointId }) => endpointId))
  const ownDeliveries = rows.filter(({ endpointId }) => ownEndpointIds.has(endpointId)).map(fromRow)
  return inOrder(ids, ownDeliveries, ({ deliveryId }) => deliveryId)
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
