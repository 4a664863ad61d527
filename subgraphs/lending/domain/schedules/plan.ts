import { maxInstallments } from './loan.ts'
import { roundToMultiple, smallest } from './rational.ts'
import { roundHalfEven, type Rational } from '../../../../kernel/domain/rational.ts'
import {
  factorFor,
  interestBase,
  interestOn,
  amountOwed,
  scale,
  unsettledInterest,
  type Recomputation,
  type Plan,
  type Run,
} from './run.ts'

/**
 * Recomputes the remaining installments at the due date of the current one, for all events since
 * the last computation. Returns false if the installment amount must be kept and would never repay
 * the loan.
 */
export function replanInstallments(run: Run): boolean {
  const previousPlan = run.plan
  const recomputations = new Set<Recomputation>(previousPlan ? run.recomputations : ['replan'])
  run.recomputations = []
  for (const recomputation of recomputations) {
    if (recomputation === 'shorten' || recomputation === 'keep') {
      if (!moveLoanEnd(run, run.plan!.levelMinor, recomputation === 'keep')) return false
    } else if (recomputation !== 'reprice' || hasEqualInstallments(run)) run.plan = spread(run)
  }
  // An extra payment lowers the installment, so rounding must not raise it.
  const mayRise = recomputations.has('replan') || recomputations.has('reprice')
  if (previousPlan && !mayRise && run.plan!.levelMinor > previousPlan.levelMinor) {
    run.plan = { ...run.plan!, levelMinor: previousPlan.levelMinor }
  }
  if (run.terms.method === 'flat') run.plan = { ...run.plan!, ...spreadInterest(run) }
  return true
}

/** Returns the plan that spreads the principal over the current and the remaining installments. */
function spread(run: Run): Plan {
  const installmentsLeft = run.lastNumber - run.number + 1
  const { method, multipleMinor } = run.terms
  const noInterest = { interestShareMinor: 0n, interestLeftMinor: 0n }
  if (method === 'interest-only') return { levelMinor: 0n, ...noInterest }
  if (hasEqualInstallments(run)) return { levelMinor: annuity(run), ...noInterest }
  const levelMinor = roundToMultiple(run.balanceMinor, BigInt(installmentsLeft), multipleMinor)
  return { levelMinor, ...noInterest }
}

/**
 * Whether the installments have equal totals. Otherwise their principal parts are equal or zero.
 */
export function hasEqualInstallments({ terms: { method } }: Run): boolean {
  return method === 'annuity' || method === 'balloon'
}

/**
 * Whether an equal installment is in the interest grace period, so that later installments pay its
 * interest.
 */
function defersInterest(run: Run, number: number): boolean {
  return hasEqualInstallments(run) && number <= run.terms.interestGrace
}

/**
 * Returns the part of the accrued and carried-over interest that an equal installment pays. With
 * interest grace the installment amount stays level: in the grace period it repays only principal,
 * and afterwards its interest part never exceeds the installment (as in Apache Fineract's
 * progressive loans).
 */
export function interestPartOf(run: Run, number: number, level: bigint, interest: bigint): bigint {
  if (defersInterest(run, number)) return 0n
  return run.terms.interestGrace > 0 ? smallest(level, interest) : interest
}

/**
 * Returns the equal installment (EMI) that repays the loan by the last due date. With the discount
 * factors vᵢ = 1 / (1 + rᵢ) of the remaining periods, the amount owed at the current due date is
 * EMI · (1 + v₁ + v₁v₂ + …) + balloon · v₁v₂…. This is the formula of Apache Fineract,
 * EMI = P·Π(1 + rᵢ) / Fₙ, solved from the last period to the first, so that the sum stays small and
 * fixed-point numbers suffice. As in Fineract, rᵢ is 0 for periods of interest grace; `smooth` then
 * spreads the deferred interest over all installments.
 */
function annuity(run: Run): bigint {
  const factors = factorsAhead(run)
  let annuityFactor = 0n
  let discount = scale
  for (const [place, { num, den }] of [...factors.entries()].toReversed()) {
    const growth = defersInterest(run, run.number + place + 1) ? den : den + num
    annuityFactor = ((scale + annuityFactor) * den) / growth
    discount = (discount * den) / growth
  }
  const balloon = balloonOf(run)
  const carriedInterest = run.terms.interestGrace > 0 ? 0n : run.carriedMinor
  const accruedExact = run.accruedExact - run.settledMinor * scale
  const owedExact =
    (run.balanceMinor + carriedInterest) * scale +
    (defersInterest(run, run.number) ? 0n : accruedExact)
  const level = roundHalfEven(owedExact - balloon * discount, scale + annuityFactor)
  return smooth(run, level, factors)
}

