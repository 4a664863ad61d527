import type { Reduction } from './loan.ts'
import { smallest } from './rational.ts'
import type { Run } from './run.ts'

function reductionOf({ loan, number }: Run): Reduction | undefined {
  return loan.reductions?.find(
    ({ fromInstalment, instalments }) =>
      number >= fromInstalment && number < fromInstalment + instalments,
  )
}

/** What the running instalment pays of what is due: no more than a reduction leaves. */
export function capped(run: Run, dueMinor: bigint): bigint {
  const reduction = reductionOf(run)
  return reduction ? smallest(dueMinor, reduction.amountMinor) : dueMinor
}

/** Adds to what is owed the interest that a reduction left open, where it is to be; answers how much. */
export function capitalised(run: Run): bigint {
  if (reductionOf(run)?.interest !== 'capitalise') return 0n
  const openMinor = run.carriedMinor
  run.carriedMinor = 0n
  run.flatBaseMinor += openMinor
  return openMinor
}

/** After its last instalment what is owed is spread over those that are left. */
export function endReduction(run: Run): void {
  const reduction = reductionOf(run)
  if (!reduction || run.number < reduction.fromInstalment + reduction.instalments - 1) return
  run.causes.push('replan')
}
