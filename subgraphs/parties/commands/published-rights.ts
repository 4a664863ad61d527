import { accountHoldersSubject } from '../../../kernel/authorization/holders.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { isValidOn } from '../../../kernel/domain/entitlement.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { PublishedFact } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { grantOf } from '../domain/entitlement.ts'
import { Problem } from '../domain/problems.ts'
import type { Entitlement } from '../model/entitlement.ts'
import { bumpGranteeVersion, findHolders } from '../store/entitlement.ts'
import { partyTable } from '../store/party.ts'

/**
 * The maximum number of active entitlements of a grantee. Every request of the grantee reads all of
 * them.
 */
const maxGrants = 200

/**
 * Returns the published fact with all current entitlements of a grantee. Other subgraphs check
 * permissions with it. Throws LIMIT_EXCEEDED for more than 200 entitlements.
 */
export function entitlementsFact(
  granteePartyId: string,
  entitlements: readonly Entitlement[],
  today: LocalDate,
): PublishedFact {
  const grants = entitlements.filter((each) => isValidOn(each, today)).map(grantOf)
  if (grants.length > maxGrants) {
    throw new Problem('LIMIT_EXCEEDED', {
      detail: `A party can receive at most ${maxGrants} entitlements.`,
    })
  }
  return { subject: `entitlements-of/${granteePartyId}`, data: { grants } }
}

/**
 * Returns what publishes the holders of an account. The customer of the account gets a new version,
 * so that of two changes at the same time, one is decided again.
 */
export async function changeOfHolders(
  context: Context,
  { resource, grantorPartyId }: Entitlement,
  change: (holders: readonly Entitlement[]) => readonly Entitlement[],
): Promise<{ writes: Write[]; facts: PublishedFact[] }> {
  // Before the holders are read, so that none of them changes between the two reads.
  const owner = (await partyTable.find(context, grantorPartyId))!
  const holders = change(await findHolders(context, [resource]))
  const partyIds = holders.map(({ granteePartyId }) => granteePartyId)
  const arrangementId = resource.slice('arrangement/'.length)
  return {
    writes: [bumpGranteeVersion(owner)],
    facts: [{ subject: accountHoldersSubject(arrangementId), data: { partyIds } }],
  }
}
