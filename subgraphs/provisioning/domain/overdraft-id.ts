const prefix = 'overdraft/'

/**
 * Returns the ID under which the overdraft of an account is provided for, instead of the ID of a
 * facility. No client can choose such an ID.
 */
export const overdraftProvisionId = (arrangementId: string): string => `${prefix}${arrangementId}`

/** Returns the ID of the account if an ID is that of an overdraft; otherwise null. */
export const accountOf = (id: string | null): string | null =>
  id?.startsWith(prefix) ? id.slice(prefix.length) : null

/** Returns the ID of the ledger account of a facility, or of the account of an overdraft. */
export const ledgerAccountOf = (facilityId: string): string =>
  accountOf(facilityId) ?? `loan@${facilityId}`
