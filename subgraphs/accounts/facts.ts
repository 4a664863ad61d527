import type { Arrangement } from './domain/arrangement.ts'

/** What others may know of an arrangement, and what its events tell. */
export function arrangementFact(arrangement: Arrangement) {
  return {
    arrangementId: arrangement.arrangementId,
    customerId: arrangement.customerId,
    partyId: arrangement.partyId,
    productId: arrangement.productId,
    productVersion: arrangement.productVersion,
    state: arrangement.state,
    blockedFor: arrangement.blockedFor,
    currency: arrangement.currency,
    overdraftLimitMinor: arrangement.overdraftLimitMinor.toString(),
    openedAt: arrangement.openedAt,
  }
}
