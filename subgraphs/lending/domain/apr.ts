import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 34 })
/** Powers are what costs time; the answer has six decimals. */
const Power = Decimal.clone({ precision: 22 })

/**
 * Money that changes hands: what the borrower receives is positive, what is paid negative. Its
 * value today is amount / ((1 + odd · x) · (1 + x)^units), with x the rate of one unit of time.
 */
export interface Flow {
  amount: Decimal
  /** Whole units of time since the first advance; for the EU's rate, years with their fractions. */
  units: Decimal
  /** A part of a unit before them, in which interest is simple (US actuarial method); else 0. */
  odd: Decimal
}

/** Beyond a rate of 10⁷ for one unit of time there is no sense in looking. */
const highestRate = 1e7

/**
 * The rate of one unit of time at which what is received is worth what is paid: null when there is
 * none from 0 to 10⁷. The equation of Directive 2008/48/EC, annex I, part I, and of Regulation Z
 * (12 CFR 1026), appendix J, (b)(8). Found with floating point inside a bracket, to some 12 digits;
 * one step of Newton's method in decimals then makes it some 20.
 */
export function rateOf(flows: readonly Flow[]): Decimal | null {
  const sum = flows.reduce((total, { amount }) => total.plus(amount), new Exact(0))
  if (sum.isZero()) return new Exact(0)
  if (sum.isPositive()) return null
  const plain = flows.map(({ amount, units, odd }) => ({
    amount: amount.toNumber(),
    units: units.toNumber(),
    odd: odd.toNumber(),
  }))
  const high = bracket(plain)
  return high === null ? null : refine(flows, new Exact(solve(plain, high)))
}

type PlainFlow = Record<keyof Flow, number>

/** The value of all flows at a rate, and how it changes with the rate. */
function valueAt(flows: readonly PlainFlow[], rate: number): { value: number; slope: number } {
  let value = 0
  let slope = 0
  for (const { amount, units, odd } of flows) {
    const worth = amount / ((1 + odd * rate) * (1 + rate) ** units)
    value += worth
    slope -= worth * (odd / (1 + odd * rate) + units / (1 + rate))
  }
  return { value, slope }
}

/** A rate at which less is worth paying than is received: the root is below it. */
function bracket(flows: readonly PlainFlow[]): number | null {
  for (let rate = 1 / 64; rate < highestRate; rate *= 2) {
    if (valueAt(flows, rate).value > 0) return rate
  }
  return null
}

/** Newton's method, halving the bracket wherever a step would leave it. */
function solve(flows: readonly PlainFlow[], high: number): number {
  let [low, top] = [0, high]
  let rate = high / 2
  for (let step = 0; step < 200; step++) {
    const { value, slope } = valueAt(flows, rate)
    if (value > 0) top = rate
    else low = rate
    const newton = rate - value / slope
    const next = newton > low && newton < top ? newton : (low + top) / 2
    if (Math.abs(next - rate) <= 1e-15 * (1 + rate)) return next
    rate = next
  }
  return rate
}

function refine(flows: readonly Flow[], rate: Decimal): Decimal {
  const grown = new Power(rate.plus(1))
  const powers = new Map<string, Decimal>()
  const power = (gap: Decimal) => {
    const key = gap.toString()
    const known = powers.get(key)
    if (known) return known
    const computed = grown.pow(gap.neg())
    powers.set(key, computed)
    return computed
  }
  // Discounting from one flow to the one before it: there are few different gaps to raise to.
  let value = new Exact(0)
  let slope = new Exact(0)
  let later: Decimal | null = null
  for (const { amount, units, odd } of flows.toSorted((a, b) => b.units.cmp(a.units))) {
    const gap: Decimal | null = later === null ? null : later.minus(units)
    if (gap && !gap.isZero()) {
      value = value.mul(power(gap))
      slope = slope.mul(power(gap))
    }
    later = units
    const simple = odd.mul(rate).plus(1)
    const worth = amount.div(simple)
    value = value.plus(worth)
    slope = slope.minus(worth.mul(odd.div(simple).plus(units.div(grown))))
  }
  // What is left to the first advance discounts value and slope alike, and cancels.
  return slope.isZero() ? rate : rate.minus(value.div(slope))
}
