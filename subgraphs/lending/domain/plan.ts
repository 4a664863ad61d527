import { mostInstalments } from './loan.ts'
import { roundHalfEven, roundToMultiple, smallest, type Rational } from './rational.ts'
import {
  factorFor,
  interestBase,
  interestOn,
  owed,
  scale,
  unsettled,
  type Cause,
  type Plan,
  type Run,
} from './run.ts'

/**
 * Works the instalments ahead out again, at the due date of the running one, for everything that
 * happened since they were. Answers false when an instalment that is to be kept never repays.
 */
export function plan(run: Run): boolean {
  const before = run.plan
  const causes = new Set<Cause>(before ? run.causes : ['replan'])
  run.causes = []
  for (const cause of causes) {
    if (cause === 'shorten' || cause === 'keep') {
      if (!float(run, run.plan!.levelMinor, cause === 'keep')) return false
    } else if (cause !== 'reprice' || isEqualInstalment(run)) run.plan = spread(run)
  }
  // A payment that is to lower the instalment does not raise it by a rounding.
  const mayRise = causes.has('replan') || causes.has('reprice')
  if (before && !mayRise && run.plan!.levelMinor > before.levelMinor) {
    run.plan = { ...run.plan!, levelMinor: before.levelMinor }
  }
  if (run.terms.method === 'flat') run.plan = { ...run.plan!, ...spreadInterest(run) }
  return true
}

/** Spreads what is owed over the running instalment and those after it. */
function spread(run: Run): Plan {
  const left = run.last - run.number + 1
  const { method, multipleMinor } = run.terms
  const noInterest = { interestShareMinor: 0n, interestLeftMinor: 0n }
  if (method === 'interest-only') return { levelMinor: 0n, ...noInterest }
  if (isEqualInstalment(run)) return { levelMinor: annuity(run), ...noInterest }
  const levelMinor = roundToMultiple(run.balanceMinor, BigInt(left), multipleMinor)
  return { levelMinor, ...noInterest }
}

/** Whether interest and principal together are equal; else the principal is, or there is none. */
export function isEqualInstalment({ terms: { method } }: Run): boolean {
  return method === 'annuity' || method === 'balloon'
}

/** Whether an installment defers its interest as part of the installments that follow. */
function defersInterest(run: Run, number: number): boolean {
  return isEqualInstalment(run) && number <= run.terms.interestGrace
}

/**
 * The interest that an equal installment pays, of what has accrued and was carried to it. With
 * interest grace the amount stays level: it is all principal during the grace period, and deferred
 * interest never takes more than the installment (as in Apache Fineract's progressive loans).
 */
export function interestWithin(run: Run, number: number, level: bigint, interest: bigint): bigint {
  if (defersInterest(run, number)) return 0n
  return run.terms.interestGrace > 0 ? smallest(level, interest) : interest
}

/**
 * The equal instalment that repays what is owed by the last due date. With v the discount of one
 * period, what is owed at the running due date is EMI · (1 + v₁ + v₁v₂ + …) + balloon · v₁v₂…, which
 * is EMI = P·Π(1 + rᵢ) / Fₙ solved backwards: the sum stays small, so fixed-point numbers do.
 * Like Apache Fineract, it starts from rᵢ = 0 for periods of interest grace; `smooth` then spreads
 * the deferred interest over all installments.
 */
function annuity(run: Run): bigint {
  const factors = factorsAhead(run)
  let annuityFactor = 0n
  let discount = scale
  for (const [place, { num, den }] of [...factors.entries()].toReversed()) {
    const grown = defersInterest(run, run.number + place + 1) ? den : den + num
    annuityFactor = ((scale + annuityFactor) * den) / grown
    discount = (discount * den) / grown
  }
  const balloon = balloonOf(run)
  const carried = run.terms.interestGrace > 0 ? 0n : run.carriedMinor
  const accruedExact = run.accruedExact - run.settledMinor * scale
  const owedExact =
    (run.balanceMinor + carried) * scale + (defersInterest(run, run.number) ? 0n : accruedExact)
  const level = roundHalfEven(owedExact - balloon * discount, scale + annuityFactor)
  return smooth(run, level, factors)
}

