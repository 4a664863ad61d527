import type { Context } from '../../../kernel/environment/context.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { findHeldAccounts } from './entitlement.ts'
import { openReferences } from '../../../kernel/lifecycle/open-references.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'

/** The error for an account that the party holds jointly with its customer. */
function heldError(resource: string): ValidationError {
  const resourceId = resource.slice('arrangement/'.length)
  const detail = `The party is a joint holder of ${resourceId}.`
  return { pointer: '/partyId', code: 'ACCOUNT_HOLDER', detail, resourceId }
}

/**
 * Returns every account and facility of a customer or party that must be closed before the
 * relationship can end, and what the party owes for others, as one validation error each. If one is
 * opened concurrently, the commit detects the conflict and the command runs again.
 */
export async function findOpenAccountsAndFacilities(
  context: Context,
  owner: 'customer' | 'party',
  id: string,
): Promise<ValidationError[]> {
  await readHeldFacts(context, [`${owner}/${id}`])
  const reference = `${owner}Id` as const
  const openOf = (entity: string, code: string) =>
    openReferences(context, entity, reference, id, { pointer: `/${reference}`, code })
  const held = owner === 'party' ? await findHeldAccounts(context, id) : []
  return [
    ...held.map((resource) => heldError(resource)),
    ...(await openOf('facility', 'FACILITY_OPEN')),
    ...(await openOf('arrangement', 'ACCOUNT_OPEN')),
    ...(owner === 'party' ? await openOf('obligor', 'OBLIGATION_OPEN') : []),
  ]
}
