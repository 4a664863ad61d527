import { maySee } from './auth.ts'
import type { Context } from './context.ts'
import { dateOf } from './domain/dates.ts'
import { giving, type EntitlementRight, type Grant } from './domain/entitlement.ts'
import { Problem } from './domain/problem.ts'
import { readHeldFacts } from './facts.ts'

/**
 * What other parties let the caller do, as it is at this moment. Nothing for machines, which may
 * see everything anyway, and which it costs nothing.
 */
export async function grantsOf(
  context: Context,
  right: EntitlementRight,
): Promise<readonly Grant[]> {
  const { partyId } = context.caller
  if (partyId === null) return []
  const [fact] = await readHeldFacts(context, [`entitlements-of/${partyId}`])
  const grants = (fact?.['grants'] ?? []) as Grant[]
  return giving(grants, right, dateOf(context.now()))
}

/** The ids of the records of an entity that other parties let the caller see. */
export async function idsGranted(context: Context, entity: string): Promise<string[]> {
  const prefix = `${entity}/`
  const grants = await grantsOf(context, 'view')
  return grants
    .filter(({ resource }) => resource.startsWith(prefix))
    .map(({ resource }) => resource.slice(prefix.length))
}

/**
 * Whether the caller may use a record that belongs to these parties: it is theirs, or they are
 * entitled to that much. Refuses with NOT_ENTITLED who may see it and do no more. False: it is as
 * if it were not there.
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
  if (giving(grants, right, dateOf(context.now())).length > 0) return true
  throw new Problem('NOT_ENTITLED', { detail: `You may see ${resource}, and do no more with it.` })
}
