import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Facility } from '../facilities/facility.ts'
import { inputProblem } from '../schedules/refusals.ts'

type FacilityFees = Pick<Facility, 'upfrontFees' | 'upfrontFeesChargedMinor' | 'currency'>

/** Returns the total of the upfront fees of a facility that have not been charged. */
export function unchargedFees({ upfrontFees, upfrontFeesChargedMinor }: FacilityFees): bigint {
  const total = upfrontFees.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return total - upfrontFeesChargedMinor
}

/**
 * Returns the upfront fees that a drawdown is charged: all fees that have not been charged yet.
 * They are deducted from the payout. Throws BELOW_MINIMUM_DRAWDOWN if the drawdown does not exceed
 * the fees.
 */
export function feesOfDrawdown(facility: FacilityFees, amountMinor: bigint): bigint {
  const fees = unchargedFees(facility)
  if (fees === 0n || amountMinor > fees) return fees
  const { currency } = facility
  const detail =
    `Upfront fees of ${formatAmount(fees, currency)} ${currency} are deducted from the drawdown; ` +
    `${formatAmount(amountMinor, currency)} ${currency} does not exceed them.`
  throw inputProblem('BELOW_MINIMUM_DRAWDOWN', '/amount', detail)
}
