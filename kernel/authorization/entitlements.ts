import { maySee } from './auth.ts'
import type { Context } from '../environment/context.ts'
import { dateOf } from '../domain/dates.ts'
import { validGrants, type EntitlementRight, type Grant } from '../domain/entitlement.ts'
import { Problem } from '../domain/problem.ts'
import { readHeldFacts } from '../writing/facts.ts'

/**
 * Returns the entitlements that other parties granted to the caller's party, that include `right`,
 * and that are valid today. Returns none for a caller that does not act for a party, because such a
 * caller sees all records.
 */
export async function grantsOf(
  context: Context,
  right: EntitlementRight,
): Promise<readonly Grant[]> {
  const { partyId } = context.caller
  if (partyId === null) return []
  const [fact] = await readHeldFacts(context, [`entitlements-of/${partyId}`])
  const grants = (fact?.['grants'] ?? []) as Grant[]
  return validGrants(grants, right, dateOf(context.now()))
}

/** Returns the IDs of the records of an entity to which the caller has a right through entitlements. */
export async function idsGranted(
  context: Context,
  entity: string,
  right: EntitlementRight = 'view',
): Promise<string[]> {
  const prefix = `${entity}/`
  const grants = await grantsOf(context, right)
  return grants
    .filter(({ resource }) => resource.startsWith(prefix))
    .map(({ resource }) => resource.slice(prefix.length))
}

/** Returns the IDs of the accounts that the caller holds jointly with their customers. */
export async function accountsHeld(context: Context): Promise<string[]> {
  const grants = await grantsOf(context, 'view')
  return grants
    .filter(({ isHolder }) => isHolder === true)
    .map(({ resource }) => resource.slice('arrangement/'.length))
}

/**
 * Whether the caller may use a record that belongs to `owners`, as one of them or through an
 * entitlement. Returns false if the caller may not see the record. Throws NOT_ENTITLED if the
 * caller may see the record but lacks the right.
 */
export async function mayUse(
  context: Context,
  owners: readonly (string | null)[],
  resource: string,
  right: EntitlementRight,
): Promise<boolean> {
  if (maySee(context.caller, owners)) return true
  const grants = (await grantsOf(context, 'view')).filter((grant) => grant.resource === resource)
  if (grants.length === 0) return false
  if (validGrants(grants, right, dateOf(context.now())).length > 0) return true
  throw new Problem('NOT_ENTITLED', {
    detail: `The caller can view ${resource}, but does not have the right "${right}".`,
  })
}
