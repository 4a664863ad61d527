import type { Context } from '../../_kernel/context.ts'
import { withData } from '../../_kernel/events.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { isUnavailable } from '../../_kernel/sql-errors.ts'
import { toJson, type Write } from '../../_kernel/writes.ts'
import type { SentEvent } from '../domain/cloud-event.ts'
import type { AfterAttempt, DeliveryStatus } from '../domain/delivery.ts'
import { circuitFailures, type SealedSecret } from '../domain/endpoint.ts'
import { mayHearSql } from './client.ts'
import { secretsFrom } from './endpoint.ts'

/** A delivery leased by this process, with everything needed to send it. */
export interface Flight extends Omit<SentEvent, 'data'> {
  /** null when the data could not be read. */
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
  secrets: readonly SealedSecret[]
  failures: number
  failingSince: Date | null
}

/**
 * The lease: a request takes at most ten seconds, so a process without a result after fifteen is
 * presumed dead.
 */
const leaseSeconds = 15
/** The maximum number of requests in flight per endpoint. */
const mostPerEndpoint = 4
/** The look-ahead per endpoint: later deliveries wait until these are sent. */
const windowSize = 256

/**
 * Leases due deliveries: up to four per endpoint, one while the endpoint is failing. Of the
 * deliveries without an attempt, only the first per subject is leased, even while another process
 * is sending it, so first attempts keep the order of their subject. Retries are sent when they are
 * due. Leases use the clock of the database, which the sandbox cannot move.
 */
const claimSql = `
with room as (
  select p.endpoint_id,
    case when p.failures >= ${circuitFailures} then 1 else ${mostPerEndpoint} end
      - (select count(*) from events.delivery l where l.endpoint_id = p.endpoint_id and l.lease_until > now())::int
      as free
  from events.endpoint p
  where p.status = 'active' and (p.held_until is null or p.held_until <= $1) and ${mayHearSql}
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
  p.failures, p.failing_since as "failingSince", e.position, e.event_id as "eventId", e.type,
  e.subject, e.sequence, e.time, e.data, e.correlation_id as "correlationId",
  e.causation_id as "causationId", e.actor
from taken t join events.endpoint p on p.endpoint_id = t.endpoint_id
  join kernel.event e on e.position = t.position
order by t.position`

/** Leases up to `most` due deliveries. */
export async function claimDeliveries(
  context: Context,
  leaseId: string,
  most: number,
): Promise<Flight[]> {
  type Row = Omit<Flight, 'position' | 'secrets' | 'data'> & {
    position: string
    secrets: unknown
    data: unknown
  }
  const rows = await readRows<Row>(context.bank, claimSql, [context.now(), leaseId, most])
  const events = await readData(context, rows)
  return events.map((row) => ({
    ...row,
    position: BigInt(row.position),
    secrets: secretsFrom(row.secrets),
  }))
}

type WithoutData = Parameters<typeof withData>[1][number]

/** Adds the data of the events. An event whose data cannot be read does not block the others. */
async function readData<Event extends WithoutData>({ bank }: Context, events: readonly Event[]) {
  const readAlone = async (event: Event) => {
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
    return Promise.all(events.map(readAlone))
  }
}

/** The result of an attempt. */
export interface Landing extends AfterAttempt {
  flight: Flight
  at: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  /** The beginning of the response body. */
  response: string | null
  heldUntil: Date | null
}

const landingRow = ({ flight, ...landing }: Landing) => ({
  delivery_id: flight.deliveryId,
  lease_id: flight.leaseId,
  status: landing.status,
  step: landing.step,
  next_at: landing.nextAt,
  at: landing.at,
  duration_ms: landing.durationMs,
  status_code: landing.statusCode,
  error: landing.error,
  response: landing.response,
  held_until: landing.heldUntil,
})

const landingColumns =
  'delivery_id text, lease_id text, status text, step int, next_at timestamptz, at timestamptz, ' +
  'duration_ms int, status_code int, error text, response text, held_until timestamptz'

/**
 * Writes the results of attempts whose leases still hold; results under a lost lease are dropped.
 */
const settleSql = (from: string) => `
  update events.delivery d set status = r.status, step = r.step, next_at = r.next_at,
    attempts = d.attempts + 1, lease_id = null, lease_until = null, updated_at = r.at,
    delivered_at = case when r.status = 'delivered' then r.at end
  from ${from} where d.delivery_id = r.delivery_id and d.lease_id = r.lease_id`

const landSql = `
with landed as (select * from json_to_recordset($1::json) as r(${landingColumns})),
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
 * Records results in the delivery, the attempt log and the health of the endpoint. Returns how many
 * leases still held.
 */
export async function land(context: Context, landings: readonly Landing[]): Promise<number> {
  const rows = await readRows<{ landed: number }>(context.bank, landSql, [
    toJson(landings.map(landingRow)),
  ])
  return rows[0]!.landed
}

/**
 * Writes the last attempt of a delivery in the commit of its dead-letter event, only while its
 * lease holds.
 */
export function landLast(landing: Landing): Write[] {
  const row = toJson([landingRow(landing)])
  const source = `claim, json_to_recordset($1::json) as r(${landingColumns})`
  return [
    { sql: `${settleSql(source)} returning 1`, values: [row], rows: 1 },
    {
      sql:
        'insert into events.attempt (delivery_id, number, at, duration_ms, status_code, error, response) ' +
        'select r.delivery_id, $2::int, r.at, r.duration_ms, r.status_code, r.error, r.response ' +
        `from ${source} returning 1`,
      values: [row, landing.flight.attempts + 1],
      rows: 1,
    },
  ]
}

/** Whether this process still holds the lease of the delivery. */
export async function isHeld(context: Context, { deliveryId, leaseId }: Flight): Promise<boolean> {
  return (await context.db.webhookDelivery.count({ where: { deliveryId, leaseId } })) > 0
}

/** Releases the leases of unsent deliveries. */
export async function release({ bank }: Context, leaseId: string): Promise<void> {
  await bank.pool.query(
    'update events.delivery set lease_id = null, lease_until = null where lease_id = $1',
    [leaseId],
  )
}
