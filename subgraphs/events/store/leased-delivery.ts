import type { DeliveryStatus } from '../model/enumerations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { withData } from '../../../kernel/events/events.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { isUnavailable } from '../../../kernel/database/sql-errors.ts'
import { toJson, type Write } from '../../../kernel/writing/writes.ts'
import type { SentEvent } from '../domain/cloud-event.ts'
import type { AfterAttempt } from '../domain/delivery.ts'
import { circuitFailures, type EncryptedSecret } from '../domain/endpoint.ts'
import { mayReceiveSql } from './client.ts'
import { secretsFrom } from './endpoint.ts'

/** A delivery that this process has leased, with everything needed to send it. */
export interface LeasedDelivery extends Omit<SentEvent, 'data'> {
  /** The data of the event; null if it could not be read. */
  data: SentEvent['data'] | null
  deliveryId: string
  leaseId: string
  status: DeliveryStatus
  isFull: boolean
  attempts: number
  step: number
  endpointId: string
  clientId: string
  url: string
  secrets: readonly EncryptedSecret[]
  failures: number
  failingSince: Date | null
}

/**
 * The duration of a lease. A request takes at most ten seconds. So a process that has not saved a
 * result after 15 seconds is assumed to have died.
 */
const leaseSeconds = 15
/** The maximum number of requests in flight per endpoint. */
const maxPerEndpoint = 4
/** The number of due deliveries per endpoint that one query considers. Later deliveries wait. */
const windowSize = 256

/** Whether there are due deliveries to an endpoint that accepts them now, leased or not. */
export const areDeliveriesDueSql =
  'exists (select from events.endpoint p join events.delivery d using (endpoint_id) ' +
  "where p.status = 'active' and (p.held_until is null or p.held_until <= $1) and d.next_at <= $1)"

/**
 * Leases due deliveries, so that at most four per endpoint are leased at a time, or one if the
 * circuit breaker of the endpoint is open. Of the deliveries without an attempt, only the first of
 * each subject can be leased; the next one waits until it has been attempted. So the first attempts
 * keep the order of events per subject. Retries are sent when they are due. Leases use the clock of
 * the database, because the sandbox clock can be moved.
 */
const claimSql = `
with room as (
  select p.endpoint_id,
    case when p.failures >= ${circuitFailures} then 1 else ${maxPerEndpoint} end
      - (select count(*) from events.delivery l where l.endpoint_id = p.endpoint_id and l.lease_until > now())::int
      as free
  from events.endpoint p
  where p.status = 'active' and (p.held_until is null or p.held_until <= $1) and ${mayReceiveSql}
), due as (
  select chosen.delivery_id from room cross join lateral (
    select d.delivery_id from (
      select * from events.delivery a
      where a.endpoint_id = room.endpoint_id and a.next_at <= $1
      order by a.next_at, a.position limit ${windowSize}
    ) ahead join events.delivery d on d.delivery_id = ahead.delivery_id
    where d.next_at <= $1 and (d.lease_until is null or d.lease_until <= now())
      and (d.status <> 'pending' or not exists (
        select from events.delivery before where before.endpoint_id = d.endpoint_id
          and before.subject = d.subject and before.status = 'pending'
          and (before.position, before.delivery_id) < (d.position, d.delivery_id)))
    order by d.next_at, d.position limit greatest(room.free, 0)
    for update of d skip locked
  ) chosen
  limit $3
), taken as (
  update events.delivery d set lease_id = $2, lease_until = now() + interval '${leaseSeconds} seconds'
  from due where d.delivery_id = due.delivery_id
  returning d.*
)
select t.delivery_id as "deliveryId", t.lease_id as "leaseId", t.status, t.is_full as "isFull",
  t.attempts, t.step, p.endpoint_id as "endpointId", p.client_id as "clientId", p.url, p.secrets,
  p.failures, p.failing_since as "failingSince", t.position, t.event_id as "eventId",
  t.event_type as type, t.subject, e.sequence, e.time, e.data, e.correlation_id as "correlationId",
  e.causation_id as "causationId", e.actor
from taken t join events.endpoint p on p.endpoint_id = t.endpoint_id
  left join kernel.event e on e.position = t.position
order by t.position`

const postponeSql = `
  update events.delivery set next_at = $3::timestamptz + interval '1 minute', lease_id = null, lease_until = null
  where delivery_id = any($1) and lease_id = $2`

/**
 * Leases up to `max` due deliveries and returns them. A delivery whose event cannot be read from the
 * archive is left out and postponed by a minute.
 */
export async function claimDeliveries(
  context: Context,
  leaseId: string,
  max: number,
): Promise<LeasedDelivery[]> {
  type Row = Omit<LeasedDelivery, 'position' | 'secrets' | 'data'> & {
    position: string
    secrets: unknown
    data: unknown
  }
  const rows = await readRows<Row>(context.bank, claimSql, [context.now(), leaseId, max])
  const complete = await withArchived(context, rows)
  if (complete.length < rows.length) {
    const readable = new Set(complete.map(({ deliveryId }) => deliveryId))
    const ids = rows.map(({ deliveryId }) => deliveryId).filter((id) => !readable.has(id))
    await readRows(context.bank, postponeSql, [ids, leaseId, context.now()])
  }
  const rowsWithData = await readData(context, complete)
  return rowsWithData.map((row) => ({
    ...row,
    position: BigInt(row.position),
    secrets: secretsFrom(row.secrets),
  }))
}

