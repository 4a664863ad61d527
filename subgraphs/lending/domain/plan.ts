import { mostInstalments } from './loan.ts'
import { roundHalfEven, roundToMultiple, smallest, type Rational } from './rational.ts'
import {
  factorFor,
  interestBase,
  interestOn,
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

/**
 * The equal instalment that repays what is owed by the last due date. With v the discount of one
 * period, what is owed at the running due date is EMI · (1 + v₁ + v₁v₂ + …) + balloon · v₁v₂…, which
 * is EMI = P·Π(1 + rᵢ) / Fₙ solved backwards: the sum stays small, so fixed-point numbers do.
 */
function annuity(run: Run): bigint {
  const factors = factorsAhead(run)
  let annuityFactor = 0n
  let discount = scale
  for (const { num, den } of factors.toReversed()) {
    const grown = den + num
    annuityFactor = ((scale + annuityFactor) * den) / grown
    discount = (discount * den) / grown
  }
  const balloon = balloonOf(run)
  const owedExact =
    (run.balanceMinor + run.carriedMinor - run.settledMinor) * scale + run.accruedExact
  const level = roundHalfEven(owedExact - balloon * discount, scale + annuityFactor)
  return smooth(run, level, factors)
}

/**
 * Rounding leaves the last instalment off the others. When it is off by more than half a minor unit
 * for each instalment, the equal instalment moves by its share of the difference, if that brings
 * the last one nearer (Apache Fineract's progressive loans do the same).
 */
function smooth(run: Run, level: bigint, factors: readonly Rational[]): bigint {
  const count = BigInt(factors.length + 1)
  const difference = lastPayment(run, level, factors) - level
  if (factors.length === 0 || magnitude(difference) <= count / 2n) return level
  const smoothed = level + roundHalfEven(difference, count)
  const remaining = lastPayment(run, smoothed, factors) - smoothed
  return magnitude(remaining) < magnitude(difference) ? smoothed : level
}

function lastPayment(run: Run, level: bigint, factors: readonly Rational[]): bigint {
  let balance = run.balanceMinor
  let interest = unsettled(run) + run.carriedMinor
  for (const factor of factors) {
    balance -= principalOf(level, interest, balance)
    interest = interestOn(run, balance, factor)
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
    balance -= principalOf(level, interest, balance)
    if (!isEqualPrincipal) interest = interestOn(run, balance, factorFor(run, number + 1))
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
