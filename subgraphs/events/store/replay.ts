import type { DeliveryStatus } from '../model/enumerations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { matchesSql } from './plan.ts'

/** The events to replay, selected by ID, by a range of positions, or as all dead letters. */
export interface ReplayRequest {
  eventIds: readonly string[] | null
  /** The range excludes `after` and includes `upTo`. If `upTo` is null, it has no upper bound. */
  after: bigint
  upTo: bigint | null
  onlyFailed: boolean
}

/**
 * An event that can be replayed to an endpoint, and its latest delivery. `deliveryId` and `status`
 * are null if there is no delivery.
 */
export interface Replayable {
  position: bigint
  eventId: string
  type: string
  subject: string
  subscriptionIds: string[]
  isFull: boolean
  deliveryId: string | null
  status: DeliveryStatus | null
}

/**
 * Returns the SQL that finds the events to replay. For `onlyFailed` it starts from the dead letters
 * and not from the event log, which can be long.
 */
const findSql = (onlyFailed: boolean) => `
select e.position, e.event_id as "eventId", e.type, e.subject, d.delivery_id as "deliveryId", d.status,
  coalesce(w.subscription_ids, '{}') as "subscriptionIds", coalesce(w.is_full, d.is_full) as "isFull"
from (select *, data->>'customerId' as customer_id from kernel.event) e
left join lateral (
  select delivery_id, status, is_full from events.delivery
  where endpoint_id = $1 and position = e.position order by created_at desc, delivery_id desc limit 1
) d on true
left join lateral (
  select array_agg(s.subscription_id order by s.subscription_id) as subscription_ids,
    bool_or(s.payload_mode = 'full') as is_full
  from events.subscription s where s.client_id = $2 and s.status <> 'deleted' and ${matchesSql}
) w on true
where e.position > $3 and ($4::bigint is null or e.position <= $4)
  and ($5::text[] is null or e.event_id = any($5))
  and ${
    onlyFailed
      ? `d.status = 'dead-lettered' and e.position in (
          select position from events.delivery where endpoint_id = $1 and status = 'dead-lettered')`
      : '(d.delivery_id is not null or w.subscription_ids is not null)'
  }
order by e.position limit $6`

/** Returns the events to replay, in the order of the event log. */
export async function findReplayable(
  context: Context,
  { endpointId, clientId }: Endpoint,
  { after, upTo, eventIds, onlyFailed }: ReplayRequest,
  take: number,
): Promise<Replayable[]> {
  type Row = Omit<Replayable, 'position'> & { position: string }
  const values = [endpointId, clientId, String(after), upTo === null ? null : String(upTo)]
  const rows = await readRows<Row>(context.bank, findSql(onlyFailed), [...values, eventIds, take])
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }))
}

/** Returns the writes that plan a new delivery for each event. */
export function insertReplays(
  context: Context,
  { endpointId }: Endpoint,
  events: readonly Replayable[],
): Write[] {
  if (events.length === 0) return []
  const now = context.now()
  const rows = events.map((event) => ({
    delivery_id: context.newId('delivery'),
    endpoint_id: endpointId,
    position: event.position,
    event_id: event.eventId,
    event_type: event.type,
    subject: event.subject,
    subscription_ids: event.subscriptionIds,
    is_full: event.isFull,
    status: 'pending',
    replay_of: event.deliveryId,
    attempts: 0,
    step: 0,
    next_at: now,
    lease_until: null,
    lease_id: null,
    delivered_at: null,
    created_at: now,
    updated_at: now,
  }))
  return [insert('events.delivery', ...rows)]
}

/** Returns the writes that reset dead letters to the start of the retry schedule. */
export function reviveDeliveries(context: Context, events: readonly Replayable[]): Write[] {
  if (events.length === 0) return []
  return [
    {
      sql:
        "update events.delivery d set status = 'pending', step = 0, next_at = $2, updated_at = $2 from claim " +
        "where d.delivery_id = any($1::text[]) and d.status = 'dead-lettered' returning 1",
      values: [events.map(({ deliveryId }) => deliveryId), context.now()],
      rows: events.length,
    },
  ]
}
