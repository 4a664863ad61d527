import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { allocatePayment, type Allocation, type AllocatedPayment, type Due } from './allocation.ts'

/** An installment that has become due. Its amounts are immutable, except for the paid amounts. */
export interface DueInstallment {
  facilityId: string
  number: number
  dueDate: LocalDate
  interestMinor: bigint
  principalMinor: bigint
  interestPaidMinor: bigint
  principalPaidMinor: bigint
  /** The date on which the installment was paid in full; null until then. */
  paidOn: LocalDate | null
}

/** Returns the unpaid amounts of an installment. */
export function owedOf(due: DueInstallment): Due {
  const { number, dueDate } = due
  const interest = due.interestMinor - due.interestPaidMinor
  const principal = due.principalMinor - due.principalPaidMinor
  return { number, dueDate, owedMinor: { fees: 0n, penalties: 0n, interest, principal } }
}

export function unpaidMinor(due: DueInstallment): bigint {
  const { interest, principal } = owedOf(due).owedMinor
  return interest + principal
}

/** Allocates an amount to the installments due, oldest first. */
export function allocateTo(dues: readonly DueInstallment[], amountMinor: bigint): AllocatedPayment {
  return allocatePayment(amountMinor, dues.map(owedOf))
}

/** Returns the installments after a payment. With the `sign` -1, the payment is reversed. */
export function applyAllocations(
  dues: readonly DueInstallment[],
  allocations: readonly Allocation[],
  on: LocalDate,
  sign: 1n | -1n = 1n,
): DueInstallment[] {
  return dues.map((due) => {
    const ownAllocations = allocations.filter(({ number }) => number === due.number)
    if (ownAllocations.length === 0) return due
    const after = {
      ...due,
      interestPaidMinor: due.interestPaidMinor + sign * partOf(ownAllocations, 'interest'),
      principalPaidMinor: due.principalPaidMinor + sign * partOf(ownAllocations, 'principal'),
    }
    return { ...after, paidOn: unpaidMinor(after) === 0n ? on : null }
  })
}

/** Returns the amount that is allocated to one part of the installments, such as interest. */
export function partOf(allocations: readonly Allocation[], part: Allocation['part']): bigint {
  return allocations.reduce((sum, each) => (each.part === part ? sum + each.amountMinor : sum), 0n)
}
