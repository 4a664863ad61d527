import { Decimal } from 'decimal.js'

const PreciseDecimal = Decimal.clone({ precision: 32 })

/**
 * Returns the equal monthly installment that repays a principal at a yearly rate, in minor units,
 * rounded half up: P·i / (1 − (1 + i)^−n), where i is a twelfth of the rate.
 */
export function installmentOf(principalMinor: bigint, ratePct: string, months: number): bigint {
  const principal = new PreciseDecimal(principalMinor.toString())
  const monthlyRate = new PreciseDecimal(ratePct).div(1200)
  const installment = monthlyRate.isZero()
    ? principal.div(months)
    : principal.mul(monthlyRate).div(new PreciseDecimal(1).sub(monthlyRate.add(1).pow(-months)))
  return BigInt(installment.toFixed(0, Decimal.ROUND_HALF_UP))
}

/**
 * Returns the monthly payments in minor units. Each is the installment, but never more than the
 * remaining principal with interest. The last payment is exactly that remainder, which settles all
 * rounding differences.
 */
export function installmentPlan(principalMinor: bigint, ratePct: string, months: number): bigint[] {
  const installment = installmentOf(principalMinor, ratePct, months)
  const monthlyRate = new PreciseDecimal(ratePct).div(1200)
  let remainingMinor = principalMinor
  return Array.from({ length: months }, (_, index) => {
    const interest = BigInt(
      monthlyRate.mul(remainingMinor.toString()).toFixed(0, Decimal.ROUND_HALF_UP),
    )
    const payoffMinor = remainingMinor + interest
    const paymentMinor =
      index === months - 1 || payoffMinor < installment ? payoffMinor : installment
    remainingMinor = payoffMinor - paymentMinor
    return paymentMinor
  })
}

/**
 * Returns the annual percentage rate of charge, in percent with two decimals: the X at which the
 * amount received equals the sum of the payments, each discounted by (1 + X)^(−months / 12)
 * (Directive 2008/48/EC, Annex I, with equal months). Returns null if nothing is received, or if
 * less is paid than received.
 */
export function aprcOf(receivedMinor: bigint, paymentsMinor: readonly bigint[]): string | null {
  const totalPaidMinor = paymentsMinor.reduce((sum, payment) => sum + payment, 0n)
  if (receivedMinor <= 0n || totalPaidMinor < receivedMinor) return null
  const received = new PreciseDecimal(receivedMinor.toString())
  const payments = paymentsMinor.map((payment) => new PreciseDecimal(payment.toString()))
  // Newton's method for the monthly discount factor. The sum of the discounted payments is
  // increasing and convex in the factor, so that starting at 1 the steps decrease toward the root
  // and never pass it.
  let factor = new PreciseDecimal(1)
  for (let step = 0; step < 100; step++) {
    let value = new PreciseDecimal(0)
    let slope = new PreciseDecimal(0)
    for (const payment of payments.toReversed()) {
      slope = slope.mul(factor).add(value)
      value = value.mul(factor).add(payment)
    }
    slope = slope.mul(factor).add(value)
    value = value.mul(factor)
    const nextFactor = factor.sub(value.sub(received).div(slope))
    if (nextFactor.sub(factor).abs().lt('1e-20')) break
    factor = nextFactor
  }
  return factor.pow(-12).sub(1).mul(100).toFixed(2, Decimal.ROUND_HALF_UP)
}
