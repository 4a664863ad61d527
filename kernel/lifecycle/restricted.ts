import type { Context } from '../environment/context.ts'
import { Problem } from '../domain/problem.ts'
import { readFacts, type Fact } from '../writing/facts.ts'

/**
 * Checks that the data of a party may be processed other than by storage (GDPR article 18). `party`
 * is the fact of the party. Throws PROCESSING_RESTRICTED.
 */
export function requireUnrestricted(party: Fact | null, partyId: string): void {
  if (party?.['isRestricted'] !== true) return
  throw new Problem('PROCESSING_RESTRICTED', {
    detail: `The processing of the data of ${partyId} is restricted to storage.`,
    resourceId: partyId,
  })
}

/** Reads the fact of a party and checks it. Throws PROCESSING_RESTRICTED. */
export async function requirePartyUnrestricted(context: Context, partyId: string): Promise<void> {
  const [party] = await readFacts(context, [`party/${partyId}`])
  requireUnrestricted(party ?? null, partyId)
}
