import type { Context } from '../../../kernel/environment/context.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { openReferences } from '../../../kernel/lifecycle/open-references.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'

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
  return [
    ...(await openOf('facility', 'FACILITY_OPEN')),
    ...(await openOf('arrangement', 'ACCOUNT_OPEN')),
    ...(owner === 'party' ? await openOf('obligor', 'OBLIGATION_OPEN') : []),
  ]
}
