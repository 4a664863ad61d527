import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../../ledger/domain/balance.ts'
import type { Instruction } from '../../../../ledger/domain/instruction.ts'
import { pastValueDate } from '../../../../ledger/domain/posting.ts'
import type { Facility } from './facility.ts'

/** The balance addresses of a facility's ledger account. */
export const loanAddresses = ['principal', 'accrued', 'interest-due', 'fees', 'penalties'] as const
export type LoanAddress = (typeof loanAddresses)[number]

type FacilityKey = Pick<Facility, 'facilityId' | 'currency'>

/**
 * Returns the ID of the facility's ledger account. Clients cannot use the character `@` in IDs, so
 * this ID cannot collide with one that a client chooses.
 */
export function loanAccountId(facilityId: string): string {
  return `loan@${facilityId}`
}

/** Creates a debit of the facility's ledger account, which increases the amount owed. */
export function debitLoan(
  { facilityId, currency }: FacilityKey,
  address: LoanAddress,
  amountMinor: bigint,
): Leg {
  return bookedLeg(loanAccountId(facilityId), 'debit', amountMinor, currency, address)
}

/** Creates a credit of the facility's ledger account, which decreases the amount owed. */
export function creditLoan(facility: FacilityKey, address: LoanAddress, amountMinor: bigint): Leg {
  return { ...debitLoan(facility, address, amountMinor), side: 'credit' }
}

/** Creates a credit of a customer's account or an internal account. */
export function credit(accountId: string, amountMinor: bigint, currency: string): Leg {
  return bookedLeg(accountId, 'credit', amountMinor, currency)
}

/** Creates a debit of a customer's account or an internal account. */
export function debit(accountId: string, amountMinor: bigint, currency: string): Leg {
  return bookedLeg(accountId, 'debit', amountMinor, currency)
}

/** Returns the ID of the internal account for money in transit to and from other banks. */
export function transitAccountId(currency: string): string {
  return internalAccountId('settlement', currency)
}

/**
 * Creates the posting instruction for legs and leaves out legs of zero. A value date earlier than
 * the ledger allows is replaced by the earliest allowed date.
 */
export function postingOf(
  on: LocalDate,
  now: Date,
  clientTransactionId: string | null,
  legs: readonly Leg[],
): Instruction {
  return {
    type: 'custom',
    valueDate: pastValueDate(on, now),
    isAdvice: false,
    clientTransactionId,
    legs: legs.filter(({ amountMinor }) => amountMinor !== 0n),
  }
}