/**
 * Adjusts the equal installment to reduce the difference that rounding leaves in the last
 * installment. If the difference exceeds half a minor unit per installment, it is spread over all
 * installments, provided that the last one then differs less (as in Apache Fineract's progressive
 * loans). With interest grace, this adjustment is made up to three times, as in Fineract. Over long
 * terms that may not suffice; a binary search then finds the installment.
 */
function smooth(run: Run, level: bigint, factors: readonly Rational[]): bigint {
  const count = BigInt(factors.length + 1)
  const hasGrace = run.terms.interestGrace > 0
  const differenceOf = (amount: bigint) => lastPayment(run, amount, factors) - amount
  let smoothed = level
  let difference = differenceOf(level)
  const isCloseEnough = () => factors.length === 0 || magnitude(difference) <= count / 2n
  for (let round = 0; round < (hasGrace ? 3 : 1) && !isCloseEnough(); round++) {
    const next = smoothed + roundHalfEven(difference, count)
    const remaining = differenceOf(next)
    if (magnitude(remaining) >= magnitude(difference)) break
    smoothed = next
    difference = remaining
  }
  return hasGrace && !isCloseEnough() ? nearestLevel(differenceOf, amountOwed(run)) : smoothed
}

/**
 * Finds the installment amount, up to a maximum, from which the last installment differs least. A
 * higher amount makes the last installment smaller, so a binary search is possible.
 */
function nearestLevel(differenceOf: (amount: bigint) => bigint, max: bigint): bigint {
  let [low, high] = [0n, max]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (differenceOf(middle) > 0n) low = middle
    else high = middle
  }
  return magnitude(differenceOf(low)) < magnitude(differenceOf(high)) ? low : high
}

function lastPayment(run: Run, level: bigint, factors: readonly Rational[]): bigint {
  let balance = run.balanceMinor
  let interest = unsettledInterest(run) + run.carriedMinor
  for (const [place, factor] of factors.entries()) {
    const paid = interestPartOf(run, run.number + place, level, interest)
    balance -= principalOf(level, paid, balance)
    interest += interestOn(run, balance, factor) - paid
  }
  return balance + interest - balloonOf(run)
}

/**
 * Returns the principal that an equal installment repays: at least zero and at most the outstanding
 * principal.
 */
export function principalOf(level: bigint, interest: bigint, balance: bigint): bigint {
  return level <= interest ? 0n : smallest(level - interest, balance)
}

/** Returns the balloon amount, limited to the outstanding principal. */
function balloonOf(run: Run): bigint {
  return smallest(run.terms.balloonMinor, run.balanceMinor)
}

/**
 * Keeps the installment amount and moves the end of the loan to the installment that repays
 * everything. If `mayGrow` is set, the loan can become longer. The end of an interest-only loan
 * does not move. Returns false if `mayGrow` is set and the loan is still not repaid within the
 * maximum number of installments.
 */
function moveLoanEnd(run: Run, level: bigint, mayGrow: boolean): boolean {
  const maxNumber = mayGrow ? maxInstallments : run.lastNumber
  if (run.terms.method === 'interest-only') return true
  const isEqualPrincipal = !hasEqualInstallments(run)
  const lastAmount = level + balloonOf(run)
  let balance = run.balanceMinor
  let interest = isEqualPrincipal ? 0n : unsettledInterest(run) + run.carriedMinor
  for (let number = run.number; number <= maxNumber; number++) {
    if (balance + interest <= lastAmount) {
      run.lastNumber = number
      return true
    }
    const paid = interestPartOf(run, number, level, interest)
    balance -= principalOf(level, paid, balance)
    if (!isEqualPrincipal) {
      interest += interestOn(run, balance, factorFor(run, number + 1)) - paid
    }
  }
  return !mayGrow
}

/**
 * Divides the interest that a flat loan bears for the rest of its term into equal parts. Interest
 * already paid was rounded, so it can exceed the exact total; the rest is then zero.
 */
function spreadInterest(run: Run): Omit<Plan, 'levelMinor'> {
  let exactInterest = run.accruedExact - run.settledMinor * scale
  for (const { num, den } of factorsAhead(run)) {
    exactInterest += (interestBase(run) * num * scale) / den
  }
  const { multipleMinor } = run.terms
  const exactLeft = exactInterest > 0n ? exactInterest : 0n
  const interestLeftMinor = roundToMultiple(exactLeft, scale, multipleMinor)
  const installmentsLeft = BigInt(run.lastNumber - run.number + 1)
  return {
    interestLeftMinor,
    interestShareMinor: roundToMultiple(interestLeftMinor, installmentsLeft, multipleMinor),
  }
}

function factorsAhead(run: Run): Rational[] {
  const factors: Rational[] = []
  for (let number = run.number + 1; number <= run.lastNumber; number++) {
    factors.push(factorFor(run, number))
  }
  return factors
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
