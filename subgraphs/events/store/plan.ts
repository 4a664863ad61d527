import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { declareConsumer, declareLogReader, isBehindSql } from '../../../kernel/writing/consumer.ts'
import { mayReceiveAuditSql, mayReceiveSql } from './client.ts'

const consumer = declareConsumer('events.webhooks')
// Nothing is planned without an active endpoint, and one that becomes active starts at the end.
declareLogReader(
  consumer,
  `coalesce((select greatest(
      (select position from kernel.consumer where name = '${consumer}'), min(after_position))
    from events.endpoint where status = 'active' having count(*) > 0),
    (select position from kernel.head))`,
)

/**
 * The SQL condition that the subscription `s` matches the event `e`. Its rules for types and
 * subjects are those of `matchesEvent` in the kernel, so change both together.
 */
export const matchesSql = `
  (s.event_type = '*' or s.event_type = e.type
    or (s.event_type like '%.*' and starts_with(e.type, left(s.event_type, -1))))
  and (s.party_id is null or s.party_id = any(e.parties))
  and (s.customer_id is null or s.customer_id = e.customer_id or e.subject = 'customer/' || s.customer_id)
  and (s.subject is null or s.subject = e.subject)
  and e.type <> 'events.endpoint.tested' and ${mayReceiveAuditSql}`

/**
 * Plans deliveries for one batch of the event log and advances the consumer's position in the same
 * statement. So each event is planned exactly once, even after a crash. The lock on the consumer's
 * row ensures that only one planner works at a time. An event that matches several subscriptions of
 * a client is sent once per endpoint. A test event is sent only to the tested endpoint.
 */
const planSql = `
with consumer as (
  select position from kernel.consumer where name = 'events.webhooks' for update
), listening as (
  select min(after_position) as position from events.endpoint where status = 'active'
), batch as (
  select e.position, e.event_id, e.type, e.subject, e.parties, e.data->>'customerId' as customer_id
  from kernel.event e
  where e.position > (
    select case when l.position is not null then greatest(c.position, l.position) end
    from consumer c, listening l)
  order by e.position limit $1
), wanted as (
  select p.endpoint_id, e.position, e.event_id, e.type, e.subject,
    array_remove(array_agg(s.subscription_id order by s.subscription_id), null) as subscription_ids,
    coalesce(bool_or(s.payload_mode = 'full'), true) as is_full
  from batch e
  join events.endpoint p on p.status = 'active' and e.position > p.after_position and ${mayReceiveSql}
  left join events.subscription s on s.client_id = p.client_id and ${matchesSql}
    and e.position > s.after_position and (s.status = 'active' or e.position <= s.until_position)
  where s.subscription_id is not null
    or (e.type = 'events.endpoint.tested' and e.subject = 'endpoint/' || p.endpoint_id)
  group by p.endpoint_id, e.position, e.event_id, e.type, e.subject
), planned as (
  insert into events.delivery (delivery_id, endpoint_id, position, event_id, event_type, subject,
    subscription_ids, is_full, status, attempts, step, next_at, created_at, updated_at)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), endpoint_id, position, event_id, type,
    subject, subscription_ids, is_full, 'pending', 0, 0, $2, $2, $2
  from wanted
  on conflict (endpoint_id, position) where replay_of is null do nothing
  returning 1
), moved as (
  update kernel.consumer set position = (select max(position) from batch)
  where name = 'events.webhooks' and exists (select from batch)
)
select (select count(*) from batch)::int as read, (select count(*) from planned)::int as planned`

const isListeningSql = "select 1 from events.endpoint where status = 'active' limit 1"

/** Whether there are events for which deliveries were not planned yet. */
export const isPlanningDueSql = `exists (${isListeningSql}) and ${isBehindSql(consumer)}`

/**
 * Plans deliveries for up to `max` events. Does nothing if there is no active endpoint. Returns the
 * number of events read and of deliveries planned.
 */
export async function planDeliveries(
  context: Context,
  max: number,
): Promise<{ read: number; planned: number }> {
  const activeEndpoints = await readRows(context.bank, isListeningSql, [])
  if (activeEndpoints.length === 0) return { read: 0, planned: 0 }
  const rows = await readRows<{ read: number; planned: number }>(context.bank, planSql, [
    max,
    context.now(),
  ])
  return rows[0]!
}

const deleteSql = `
  delete from events.delivery where ctid = any(array(
    select ctid from events.delivery where next_at is null and updated_at < $1 limit $2))
    and next_at is null and updated_at < $1`

/**
 * Deletes up to `max` deliveries that ended before the time `before`, with their attempts. Returns
 * the number of deleted deliveries.
 */
export async function deleteDeliveries(
  { bank }: Context,
  before: Date,
  max: number,
): Promise<number> {
  const { rowCount } = await bank.pool.query(deleteSql, [before, max])
  return rowCount ?? 0
}
