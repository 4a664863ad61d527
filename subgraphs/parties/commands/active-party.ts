import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { requireActive } from '../domain/party.ts'
import { bumpPartyVersion, partyTable } from '../store/party.ts'

/**
 * Checks that new business can be done with a party. Returns the write that fails unless the party
 * is still active at the commit. Throws PARTY_NOT_FOUND, PARTY_NOT_ACTIVE.
 */
export async function requireActiveParty(context: Context, partyId: string): Promise<Write> {
  const party = await partyTable.find(context, partyId)
  if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
  requireActive(party)
  return bumpPartyVersion(partyId)
}
