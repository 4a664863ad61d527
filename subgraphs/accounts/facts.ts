import type { Arrangement } from './model/arrangement.ts'

/**
 * Returns the published fact by which payments look up the account of an IBAN. The fact never
 * changes and is not emitted as an event.
 */
export function accountNumberFact({ accountNumber, ...arrangement }: Arrangement) {
  const { arrangementId, partyId, currency } = arrangement
  return { subject: `account-number/${accountNumber}`, data: { arrangementId, partyId, currency } }
}
