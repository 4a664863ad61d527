import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../_kernel/context.ts'
import { afterTimeAndId } from '../../_kernel/graph/connection.ts'
import { insert, update, type Row, type Write } from '../../_kernel/writes.ts'
import { mostEndpoints, type Endpoint, type SealedSecret } from '../domain/endpoint.ts'
import { count, uncount } from './client.ts'

const table = 'events.endpoint'

type EndpointRow = Prisma.WebhookEndpointGetPayload<object>

function fromRow(row: EndpointRow): Endpoint {
  return {
    ...row,
    status: row.status as Endpoint['status'],
    statusReason: row.statusReason as Endpoint['statusReason'],
    secrets: secretsFrom(row.secrets),
  }
}

/** Secrets in a JSON column. */
export function secretsFrom(stored: unknown): SealedSecret[] {
  return (stored as { sealed: string; expiresAt: string | null }[]).map(
    ({ sealed, expiresAt }) => ({
      sealed,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }),
  )
}

function changingColumns(endpoint: Endpoint): Row {
  return {
    status: endpoint.status,
    status_reason: endpoint.statusReason,
    secrets: endpoint.secrets,
    after_position: endpoint.afterPosition,
    updated_at: endpoint.updatedAt,
  }
}

const health = ({ failures, failingSince, heldUntil }: Endpoint): Row => ({
  failures,
  failing_since: failingSince,
  held_until: heldUntil,
})

export function insertEndpoint(endpoint: Endpoint): Write[] {
  const row = insert(table, {
    endpoint_id: endpoint.endpointId,
    client_id: endpoint.clientId,
    url: endpoint.url,
    description: endpoint.description,
    content_hash: endpoint.contentHash,
    version: endpoint.version,
    created_at: endpoint.createdAt,
    ...changingColumns(endpoint),
    ...health(endpoint),
  })
  return [row, count('endpoints', endpoint.clientId, mostEndpoints)]
}

/**
 * Updates an endpoint, guarded by its version. Its health columns are written only when they are
 * reset.
 */
export function updateEndpoint(after: Endpoint, startsAnew = false): Write[] {
  const changes = { ...changingColumns(after), ...(startsAnew && health(after)) }
  const row = update(table, { endpoint_id: after.endpointId }, after.version - 1, changes)
  return after.status === 'deleted' ? [row, uncount('endpoints', after.clientId)] : [row]
}

/**
 * Guards the health columns of an endpoint, which deliveries change without incrementing the
 * version.
 */
export function holdHealth({ endpointId, failingSince }: Endpoint): Write {
  return {
    sql:
      `select 1 from claim, ${table} t where t.endpoint_id = $1::text ` +
      'and t.failing_since is not distinct from $2::timestamptz for share of t',
    values: [endpointId, failingSince],
    rows: 1,
  }
}

/** The current endpoint, for a decision; without a visibility check. */
export async function findEndpoint(context: Context, endpointId: string): Promise<Endpoint | null> {
  const row = await context.db.webhookEndpoint.findUnique({ where: { endpointId } })
  return row && fromRow(row)
}

/** The number of other active endpoints of the client. */
export function countOtherActive(context: Context, { clientId, endpointId }: Endpoint) {
  const where = { clientId, status: 'active', endpointId: { not: endpointId } }
  return context.db.webhookEndpoint.count({ where })
}

/** Endpoints by id, null for those of other clients. */
export const loadEndpoint = loader<string, Endpoint>(async (context, ids) => {
  const { clientId, partyId } = context.caller
  if (partyId !== null) return ids.map(() => null)
  const rows = await context.db.webhookEndpoint.findMany({
    where: { endpointId: { in: [...ids] }, clientId },
  })
  return inOrder(ids, rows.map(fromRow), ({ endpointId }) => endpointId)
})

/** The calling client's endpoints that are not deleted, in the order they were registered. */
export async function listEndpoints(
  context: Context,
  after: string[] | null,
  take: number,
): Promise<Endpoint[]> {
  const rows = await context.db.webhookEndpoint.findMany({
    where: {
      clientId: context.caller.clientId,
      status: { not: 'deleted' },
      ...afterTimeAndId('createdAt', 'endpointId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { endpointId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
