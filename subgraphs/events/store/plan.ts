import type { Context } from '../../_kernel/context.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { mayHearSql } from './client.ts'

/**
 * Whether the subscription `s` matches the event `e`. Equivalent to `wants` of the kernel,
 * for whole batches at a time.
 */
export const wantsSql = `
  (s.event_type = '*' or s.event_type = e.type
    or (s.event_type like '%.*' and starts_with(e.type, left(s.event_type, -1))))
  and (s.party_id is null or s.party_id = any(e.parties))
  and (s.customer_id is null or s.customer_id = e.customer_id or e.subject = 'customer/' || s.customer_id)
  and (s.subject is null or s.subject = e.subject)
  and e.type <> 'events.endpoint.tested'`

/**
 * Plans deliveries for one batch of the log and advances the consumer's position in one statement,
 * so each event is planned exactly once, even after a crash. The lock on the consumer's row lets
 * one planner work at a time. An event that matches several subscriptions of a client is sent once
 * per endpoint. A test event is sent only to the endpoint it is about.
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
  join events.endpoint p on p.status = 'active' and e.position > p.after_position and ${mayHearSql}
  left join events.subscription s on s.client_id = p.client_id and ${wantsSql}
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

/**
 * Plans deliveries for up to `most` events. Without subscriptions nothing is read or written.
 * Returns the numbers of events read and deliveries planned.
 */
export async function planDeliveries(
  context: Context,
  most: number,
): Promise<{ read: number; planned: number }> {
  const listening = await readRows(context.bank, isListeningSql, [])
  if (listening.length === 0) return { read: 0, planned: 0 }
  const rows = await readRows<{ read: number; planned: number }>(context.bank, planSql, [
    most,
    context.now(),
  ])
  return rows[0]!
}

const forgetSql = `
  delete from events.delivery where ctid = any(array(
    select ctid from events.delivery where next_at is null and updated_at < $1 limit $2))
    and next_at is null and updated_at < $1`

/**
 * Deletes up to a number of deliveries that ended before a time, with their attempts. Returns how
 * many.
 */
export async function forgetDeliveries(
  { bank }: Context,
  before: Date,
  most: number,
): Promise<number> {
  const { rowCount } = await bank.pool.query(forgetSql, [before, most])
  return rowCount ?? 0
}
