import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { update, type Write } from '../../../kernel/writing/writes.ts'
import { grantOf } from '../domain/entitlement.ts'
import type { Entitlement } from '../model/entitlement.ts'
import type { Party } from '../model/party.ts'
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

export const entitlementKind: RecordKind<Entitlement, EntitlementEvent> = {
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

/** Loads entitlements by ID. Those that the caller neither granted nor received are null. */
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

/** Returns the entitlements that the caller granted or received, in the order they were granted. */
export function listEntitlements(
  context: Context,
  { partyId, resource, status }: EntitlementFilter,
  after: string[] | null,
  take: number,
): Promise<Entitlement[]> {
  const involvesParty = (id: string | null) =>
    id === null ? {} : { OR: [{ grantorPartyId: id }, { granteePartyId: id }] }
  const conditions = [involvesParty(partyId), involvesParty(context.caller.partyId)]
  const where = { AND: conditions, ...(resource && { resource }), ...(status && { status }) }
  return table.list(context, where, after, take)
}

export const entitlementSortKey = table.sortKey

/** The maximum number of entitlements that an explanation evaluates. */
const maxExplained = 200

/**
 * Returns the entitlements of a party to a record, including revoked and expired ones, oldest
 * first. If there are more than 200, active entitlements take precedence.
 */
export async function findGrants(
  context: Context,
  granteePartyId: string,
  resource: string,
): Promise<Entitlement[]> {
  const orderBy = [{ status: 'asc' }, { createdAt: 'asc' }, { entitlementId: 'asc' }]
  const where = { granteePartyId, resource }
  const found = await table.findMany(context, { where, orderBy, take: maxExplained })
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
}

/** Returns the entitlements of a grantee that are not revoked. */
export function findActive(context: Context, granteePartyId: string): Promise<Entitlement[]> {
  const where = { granteePartyId, status: 'active' }
  return table.findMany(context, { where, orderBy: { entitlementId: 'asc' } })
}

/** Returns the entitlements of the joint holders of accounts, oldest first. */
export function findHolders(
  context: Context,
  resources: readonly string[],
): Promise<Entitlement[]> {
  const where = { resource: { in: [...resources] }, isHolder: true, status: 'active' }
  return table.findMany(context, {
    where,
    orderBy: [{ createdAt: 'asc' }, { entitlementId: 'asc' }],
  })
}

/** Returns the accounts that a party holds jointly with their customers, as their resources. */
export async function findHeldAccounts(context: Context, partyId: string): Promise<string[]> {
  const where = { granteePartyId: partyId, isHolder: true, status: 'active' }
  const found = await table.findMany(context, { where, orderBy: { entitlementId: 'asc' } })
  return found.map(({ resource }) => resource)
}

/**
 * Loads the joint holders of accounts by the ID of the account. A delegated user gets those of
 * accounts that the party owns or is entitled to see.
 */
export const loadHolders = loader<string, Entitlement[]>(async (context, ids) => {
  const resources = ids.map((id) => `arrangement/${id}`)
  const holders = await findHolders(context, resources)
  const visibleIds = new Set(await idsGranted(context, 'arrangement'))
  return ids.map((id, index) =>
    holders.filter(
      ({ resource, grantorPartyId }) =>
        resource === resources[index] &&
        (maySee(context.caller, [grantorPartyId]) || visibleIds.has(id)),
    ),
  )
})

/**
 * Returns a write that increments the version of the grantee, so that concurrent changes of the
 * grantee's entitlements conflict and one of them is decided again.
 */
export function bumpGranteeVersion({ partyId, version }: Party): Write {
  return update('parties.party', { party_id: partyId }, version, {})
}
