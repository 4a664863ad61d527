/**
 * A second implementation of deposit interest, written from the sources: fractions with unlimited
 * numerators and denominators, the formulas of the 2006 ISDA Definitions, and whole years of days in an
 * array. It shares no code with the bank.
 *
 * After each day, the interest of every day so far is that of the balance which is known now. What was
 * paid stays paid. The difference is paid with the next payment.
 */

/** A day as year, month and day of the month. */
export type Ymd = readonly [number, number, number]
export interface Fraction {
  n: bigint
  d: bigint
}

const gcd = (a: bigint, b: bigint): bigint => {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y > 0n) [x, y] = [y, x % y]
  return x
}
export function plus(one: Fraction, other: Fraction): Fraction {
  if (one.d === other.d) return { n: one.n + other.n, d: one.d }
  const sum = { n: one.n * other.d + other.n * one.d, d: one.d * other.d }
  const divisor = gcd(sum.n, sum.d)
  return divisor > 1n ? { n: sum.n / divisor, d: sum.d / divisor } : sum
}
export const mul = (one: Fraction, other: Fraction): Fraction => ({
  n: one.n * other.n,
  d: one.d * other.d,
})

/** Half to even, as accountants round: the nearest cent, and of two equally near the even one. */
export function nearest({ n, d }: Fraction): bigint {
  const isNegative = n < 0n
  const size = isNegative ? -n : n
  const whole = size / d
  const rest = size - whole * d
  const up = rest + rest > d || (rest + rest === d && whole % 2n === 1n)
  const rounded = up ? whole + 1n : whole
  return isNegative ? -rounded : rounded
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
export const lengthOf = (year: number, month: number) =>
  month === 2 && isLeap(year) ? 29 : monthLengths[month - 1]!

/** All days of a life, in order. */
export function calendar(first: Ymd, count: number): Ymd[] {
  const days: Ymd[] = []
  let [y, m, d] = first
  while (days.length < count) {
    days.push([y, m, d])
    if (++d > lengthOf(y, m)) {
      d = 1
      if (++m > 12) {
        m = 1
        y++
      }
    }
  }
  return days
}

export interface ModelTerms {
  /** The index of the day from which the terms apply. */
  from: number
  method: 'band' | 'whole-balance'
  /** Upper bounds in cents and rates in percent, as decimal strings. */
  tiers: { upTo: bigint | null; pct: string }[]
  dayCount: 'act-365' | 'act-360' | 'act-act' | 'thirty-360-us' | 'thirty-e-360'
  minimum: bigint
  payEvery: 1 | 3 | 12
  taxPct: bigint
  /** If present, the rates of the tiers are added to the reference rate, within bounds. */
  index?: { lowest: string | null; highest: string | null }
}

/** A value of the reference rate: for a day, and known from a day on, both as indexes. */
export interface ModelFixing {
  on: number
  known: number
  pct: string
}

/** The value for the latest day; of two for the same day, the one that became known later. */
export function fixingAt(fixings: readonly ModelFixing[], day: number): string {
  let best: ModelFixing | null = null
  for (const each of fixings) {
    if (each.on > day || each.known > day) continue
    if (!best || each.on > best.on || (each.on === best.on && each.known > best.known)) best = each
  }
  return best!.pct
}

export const percent = (text: string): Fraction => {
  const negative = text.startsWith('-')
  const [whole, decimals = ''] = text.replace('-', '').split('.')
  const n = BigInt(whole! + decimals)
  return { n: negative ? -n : n, d: 100n * 10n ** BigInt(decimals.length) }
}

/** Section 4.16(f) and (g): ([360 × (Y2 – Y1)] + [30 × (M2 – M1)] + (D2 – D1)) / 360. */
function thirty(from: Ymd, to: Ymd, isEuropean: boolean): number {
  const d1 = from[2] === 31 ? 30 : from[2]
  let d2 = to[2]
  if (d2 === 31 && (isEuropean || d1 > 29)) d2 = 30
  return 360 * (to[0] - from[0]) + 30 * (to[1] - from[1]) + (d2 - d1)
}

/** The part of a year that the night after `day` adds to its interest period. */
export function partOfYear(
  terms: Pick<ModelTerms, 'dayCount'>,
  start: Ymd,
  day: Ymd,
  next: Ymd,
): Fraction {
  switch (terms.dayCount) {
    case 'act-365':
      return { n: 1n, d: 365n }
    case 'act-360':
      return { n: 1n, d: 360n }
    case 'act-act':
      return { n: 1n, d: isLeap(day[0]) ? 366n : 365n }
    case 'thirty-360-us':
    case 'thirty-e-360': {
      const isEuropean = terms.dayCount === 'thirty-e-360'
      return {
        n: BigInt(thirty(start, next, isEuropean) - thirty(start, day, isEuropean)),
        d: 360n,
      }
    }
  }
}

const isLess = (one: Fraction, other: Fraction) => one.n * other.d < other.n * one.d

/** The rate of a tier: its own, or the reference rate plus its own within the bounds. */
function rateOf({ index }: ModelTerms, own: string, fixing: string): Fraction {
  if (!index) return percent(own)
  const sum = plus(percent(fixing), percent(own))
  const lowest = index.lowest === null ? sum : percent(index.lowest)
  const raised = isLess(sum, lowest) ? lowest : sum
  const highest = index.highest === null ? raised : percent(index.highest)
  return isLess(highest, raised) ? highest : raised
}

/** What a balance earns in a year. */
export function yearly(terms: ModelTerms, balance: bigint, fixing: string): Fraction {
  if (balance <= 0n || balance < terms.minimum) return { n: 0n, d: 1n }
  let total: Fraction = { n: 0n, d: 1n }
  let below = 0n
  for (const { upTo, pct } of terms.tiers) {
    const isIn = upTo === null || balance <= upTo
    const whole = terms.method === 'whole-balance'
    const slice = whole ? (isIn ? balance : 0n) : (isIn ? balance : upTo) - below
    total = plus(total, mul({ n: slice, d: 1n }, rateOf(terms, pct, fixing)))
    if (isIn) return total
    below = upTo
  }
  throw new Error('The last tier has no bound.')
}

export interface ModelPayment {
  /** The index of the day on which the interest was paid. */
  on: number
  gross: bigint
  tax: bigint
}

export const isBefore = (one: Ymd, other: Ymd) =>
  one[0] !== other[0]
    ? one[0] < other[0]
    : one[1] !== other[1]
      ? one[1] < other[1]
      : one[2] < other[2]

/** The life of one account, day by day. Amounts are in cents. */
export class ModelAccount {
  readonly payments: ModelPayment[] = []
  /** The balance at the end of each day, as it is known now. */
  readonly #balances: bigint[]
  readonly #earned: Fraction[] = []
  #total: Fraction = { n: 0n, d: 1n }
  #paid = 0n
  readonly days: readonly Ymd[]
  readonly terms: readonly ModelTerms[]
  readonly isExempt: (day: number) => boolean
  readonly fixings: readonly ModelFixing[]

  constructor(
    days: readonly Ymd[],
    terms: readonly ModelTerms[],
    isExempt: (day: number) => boolean,
    fixings: readonly ModelFixing[] = [{ on: 0, known: 0, pct: '0' }],
  ) {
    this.days = days
    this.terms = terms
    this.isExempt = isExempt
    this.fixings = fixings
    this.#balances = days.map(() => 0n)
  }

  get booked(): bigint {
    return nearest(this.#total)
  }
  balanceOn(day: number): bigint {
    return this.#balances[day]!
  }

  /** An amount with the value date `value` becomes known before the end of the current day. */
  post(value: number, cents: bigint): void {
    const first = Math.max(value, 0)
    for (let day = first; day < this.days.length; day++) this.#balances[day]! += cents
    for (let day = first; day < this.#earned.length; day++) {
      const { n, d } = this.#earned[day]!
      this.#earned[day] = this.#interestOf(day)
      this.#total = plus(plus(this.#total, { n: -n, d }), this.#earned[day]!)
    }
  }

  /** The night after the next day. */
  endOfDay(): void {
    const day = this.#earned.length
    const earned = this.#interestOf(day)
    this.#earned.push(earned)
    this.#total = plus(this.#total, earned)
    const terms = this.#termsOn(day)
    const [, month, date] = this.days[day + 1]!
    if (date !== 1 || (month - 1) % terms.payEvery !== 0) return
    const gross = this.booked - this.#paid
    if (gross === 0n) return
    const tax = gross > 0n && !this.isExempt(day + 1) ? (gross * terms.taxPct) / 100n : 0n
    this.#paid += gross
    this.payments.push({ on: day + 1, gross, tax })
    const net = gross - tax
    for (let later = day + 1; later < this.days.length; later++) this.#balances[later]! += net
  }

  #termsOn(day: number): ModelTerms {
    return this.terms.findLast(({ from }) => from <= day)!
  }

  #interestOf(day: number): Fraction {
    const terms = this.#termsOn(day)
    const [year, month] = this.days[day]!
    const first: Ymd = [year, month - ((month - 1) % terms.payEvery), 1]
    const start = isBefore(first, this.days[0]!) ? this.days[0]! : first
    const part = partOfYear(terms, start, this.days[day]!, this.days[day + 1]!)
    const fixing = fixingAt(this.fixings, day)
    return mul(yearly(terms, this.#balances[day]!, fixing), part)
  }
}
