import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Facility } from './facility.ts'
import { fault } from './refusals.ts'

type Charged = Pick<Facility, 'upfrontFees' | 'upfrontFeesChargedMinor' | 'currency'>

/** The upfront fees of a facility that have not been charged. */
export function uncharged({ upfrontFees, upfrontFeesChargedMinor }: Charged): bigint {
  const total = upfrontFees.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return total - upfrontFeesChargedMinor
}

/**
 * The upfront fees a drawdown is charged: everything that has not been charged, deducted from the
 * payment to the borrower. Rejects with BELOW_MINIMUM_DRAWDOWN a drawdown that the fees would consume.
 */
export function feesOfDrawdown(facility: Charged, amountMinor: bigint): bigint {
  const fees = uncharged(facility)
  if (fees === 0n || amountMinor > fees) return fees
  const { currency } = facility
  const code = 'BELOW_MINIMUM_DRAWDOWN'
  const detail =
    `Upfront fees of ${formatAmount(fees, currency)} ${currency} are deducted from the drawdown; ` +
    `${formatAmount(amountMinor, currency)} ${currency} is not more than that.`
  throw new Problem(code, { detail, errors: [fault('/amount', code, detail)] })
}
