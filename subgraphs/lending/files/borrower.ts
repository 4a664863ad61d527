import type { Context } from '../../../kernel/environment/context.ts'
import type { Facility } from '../domain/facilities/facility.ts'
import { BorrowerNameDocument } from '../queries.generated.ts'

/** Reads the name of a borrower; null if the party does not exist. Throws what the query throws. */
export async function readBorrowerName(
  { bank }: Context,
  { partyId }: Facility,
): Promise<string | null> {
  const { partyContacts } = await bank.queryGraph(BorrowerNameDocument, { partyId })
  return partyContacts![0]?.displayName ?? null
}

/** Returns what a document says about a facility, as pairs of a label and a value. */
export function factsOf(facility: Facility, name: string | null): [string, string][] {
  const { facilityId, customerId, currency } = facility
  const borrower: [string, string][] = name === null ? [] : [['Borrower', name]]
  return [...borrower, ['Customer', customerId], ['Facility', facilityId], ['Currency', currency]]
}
