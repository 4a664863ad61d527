import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { update, type Write } from '../../_kernel/writes.ts'
import { grantOf, type Entitlement } from '../domain/entitlement.ts'
import type { Party } from '../domain/party.ts'
import type { EntitlementEvent } from '../events.ts'

const table = tableOf<Entitlement, Prisma.EntitlementGetPayload<object>>(
  'parties.entitlement',
  'entitlementId',
  ({ db }) => db.entitlement,
  (row) => ({
    ...row,
    right: row.right as Entitlement['right'],
    status: row.status as Entitlement['status'],
    validTo: row.validTo && dateOf(row.validTo),
  }),
)

export const ownersOfEntitlement = (entitlement: Entitlement) => [
  entitlement.grantorPartyId,
  entitlement.granteePartyId,
]

export const entitlementKind: Kind<Entitlement, EntitlementEvent> = {
  ...table,
  entity: 'entitlement',
  id: 'entitlement',
  notFound: 'ENTITLEMENT_NOT_FOUND',
  created: 'entitlements.entitlement.granted',
  ownersOf: ownersOfEntitlement,
  snapshot: (entitlement) => {
    const { granteePartyId, status } = entitlement
    return { ...grantOf(entitlement), granteePartyId, status }
  },
  isPublished: false,
}

/** Entitlements by id; null for those the caller neither granted nor received. */
export const loadEntitlement = loader<string, Entitlement>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((each) =>
    each && maySee(context.caller, ownersOfEntitlement(each)) ? each : null,
  )
})

export interface EntitlementFilter {
  partyId: string | null
  resource: string | null
  status: Entitlement['status'] | null
}

/**
 * The entitlements that the caller granted or received, in the order in which they were granted.
 */
export function listEntitlements(
  context: Context,
  { partyId, resource, status }: EntitlementFilter,
  after: string[] | null,
  take: number,
): Promise<Entitlement[]> {
  const of = (id: string | null) =>
    id === null ? {} : { OR: [{ grantorPartyId: id }, { granteePartyId: id }] }
  const conditions = [of(partyId), of(context.caller.partyId)]
  const where = { AND: conditions, ...(resource && { resource }), ...(status && { status }) }
  // The cursor is a separate condition, because its `OR` would replace that of another condition.
  return table.list(context, where, after, take)
}

export const entitlementSortKey = table.sortKey

/** The maximum number of entitlements that a party can have at a time. */
const mostExplained = 200

/**
 * All entitlements of a party to a record, past ones included, the oldest first. Beyond the limit,
 * active ones take precedence.
 */
export async function findGrants(
  context: Context,
  granteePartyId: string,
  resource: string,
): Promise<Entitlement[]> {
  const orderBy = [{ status: 'asc' }, { createdAt: 'asc' }, { entitlementId: 'asc' }]
  const where = { granteePartyId, resource }
  const found = await table.findMany(context, { where, orderBy, take: mostExplained })
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
}

/** The active entitlements of a grantee. */
export function findActive(context: Context, granteePartyId: string): Promise<Entitlement[]> {
  const where = { granteePartyId, status: 'active' }
  return table.findMany(context, { where, orderBy: { entitlementId: 'asc' } })
}

/**
 * Guards the version of the grantee, so that concurrent changes of its entitlements are serialized.
 */
export function holdGrantee({ partyId, version }: Party): Write {
  return update('parties.party', { party_id: partyId }, version, {})
}
