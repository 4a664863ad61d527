import type { Arrangement } from './model/arrangement.ts'

/**
 * Returns the data of an account for its events and, together with the lifecycle, for its published
 * fact.
 */
export function arrangementSnapshot(arrangement: Arrangement) {
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

/**
 * Returns the published fact by which payments look up the account of an IBAN. The fact never
 * changes and is not emitted as an event.
 */
export function accountNumberFact({ accountNumber, ...arrangement }: Arrangement) {
  const { arrangementId, partyId, currency } = arrangement
  return { subject: `account-number/${accountNumber}`, data: { arrangementId, partyId, currency } }
}
