import type { SubscriptionStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, update, updateMany, type Row, type Write } from '../../../kernel/writing/writes.ts'
import { maxSubscriptions, type Subscription } from '../domain/subscription.ts'
import { incrementCount, decrementCount } from './client.ts'

const table = 'events.subscription'

type SubscriptionRow = Prisma.EventSubscriptionGetPayload<object>

function fromRow(row: SubscriptionRow): Subscription {
  return {
    ...row,
    status: row.status as Subscription['status'],
    payloadMode: row.payloadMode as Subscription['payloadMode'],
  }
}

function mutableColumns(subscription: Subscription): Row {
  return {
    status: subscription.status,
    after_position: subscription.afterPosition,
    until_position: subscription.untilPosition,
    updated_at: subscription.updatedAt,
  }
}

/** Returns the writes that insert a subscription and count it toward the client's limit. */
export function insertSubscription(subscription: Subscription): Write[] {
  const subscriptionWrite = insert(table, {
    subscription_id: subscription.subscriptionId,
    client_id: subscription.clientId,
    event_type: subscription.eventType,
    party_id: subscription.partyId,
    customer_id: subscription.customerId,
    subject: subscription.subject,
    payload_mode: subscription.payloadMode,
    description: subscription.description,
    may_receive_audit: subscription.mayReceiveAudit,
    content_hash: subscription.contentHash,
    version: subscription.version,
    created_at: subscription.createdAt,
    ...mutableColumns(subscription),
  })
  return [
    subscriptionWrite,
    incrementCount('subscriptions', subscription.clientId, maxSubscriptions),
  ]
}

/**
 * Returns the writes that update a subscription if its version is unchanged. A deleted subscription
 * no longer counts toward the limit.
 */
export function updateSubscription(after: Subscription): Write[] {
  const key = { subscription_id: after.subscriptionId }
  const subscriptionWrite = update(table, key, after.version - 1, mutableColumns(after))
  if (after.status !== 'deleted') return [subscriptionWrite]
  return [subscriptionWrite, decrementCount('subscriptions', after.clientId)]
}

export function updateSubscriptions(after: readonly Subscription[]): Write[] {
  if (after.length === 0) return []
  const rows = after.map((each) => ({
    subscription_id: each.subscriptionId,
    version: each.version - 1,
    ...mutableColumns(each),
  }))
  return [updateMany(table, 'subscription_id', rows)]
}

/**
 * Returns a subscription without checking permissions, for use in commands; null if it does not
 * exist.
 */
export async function findSubscription(
  context: Context,
  subscriptionId: string,
): Promise<Subscription | null> {
  const row = await context.db.eventSubscription.findUnique({ where: { subscriptionId } })
  return row && fromRow(row)
}

export async function findActiveSubscriptions(
  context: Context,
  clientId: string,
): Promise<Subscription[]> {
  const where = { clientId, status: 'active' }
  return (await context.db.eventSubscription.findMany({ where })).map(fromRow)
}

/**
 * Loads subscriptions by ID. Subscriptions of other clients are null, and all subscriptions are
 * null for delegated users.
 */
export const loadSubscription = loader<string, Subscription>(async (context, ids) => {
  const { clientId, partyId } = context.caller
  if (partyId !== null) return ids.map(() => null)
  const rows = await context.db.eventSubscription.findMany({
    where: { subscriptionId: { in: [...ids] }, clientId },
  })
  return inOrder(ids, rows.map(fromRow), ({ subscriptionId }) => subscriptionId)
})

/**
 * Returns the subscriptions of the calling client, oldest first. Deleted subscriptions are returned
 * only if `status` is `deleted`.
 */
export async function listSubscriptions(
  context: Context,
  status: SubscriptionStatus | null,
  after: string[] | null,
  take: number,
): Promise<Subscription[]> {
  const rows = await context.db.eventSubscription.findMany({
    where: {
      clientId: context.caller.clientId,
      status: status ?? { not: 'deleted' },
      ...afterTimeAndId('createdAt', 'subscriptionId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { subscriptionId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
