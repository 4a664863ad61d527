import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 34 })
/** Lower-precision decimals for powers, which take most of the time. Six decimals are needed. */
const Power = Decimal.clone({ precision: 22 })

/**
 * A cash flow. An amount that the borrower receives is positive; an amount that the borrower pays
 * is negative. Its present value is amount / ((1 + odd · x) · (1 + x)^units), where x is the rate
 * per unit of time.
 */
export interface Flow {
  amount: Decimal
  /**
   * The units of time since the first advance: full unit periods (US), or years with fractions
   * (EU).
   */
  units: Decimal
  /**
   * The part of a unit period before the full ones, which bears simple interest (US); 0 for the EU
   * rate.
   */
  odd: Decimal
}

/** The maximum rate per unit of time that is searched for. */
const highestRate = 1e7

/**
 * Returns the rate per unit of time at which the present values of advances and payments are equal;
 * null if there is none from 0 to 10⁷. The equations are those of Directive 2008/48/EC, annex I,
 * part I, and of Regulation Z (12 CFR 1026), appendix J, (b)(8). Floating-point numbers find the
 * rate to about 12 digits; one step of Newton's method with decimals then improves it to about 20
 * digits.
 */
export function rateOf(flows: readonly Flow[]): Decimal | null {
  const sum = flows.reduce((total, { amount }) => total.plus(amount), new Exact(0))
  if (sum.isZero()) return new Exact(0)
  if (sum.isPositive()) return null
  const plainFlows = flows.map(({ amount, units, odd }) => ({
    amount: amount.toNumber(),
    units: units.toNumber(),
    odd: odd.toNumber(),
  }))
  const high = upperBound(plainFlows)
  return high === null ? null : refine(flows, new Exact(solve(plainFlows, high)))
}

type PlainFlow = Record<keyof Flow, number>

/** Returns the present value of all cash flows at a rate, and its derivative. */
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

/**
 * Returns a rate at which the advances are worth more than the payments, so that the solution is
 * below it; null if there is none.
 */
function upperBound(flows: readonly PlainFlow[]): number | null {
  for (let rate = 1 / 64; rate < highestRate; rate *= 2) {
    if (valueAt(flows, rate).value > 0) return rate
  }
  return null
}

/**
 * Solves with Newton's method. If a step would leave the interval that contains the solution, the
 * interval is halved instead.
 */
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
  const growth = new Power(rate.plus(1))
  const powers = new Map<string, Decimal>()
  const power = (gap: Decimal) => {
    const key = gap.toString()
    const cachedPower = powers.get(key)
    if (cachedPower) return cachedPower
    const computed = growth.pow(gap.neg())
    powers.set(key, computed)
    return computed
  }
  // Discounting from each flow to the one before it needs few powers, because most gaps are equal.
  let value = new Exact(0)
  let slope = new Exact(0)
  let laterUnits: Decimal | null = null
  for (const { amount, units, odd } of flows.toSorted((a, b) => b.units.cmp(a.units))) {
    const gap: Decimal | null = laterUnits === null ? null : laterUnits.minus(units)
    if (gap && !gap.isZero()) {
      value = value.mul(power(gap))
      slope = slope.mul(power(gap))
    }
    laterUnits = units
    const simpleGrowth = odd.mul(rate).plus(1)
    const worth = amount.div(simpleGrowth)
    value = value.plus(worth)
    slope = slope.minus(worth.mul(odd.div(simpleGrowth).plus(units.div(growth))))
  }
  // The discount to the first advance is the same for value and slope, so it cancels out.
  return slope.isZero() ? rate : rate.minus(value.div(slope))
}
