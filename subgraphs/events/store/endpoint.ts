import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { insert, update, type Row, type Write } from '../../../kernel/writing/writes.ts'
import { maxEndpoints, type Endpoint, type EncryptedSecret } from '../domain/endpoint.ts'
import { incrementCount, decrementCount } from './client.ts'

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

/** Returns the secrets from their JSON column. */
export function secretsFrom(stored: unknown): EncryptedSecret[] {
  return (stored as { encrypted: string; expiresAt: string | null }[]).map(
    ({ encrypted, expiresAt }) => ({
      encrypted,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }),
  )
}

function mutableColumns(endpoint: Endpoint): Row {
  return {
    status: endpoint.status,
    status_reason: endpoint.statusReason,
    secrets: endpoint.secrets,
    after_position: endpoint.afterPosition,
    updated_at: endpoint.updatedAt,
  }
}

const healthColumns = ({ failures, failingSince, heldUntil }: Endpoint): Row => ({
  failures,
  failing_since: failingSince,
  held_until: heldUntil,
})

export function insertEndpoint(endpoint: Endpoint): Write[] {
  const endpointWrite = insert(table, {
    endpoint_id: endpoint.endpointId,
    client_id: endpoint.clientId,
    url: endpoint.url,
    description: endpoint.description,
    content_hash: endpoint.contentHash,
    version: endpoint.version,
    created_at: endpoint.createdAt,
    ...mutableColumns(endpoint),
    ...healthColumns(endpoint),
  })
  return [endpointWrite, incrementCount('endpoints', endpoint.clientId, maxEndpoints)]
}

/**
 * Returns the writes that update an endpoint if its version is unchanged. The health columns are
 * updated only if `resetsHealth` is true. A deleted endpoint no longer counts toward the limit.
 */
export function updateEndpoint(after: Endpoint, resetsHealth = false): Write[] {
  const changes = { ...mutableColumns(after), ...(resetsHealth && healthColumns(after)) }
  const endpointWrite = update(table, { endpoint_id: after.endpointId }, after.version - 1, changes)
  const isDeleted = after.status === 'deleted'
  return isDeleted ? [endpointWrite, decrementCount('endpoints', after.clientId)] : [endpointWrite]
}

/**
 * Returns a write that fails if the endpoint has recovered or begun to fail since it was read. It
 * is needed because delivery attempts change the health without incrementing the version.
 */
export function requireUnchangedHealth({ endpointId, failingSince }: Endpoint): Write {
  return {
    sql:
      `select 1 from claim, ${table} t where t.endpoint_id = $1::text ` +
      'and t.failing_since is not distinct from $2::timestamptz for share of t',
    values: [endpointId, failingSince],
    rows: 1,
  }
}

/** Returns an endpoint for a command, without a permission check; null if it does not exist. */
export async function findEndpoint(context: Context, endpointId: string): Promise<Endpoint | null> {
  const row = await context.db.webhookEndpoint.findUnique({ where: { endpointId } })
  return row && fromRow(row)
}

/** Returns the number of other active endpoints of the same client. */
export function countOtherActive(context: Context, { clientId, endpointId }: Endpoint) {
  const where = { clientId, status: 'active', endpointId: { not: endpointId } }
  return context.db.webhookEndpoint.count({ where })
}

/** Loads whether clients have an active endpoint. */
export const hasActiveEndpoint = loader<string, boolean>(async (context, clientIds) => {
  const rows = await context.db.webhookEndpoint.findMany({
    where: { clientId: { in: [...clientIds] }, status: 'active' },
    distinct: ['clientId'],
    select: { clientId: true },
  })
  const activeClientIds = new Set(rows.map(({ clientId }) => clientId))
  return clientIds.map((clientId) => activeClientIds.has(clientId))
})

/**
 * Loads endpoints by ID. Endpoints that the caller may not see are null, and all endpoints are null
 * for delegated users.
 */
export const loadEndpoint = loader<string, Endpoint>(async (context, ids) => {
  if (context.caller.partyId !== null) return ids.map(() => null)
  const rows = await context.db.webhookEndpoint.findMany({
    where: { endpointId: { in: [...ids] }, ...visibleEndpoints(context) },
  })
  return inOrder(ids, rows.map(fromRow), ({ endpointId }) => endpointId)
})

/**
 * Returns the Prisma condition for the endpoints that the caller may see: all with
 * `operations:read`, otherwise those of the calling client.
 */
export function visibleEndpoints({ caller }: Context): { clientId?: string } {
  return caller.scopes.has('operations:read') ? {} : { clientId: caller.clientId }
}

/** Returns the endpoints of a client, or of all clients, except deleted ones, oldest first. */
export async function listEndpoints(
  context: Context,
  clientId: string | null,
  after: string[] | null,
  take: number,
): Promise<Endpoint[]> {
  const rows = await context.db.webhookEndpoint.findMany({
    where: {
      ...(clientId !== null && { clientId }),
      status: { not: 'deleted' },
      ...afterTimeAndId('createdAt', 'endpointId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { endpointId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
