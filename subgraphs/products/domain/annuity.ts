import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 32 })

/**
 * The equal monthly installment that repays a principal at a yearly rate, in minor units rounded
 * half up: P·i / (1 − (1 + i)^−n), with i a twelfth of the rate.
 */
export function instalmentOf(principalMinor: bigint, ratePct: string, months: number): bigint {
  const principal = new Exact(principalMinor.toString())
  const monthly = new Exact(ratePct).div(1200)
  const instalment = monthly.isZero()
    ? principal.div(months)
    : principal.mul(monthly).div(new Exact(1).sub(monthly.add(1).pow(-months)))
  return BigInt(instalment.toFixed(0, Decimal.ROUND_HALF_UP))
}

/**
 * The monthly payments: the installment, and in the last month the remaining principal and
 * interest, which settles the rounding differences of all months.
 */
export function instalmentPlan(principalMinor: bigint, ratePct: string, months: number): bigint[] {
  const instalment = instalmentOf(principalMinor, ratePct, months)
  const monthly = new Exact(ratePct).div(1200)
  let left = principalMinor
  return Array.from({ length: months }, (_, month) => {
    const interest = BigInt(monthly.mul(left.toString()).toFixed(0, Decimal.ROUND_HALF_UP))
    const owed = left + interest
    const due = month === months - 1 || owed < instalment ? owed : instalment
    left = owed - due
    return due
  })
}

/**
 * The annual percentage rate of charge, in percent with two decimals: the X for which what is
 * received equals what is paid, each payment discounted by (1 + X)^(−months / 12) (Directive
 * 2008/48/EC, Annex I, with equal months). Null when less than something is received, or less is
 * paid than received.
 */
export function aprcOf(receivedMinor: bigint, paymentsMinor: readonly bigint[]): string | null {
  const paid = paymentsMinor.reduce((sum, payment) => sum + payment, 0n)
  if (receivedMinor <= 0n || paid < receivedMinor) return null
  const received = new Exact(receivedMinor.toString())
  const payments = paymentsMinor.map((payment) => new Exact(payment.toString()))
  // Newton on the monthly discount factor. The sum of discounted payments rises and is convex in
  // it, so from 1 the steps come down to the root and never pass it.
  let factor = new Exact(1)
  for (let step = 0; step < 100; step++) {
    let value = new Exact(0)
    let slope = new Exact(0)
    for (const payment of payments.toReversed()) {
      slope = slope.mul(factor).add(value)
      value = value.mul(factor).add(payment)
    }
    slope = slope.mul(factor).add(value)
    value = value.mul(factor)
    const next = factor.sub(value.sub(received).div(slope))
    if (next.sub(factor).abs().lt('1e-20')) break
    factor = next
  }
  return factor.pow(-12).sub(1).mul(100).toFixed(2, Decimal.ROUND_HALF_UP)
}
