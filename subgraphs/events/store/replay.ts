import type { DeliveryStatus } from '../model/enumerations.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { requireCallerWaits, type Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { ArchivedEvent } from '../../../kernel/events/segment-file.ts'
import { insert, toJson, type Row, type Write } from '../../../kernel/writing/writes.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { matchesSql } from './plan.ts'

/** How many archived events are compared with the subscriptions at once. */
const archivedAtOnce = 5000
/** How many such parts of a range one request searches. */
const maxParts = 10
/** How often a search is repeated while events move to the archive. */
const maxAttempts = 3

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

/** Includes those of rows that are not deleted yet, because they can be deleted at any moment. */
const archivedDeadLettersSql = `
  select event_id as "eventId" from events.delivery
  where endpoint_id = $1 and status = 'dead-lettered' and position <= $2
  order by position limit $3`

/** Events to replay, and how far the event log was searched; null if it was searched to the end. */
export interface Replayables {
  events: Replayable[]
  searchedThrough: bigint | null
}

/**
 * Returns up to `take` events to replay, in the order of the event log. Of a long range in the
 * archive it searches only a part. Throws EVENT_ARCHIVE_UNAVAILABLE, also if events are archived
 * again and again meanwhile, and TIMEOUT if the caller no longer waits.
 */
export async function findReplayable(
  context: Context,
  endpoint: Endpoint,
  request: ReplayRequest,
  take: number,
  partSize = archivedAtOnce,
): Promise<Replayables> {
  if (!request.onlyFailed && !request.eventIds) {
    return findInRange(context, endpoint, request, take, partSize)
  }
  const { archive } = context.bank
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const check = () => requireCallerWaits(context)
    check()
    const reach = await archive.reach()
    const ids = request.eventIds ?? (await archivedDeadLetters(context, endpoint, reach, take))
    const archived = reach > 0n && ids.length > 0 ? await archive.find(ids, check) : []
    const events = await findAmong(context, endpoint, request, take, archived)
    // What moved to the archive between the reads may be missing.
    const isComplete = events.length === request.eventIds?.length
    if (isComplete || (await archive.reach()) === reach) return { events, searchedThrough: null }
  }
  throw new Problem('EVENT_ARCHIVE_UNAVAILABLE')
}

/** Searches a range, in the archive and then in the table. */
async function findInRange(
  context: Context,
  endpoint: Endpoint,
  { upTo, ...request }: ReplayRequest,
  take: number,
  partSize: number,
): Promise<Replayables> {
  const { archive } = context.bank
  const check = () => requireCallerWaits(context)
  const events: Replayable[] = []
  let { after } = request
  for (let part = 0; part < maxParts; part++) {
    check()
    const isArchived = after < (await archive.reach())
    const archived = isArchived ? await archive.read(after, partSize, {}, check) : []
    const last = archived.at(-1)?.position ?? null
    const isEnd = last === null || (upTo !== null && last >= upTo)
    const range = { ...request, after, upTo: isEnd ? upTo : last }
    const found = await findAmong(context, endpoint, range, take - events.length, archived)
    // What moved to the archive after its reach was read may be missing, so it is searched there.
    if (last === null && (await archive.reach()) > after) continue
    events.push(...found)
    if (isEnd || events.length >= take) return { events, searchedThrough: null }
    after = last
  }
  return { events, searchedThrough: after }
}

async function archivedDeadLetters(
  { bank }: Context,
  { endpointId }: Endpoint,
  reach: bigint,
  take: number,
) {
  const values = [endpointId, String(reach), take]
  const rows = await readRows<{ eventId: string }>(bank, archivedDeadLettersSql, values)
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
