import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { allocatePayment, type Allocation, type AllocatedPayment, type Due } from './allocation.ts'

/** An instalment that became due. It does not change any more; what was paid of it does. */
export interface DueInstalment {
  facilityId: string
  number: number
  dueDate: LocalDate
  interestMinor: bigint
  principalMinor: bigint
  interestPaidMinor: bigint
  principalPaidMinor: bigint
  /** When the last of it was paid. */
  paidOn: LocalDate | null
}

/** What is still owed of it. */
export function owedOf(due: DueInstalment): Due {
  const { number, dueDate } = due
  const interest = due.interestMinor - due.interestPaidMinor
  const principal = due.principalMinor - due.principalPaidMinor
  return { number, dueDate, owedMinor: { fees: 0n, penalties: 0n, interest, principal } }
}

export function openMinor(due: DueInstalment): bigint {
  const { interest, principal } = owedOf(due).owedMinor
  return interest + principal
}

/** Spends money on what is due, the oldest first. */
export function allocateTo(dues: readonly DueInstalment[], amountMinor: bigint): AllocatedPayment {
  return allocatePayment(amountMinor, dues.map(owedOf))
}

/** What is paid of the instalments after a payment; `sign` -1 takes it back. */
export function withPaid(
  dues: readonly DueInstalment[],
  allocations: readonly Allocation[],
  on: LocalDate,
  sign: 1n | -1n = 1n,
): DueInstalment[] {
  return dues.map((due) => {
    const mine = allocations.filter(({ number }) => number === due.number)
    if (mine.length === 0) return due
    const after = {
      ...due,
      interestPaidMinor: due.interestPaidMinor + sign * partOf(mine, 'interest'),
      principalPaidMinor: due.principalPaidMinor + sign * partOf(mine, 'principal'),
    }
    return { ...after, paidOn: openMinor(after) === 0n ? on : null }
  })
}

/** What of a payment went to one part of the instalments. */
export function partOf(allocations: readonly Allocation[], part: Allocation['part']): bigint {
  return allocations.reduce((sum, each) => (each.part === part ? sum + each.amountMinor : sum), 0n)
}
