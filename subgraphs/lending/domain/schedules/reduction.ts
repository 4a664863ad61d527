import type { Reduction } from './loan.ts'
import { smallest } from './rational.ts'
import type { Run } from './run.ts'

function reductionOf({ loan, number }: Run): Reduction | undefined {
  return loan.reductions?.find(
    ({ fromInstallment, installments }) =>
      number >= fromInstallment && number < fromInstallment + installments,
  )
}

/**
 * Limits the payment of the current installment to the maximum amount of its reduction, if it has
 * one.
 */
export function limitPayment(run: Run, dueMinor: bigint): bigint {
  const reduction = reductionOf(run)
  return reduction ? smallest(dueMinor, reduction.amountMinor) : dueMinor
}

/**
 * Removes the interest that a reduction leaves unpaid from the carried interest, if the reduction
 * capitalizes interest. Returns the amount, which the caller adds to the principal.
 */
export function capitalizeUnpaid(run: Run): bigint {
  if (reductionOf(run)?.interest !== 'capitalise') return 0n
  const unpaidMinor = run.carriedMinor
  run.carriedMinor = 0n
  run.flatBaseMinor += unpaidMinor
  return unpaidMinor
}

/**
 * Ends a reduction after its last installment. The principal is then spread over the remaining
 * installments.
 */
export function endReduction(run: Run): void {
  const reduction = reductionOf(run)
  if (!reduction || run.number < reduction.fromInstallment + reduction.installments - 1) return
  run.recomputations.push('replan')
}