/** Completes the events that have left the database, without those that cannot be read. */
async function withArchived<Row extends { eventId: string; sequence: number | null }>(
  { bank }: Context,
  rows: readonly Row[],
): Promise<Row[]> {
  const complete = async (row: Row): Promise<Row[]> => {
    if (row.sequence !== null) return [row]
    const { eventId } = row
    try {
      const [event] = await bank.archive.find([eventId])
      if (!event) throw new Error(`The event ${eventId} is neither in the log nor archived.`)
      const { sequence, time, correlationId, causationId, actor } = event
      const data: unknown = event.data === null ? null : JSON.parse(event.data)
      return [{ ...row, sequence, time, data, correlationId, causationId, actor }]
    } catch (error) {
      if (isUnavailable(error)) throw error
      bank.log.warn({ error, eventId }, 'an archived event cannot be delivered now')
      return []
    }
  }
  return (await Promise.all(rows.map(complete))).flat()
}

type WithoutData = Parameters<typeof withData>[1][number]

/** Adds the data to events. If the data of an event cannot be read, it is null. */
async function readData<Event extends WithoutData>({ bank }: Context, events: readonly Event[]) {
  const readSingle = async (event: Event) => {
    try {
      return (await withData(bank.pool, [event]))[0]!
    } catch (error) {
      if (isUnavailable(error)) throw error
      bank.log.error({ error, subject: event.subject }, 'an event cannot be read')
      return { ...event, data: null }
    }
  }
  try {
    return await withData(bank.pool, events)
  } catch {
    return Promise.all(events.map(readSingle))
  }
}

/** The result of an attempt. */
export interface AttemptResult extends AfterAttempt {
  leased: LeasedDelivery
  at: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  /** The beginning of the response body. */
  response: string | null
  heldUntil: Date | null
}

const resultRow = ({ leased, ...result }: AttemptResult) => ({
  delivery_id: leased.deliveryId,
  lease_id: leased.leaseId,
  status: result.status,
  step: result.step,
  next_at: result.nextAt,
  at: result.at,
  duration_ms: result.durationMs,
  status_code: result.statusCode,
  error: result.error,
  response: result.response,
  held_until: result.heldUntil,
})

const resultColumns =
  'delivery_id text, lease_id text, status text, step int, next_at timestamptz, at timestamptz, ' +
  'duration_ms int, status_code int, error text, response text, held_until timestamptz'

/**
 * Returns SQL that saves the results of attempts. A result is ignored if the lease of its delivery
 * was lost.
 */
const settleSql = (from: string) => `
  update events.delivery d set status = r.status, step = r.step, next_at = r.next_at,
    attempts = d.attempts + 1, lease_id = null, lease_until = null, updated_at = r.at,
    delivered_at = case when r.status = 'delivered' then r.at end
  from ${from} where d.delivery_id = r.delivery_id and d.lease_id = r.lease_id`

const settleAttemptSql = `
with landed as (select * from json_to_recordset($1::json) as r(${resultColumns})),
settled as (
  ${settleSql('landed r')}
  returning d.endpoint_id, d.attempts, r.*
), logged as (
  insert into events.attempt (delivery_id, number, at, duration_ms, status_code, error, response)
  select delivery_id, attempts, at, duration_ms, status_code, error, response from settled
), fared as (
  select endpoint_id, bool_or(status = 'delivered') as is_well, count(*)::int as failed,
    min(at) as at, max(held_until) as held_until
  from settled group by endpoint_id
), health as (
  update events.endpoint p set
    failures = case when f.is_well then 0 else p.failures + f.failed end,
    failing_since = case when f.is_well then null else coalesce(p.failing_since, f.at) end,
    held_until = case when f.held_until is not null or f.is_well then f.held_until else p.held_until end
  from fared f where p.endpoint_id = f.endpoint_id
    and not (f.is_well and p.failures = 0 and p.held_until is null and f.held_until is null)
)
select count(*)::int as landed from settled`

/**
 * Saves results in the deliveries, the attempt log and the health of the endpoints. Results of lost
 * leases are ignored. Returns the number of results that were saved.
 */
export async function settle(context: Context, results: readonly AttemptResult[]): Promise<number> {
  const rows = await readRows<{ landed: number }>(context.bank, settleAttemptSql, [
    toJson(results.map(resultRow)),
  ])
  return rows[0]!.landed
}

/**
 * Returns the writes that save the last attempt of a delivery in the same commit as its dead-letter
 * event. The commit fails if the lease was lost.
 */
export function settleLastAttempt(result: AttemptResult): Write[] {
  const row = toJson([resultRow(result)])
  const source = `claim, json_to_recordset($1::json) as r(${resultColumns})`
  return [
    { sql: `${settleSql(source)} returning 1`, values: [row], rows: 1 },
    {
      sql:
        'insert into events.attempt (delivery_id, number, at, duration_ms, status_code, error, response) ' +
        'select r.delivery_id, $2::int, r.at, r.duration_ms, r.status_code, r.error, r.response ' +
        `from ${source} returning 1`,
      values: [row, result.leased.attempts + 1],
      rows: 1,
    },
  ]
}

/** Whether the delivery still has the lease with which it was claimed. */
export async function hasLease(
  context: Context,
  { deliveryId, leaseId }: LeasedDelivery,
): Promise<boolean> {
  return (await context.db.webhookDelivery.count({ where: { deliveryId, leaseId } })) > 0
}

/** Releases all remaining leases of this process, so that other processes can take over. */
export async function release({ bank }: Context, leaseId: string): Promise<void> {
  await bank.pool.query(
    'update events.delivery set lease_id = null, lease_until = null where lease_id = $1',
    [leaseId],
  )
}
