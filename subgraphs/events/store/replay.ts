import type { DeliveryStatus } from '../model/enumerations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { ArchivedEvent } from '../../../kernel/events/segment-file.ts'
import { insert, toJson, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { matchesSql } from './plan.ts'

/** How many archived events are compared with the subscriptions at once. */
const archivedAtOnce = 5000

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

/** The events of the table, and events of the archive that are not in it. */
const unionSql = `
  select * from kernel.event
  union all select archived.* from json_populate_recordset(null::kernel.event, $7::json) archived
  where not exists (select from kernel.event t where t.position = archived.position)`

/**
 * Returns the SQL that finds the events to replay. For `onlyFailed` it starts from the dead letters
 * and not from the event log, which can be long.
 */
const findSql = (onlyFailed: boolean, isArchiveRead: boolean) => `
select e.position, e.event_id as "eventId", e.type, e.subject, d.delivery_id as "deliveryId", d.status,
  coalesce(w.subscription_ids, '{}') as "subscriptionIds", coalesce(w.is_full, d.is_full) as "isFull"
from (select *, data->>'customerId' as customer_id from ${isArchiveRead ? `(${unionSql})` : 'kernel.event'} v) e
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

const reachSql = 'select coalesce(max(last_position), 0)::text as reach from kernel.event_segment'
const archivedDeadLettersSql = `
  select event_id as "eventId" from events.delivery d
  where endpoint_id = $1 and status = 'dead-lettered'
    and not exists (select from kernel.event e where e.position = d.position)
  order by position limit $2`

/**
 * Returns the events to replay, in the order of the event log. Throws EVENT_ARCHIVE_UNAVAILABLE.
 */
export async function findReplayable(
  context: Context,
  endpoint: Endpoint,
  request: ReplayRequest,
  take: number,
): Promise<Replayable[]> {
  const reach = async () =>
    (await readRows<{ reach: string }>(context.bank, reachSql, []))[0]!.reach
  for (let before = await reach(); ;) {
    const found = await findWithArchive(context, endpoint, request, take, BigInt(before))
    // What moved to the archive between the reads may be missing.
    const now = await reach()
    if (now === before) return found
    before = now
  }
}

async function findWithArchive(
  context: Context,
  endpoint: Endpoint,
  request: ReplayRequest,
  take: number,
  reach: bigint,
): Promise<Replayable[]> {
  const { archive } = context.bank
  const { eventIds, onlyFailed, upTo } = request
  if (onlyFailed || eventIds) {
    const ids = eventIds ?? (await archivedDeadLetters(context, endpoint, take))
    const archived = reach > 0n && ids.length > 0 ? await archive.find(ids) : []
    return findAmong(context, endpoint, request, take, archived)
  }
  const found: Replayable[] = []
  for (let { after } = request; ;) {
    const archived = after < reach ? await archive.read(after, archivedAtOnce) : []
    const last = archived.at(-1)?.position
    const isEnd = archived.length < archivedAtOnce || (upTo !== null && last! >= upTo)
    const part = { ...request, after, upTo: isEnd ? upTo : last! }
    found.push(...(await findAmong(context, endpoint, part, take, archived)))
    if (isEnd || found.length >= take) return found.slice(0, take)
    after = last!
  }
}

async function archivedDeadLetters({ bank }: Context, { endpointId }: Endpoint, take: number) {
  const rows = await readRows<{ eventId: string }>(bank, archivedDeadLettersSql, [endpointId, take])
  return rows.map(({ eventId }) => eventId)
}

async function findAmong(
  { bank }: Context,
  { endpointId, clientId }: Endpoint,
  { after, upTo, eventIds, onlyFailed }: ReplayRequest,
  take: number,
  archived: readonly ArchivedEvent[],
): Promise<Replayable[]> {
  type Row = Omit<Replayable, 'position'> & { position: string }
  const values = [endpointId, clientId, String(after), upTo === null ? null : String(upTo)]
  const rows = await readRows<Row>(bank, findSql(onlyFailed, archived.length > 0), [
    ...values,
    eventIds,
    take,
    ...(archived.length > 0 ? [toJson(archived.map(rowOf))] : []),
  ])
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }))
}

/** Returns an archived event as a row of the event log. */
const rowOf = ({ eventId, correlationId, causationId, data, ...event }: ArchivedEvent): Row => ({
  ...event,
  event_id: eventId,
  correlation_id: correlationId,
  causation_id: causationId,
  data: data === null ? null : (JSON.parse(data) as Row),
})

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