/**
 * Rounding leaves the last instalment off the others. When it is off by more than half a minor unit
 * for each instalment, the equal instalment moves by its share of the difference, if that brings
 * the last one nearer (Apache Fineract's progressive loans do the same). With interest grace there
 * are up to three rounds, as in Fineract; where they do not converge, in long terms, the level
 * installment is searched for.
 */
function smooth(run: Run, level: bigint, factors: readonly Rational[]): bigint {
  const count = BigInt(factors.length + 1)
  const hasGrace = run.terms.interestGrace > 0
  const differenceOf = (amount: bigint) => lastPayment(run, amount, factors) - amount
  let smoothed = level
  let difference = differenceOf(level)
  const isLevel = () => factors.length === 0 || magnitude(difference) <= count / 2n
  for (let round = 0; round < (hasGrace ? 3 : 1) && !isLevel(); round++) {
    const next = smoothed + roundHalfEven(difference, count)
    const remaining = differenceOf(next)
    if (magnitude(remaining) >= magnitude(difference)) break
    smoothed = next
    difference = remaining
  }
  return hasGrace && !isLevel() ? nearestLevel(differenceOf, owed(run)) : smoothed
}

/** The amount up to a maximum whose last installment is nearest to it: the higher it is, the less is left. */
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
  let interest = unsettled(run) + run.carriedMinor
  for (const [place, factor] of factors.entries()) {
    const paid = interestWithin(run, run.number + place, level, interest)
    balance -= principalOf(level, paid, balance)
    interest += interestOn(run, balance, factor) - paid
  }
  return balance + interest - balloonOf(run)
}

/** What an equal instalment repays: never less than nothing, never more than is there. */
export function principalOf(level: bigint, interest: bigint, balance: bigint): bigint {
  return level <= interest ? 0n : smallest(level - interest, balance)
}

/** What is left for the end, and no more than is owed. */
function balloonOf(run: Run): bigint {
  return smallest(run.terms.balloonMinor, run.balanceMinor)
}

/** Sets the last instalment to the one with which a kept instalment has repaid everything. */
function float(run: Run, level: bigint, mayGrow: boolean): boolean {
  const limit = mayGrow ? mostInstalments : run.last
  if (run.terms.method === 'interest-only') return true
  const isEqualPrincipal = !isEqualInstalment(run)
  const atTheEnd = level + balloonOf(run)
  let balance = run.balanceMinor
  let interest = isEqualPrincipal ? 0n : unsettled(run) + run.carriedMinor
  for (let number = run.number; number <= limit; number++) {
    if (balance + interest <= atTheEnd) {
      run.last = number
      return true
    }
    const paid = interestWithin(run, number, level, interest)
    balance -= principalOf(level, paid, balance)
    if (!isEqualPrincipal) {
      interest += interestOn(run, balance, factorFor(run, number + 1)) - paid
    }
  }
  return !mayGrow
}

/** A flat loan's interest for the rest of its term, in equal parts. What was paid to date was rounded, and may be all of it. */
function spreadInterest(run: Run): Omit<Plan, 'levelMinor'> {
  let exact = run.accruedExact - run.settledMinor * scale
  for (const { num, den } of factorsAhead(run)) exact += (interestBase(run) * num * scale) / den
  const { multipleMinor } = run.terms
  const interestLeftMinor = roundToMultiple(exact > 0n ? exact : 0n, scale, multipleMinor)
  const left = BigInt(run.last - run.number + 1)
  return {
    interestLeftMinor,
    interestShareMinor: roundToMultiple(interestLeftMinor, left, multipleMinor),
  }
}

function factorsAhead(run: Run): Rational[] {
  const factors: Rational[] = []
  for (let number = run.number + 1; number <= run.last; number++) {
    factors.push(factorFor(run, number))
  }
  return factors
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
