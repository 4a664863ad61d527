import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { allocatePayment, type Allocation, type AllocatedPayment, type Due } from './allocation.ts'

/** What late payment of an installment costs. Amounts are in minor units. */
export interface LateCharges {
  feesMinor: bigint
  feesPaidMinor: bigint
  feesWaivedMinor: bigint
  /** The default interest charged. */
  penaltiesMinor: bigint
  penaltiesPaidMinor: bigint
  penaltiesWaivedMinor: bigint
  /** The sum, over the days through `chargedThrough`, of the amount that bore default interest. */
  overdueMinorDays: bigint
  /** The part of interest and principal that was paid with a date in the days of grace. */
  paidInGraceMinor: bigint
  /** The last day that is charged; null before the first one. */
  chargedThrough: LocalDate | null
}

/** The late charges of an installment that is not late. */
export const noCharges: LateCharges = {
  feesMinor: 0n,
  feesPaidMinor: 0n,
  feesWaivedMinor: 0n,
  penaltiesMinor: 0n,
  penaltiesPaidMinor: 0n,
  penaltiesWaivedMinor: 0n,
  overdueMinorDays: 0n,
  paidInGraceMinor: 0n,
  chargedThrough: null,
}

/**
 * An installment that has become due. Its interest and principal are immutable, except for the paid
 * amounts.
 */
export interface DueInstallment {
  facilityId: string
  number: number
  dueDate: LocalDate
  interestMinor: bigint
  principalMinor: bigint
  interestPaidMinor: bigint
  principalPaidMinor: bigint
  charges: LateCharges
  /** The date on which the installment and its charges were paid in full; null until then. */
  paidOn: LocalDate | null
}

/** Returns the unpaid amounts of an installment. */
export function owedOf(due: DueInstallment): Due {
  const { number, dueDate, charges } = due
  const owedMinor = {
    fees: charges.feesMinor - charges.feesPaidMinor - charges.feesWaivedMinor,
    penalties: charges.penaltiesMinor - charges.penaltiesPaidMinor - charges.penaltiesWaivedMinor,
    interest: due.interestMinor - due.interestPaidMinor,
    principal: due.principalMinor - due.principalPaidMinor,
  }
  return { number, dueDate, owedMinor }
}

/** Returns the unpaid interest and principal of an installment. */
export function overdueMinor(due: DueInstallment): bigint {
  const { interest, principal } = owedOf(due).owedMinor
  return interest + principal
}

/** Returns all unpaid amounts of an installment, with its late charges. */
export function unpaidMinor(due: DueInstallment): bigint {
  const { fees, penalties } = owedOf(due).owedMinor
  return overdueMinor(due) + fees + penalties
}

/** Allocates an amount to the installments due, oldest first. */
export function allocateTo(
  dues: readonly DueInstallment[],
  amountMinor: bigint,
  areChargesPaidLast: boolean,
): AllocatedPayment {
  return allocatePayment(amountMinor, dues.map(owedOf), areChargesPaidLast)
}

/** Returns the installments after a payment. With the `sign` -1, the payment is reversed. */
export function applyAllocations(
  dues: readonly DueInstallment[],
  allocations: readonly Allocation[],
  sign: 1n | -1n = 1n,
): DueInstallment[] {
  return dues.map((due) => {
    const ownAllocations = allocations.filter(({ number }) => number === due.number)
    if (ownAllocations.length === 0) return due
    const paid = (part: Allocation['part']) => sign * partOf(ownAllocations, part)
    return {
      ...due,
      interestPaidMinor: due.interestPaidMinor + paid('interest'),
      principalPaidMinor: due.principalPaidMinor + paid('principal'),
      charges: {
        ...due.charges,
        feesPaidMinor: due.charges.feesPaidMinor + paid('fees'),
        penaltiesPaidMinor: due.charges.penaltiesPaidMinor + paid('penalties'),
      },
    }
  })
}

/** Sets the date of full payment of the installments that have changed since `before`. */
export function withPaidOn(
  dues: readonly DueInstallment[],
  before: readonly DueInstallment[],
  on: LocalDate,
): DueInstallment[] {
  const unchanged = new Set(before)
  return dues.map((due) =>
    unchanged.has(due) ? due : { ...due, paidOn: unpaidMinor(due) === 0n ? on : null },
  )
}

/** Returns the amount that is allocated to one part of the installments, such as interest. */
export function partOf(allocations: readonly Allocation[], part: Allocation['part']): bigint {
  return allocations.reduce((sum, each) => (each.part === part ? sum + each.amountMinor : sum), 0n)
}
