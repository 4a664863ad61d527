import { addDays, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { internalAccountId } from '../../_ledger/domain/account.ts'
import { defaultAddress, type Leg } from '../../_ledger/domain/balance.ts'
import type { Instruction } from '../../_ledger/domain/instruction.ts'
import { valueDateWindowDays } from '../../_ledger/domain/posting.ts'
import type { Facility } from './facility.ts'

/** Where on a facility's account in the ledger it is kept what is owed. */
export const loanAddresses = ['principal', 'accrued', 'interest-due', 'fees'] as const
export type LoanAddress = (typeof loanAddresses)[number]

type Owner = Pick<Facility, 'facilityId' | 'currency'>

/** The facility's account in the ledger; the sign keeps it apart from every id a client may choose. */
export function loanAccountId(facilityId: string): string {
  return `loan@${facilityId}`
}

/** More is owed. */
export function owe({ facilityId, currency }: Owner, address: LoanAddress, amountMinor: bigint) {
  return leg(loanAccountId(facilityId), address, 'debit', amountMinor, currency)
}

/** Less is owed. */
export function oweLess(facility: Owner, address: LoanAddress, amountMinor: bigint): Leg {
  return { ...owe(facility, address, amountMinor), side: 'credit' }
}

/** Money comes to an account of a customer, or to one of the bank's own. */
export function credit(accountId: string, amountMinor: bigint, currency: string): Leg {
  return leg(accountId, defaultAddress, 'credit', amountMinor, currency)
}

export function debit(accountId: string, amountMinor: bigint, currency: string): Leg {
  return leg(accountId, defaultAddress, 'debit', amountMinor, currency)
}

/** Money on its way to or from others. */
export function settlementAccountId(currency: string): string {
  return internalAccountId('settlement', currency)
}

function leg(
  accountId: string,
  address: string,
  side: Leg['side'],
  amountMinor: bigint,
  currency: string,
): Leg {
  return { accountId, address, phase: 'committed', side, amountMinor, currency }
}

/**
 * One posting of these movements, as of a day; those of nothing are left out. The books take no
 * older value date than their window, so an older day is booked on the first day of it.
 */
export function postingOf(
  on: LocalDate,
  now: Date,
  clientTransactionId: string | null,
  legs: readonly Leg[],
): Instruction {
  const earliest = addDays(dateOf(now), -valueDateWindowDays)
  return {
    type: 'custom',
    valueDate: on < earliest ? earliest : on,
    isAdvice: false,
    clientTransactionId,
    legs: legs.filter(({ amountMinor }) => amountMinor !== 0n),
  }
}
