/**
 * A second implementation of overdraft interest, written from the definition: each day costs the
 * arranged rate on what is overdrawn above the interest-free amount and within the limit, and the
 * unarranged rate beyond it, in fractions with unlimited numerators. Each night, everything is computed
 * anew from the first day on with the balances that are known then. It shares no code with the bank.
 */
import { nearest, percent, plus, type Fraction, type Ymd } from '../interest/model.ts'
import { indexedRate, type ModelIndexTerms } from './index-model.ts'

/** An overdraft from one day to another, both inclusive, as indexes of days, in the order of approval. */
export interface ModelOverdraft {
  from: number
  to: number
  limit: bigint
  free: bigint
  arranged: string
  unarranged: string
  index?: ModelIndexTerms
  /** The fixing in force on each day, in percent, with `index`. */
  fixingOn?: (day: number) => string
}

export interface ModelOffer {
  free: bigint
  arranged: string
  unarranged: string
  dayCount: 'act-365' | 'act-360' | 'act-act'
  chargeEvery: 1 | 3 | 12
  suspendAfter: number | null
  index?: ModelIndexTerms
  fixingOn?: (day: number) => string
}

const zero: Fraction = { n: 0n, d: 1n }
const max = (one: bigint, other: bigint) => (one > other ? one : other)
const min = (one: bigint, other: bigint) => (one < other ? one : other)

export class ModelOverdrawnAccount {
  readonly charges: { on: number; amount: bigint }[] = []
  readonly overdrafts: ModelOverdraft[] = []
  /** Amounts by the day of their value. */
  readonly #movements: { value: number; cents: bigint }[] = []
  #nights = 0
  readonly days: readonly Ymd[]
  readonly offer: ModelOffer

  constructor(days: readonly Ymd[], offer: ModelOffer) {
    this.days = days
    this.offer = offer
  }

  post(value: number, cents: bigint): void {
    this.#movements.push({ value, cents })
  }

  balanceOn(day: number): bigint {
    return this.#movements
      .filter(({ value }) => value <= day)
      .reduce((sum, { cents }) => sum + cents, 0n)
  }

  /** What all days that have ended cost. */
  get cost(): Fraction {
    let total = zero
    let balance = 0n
    let daysBeyond = 0
    const sorted = [...this.#movements].sort((one, other) => one.value - other.value)
    for (let day = 0; day < this.#nights; day++) {
      while (sorted[0] && sorted[0].value <= day) balance += sorted.shift()!.cents
      const terms = this.#termsOn(day)
      const owed = max(-balance, 0n)
      daysBeyond = owed > terms.limit ? daysBeyond + 1 : 0
      const { suspendAfter } = this.offer
      if (owed === 0n || (suspendAfter !== null && daysBeyond > suspendAfter)) continue
      const within = max(min(owed, terms.limit) - terms.free, 0n)
      const beyond = max(owed - max(terms.limit, terms.free), 0n)
      const { index, fixingOn } = terms
      const rateOf = (agreed: string) =>
        index ? indexedRate(index, fixingOn!(day), agreed) : percent(agreed)
      const [one, other] = [rateOf(terms.arranged), rateOf(terms.unarranged)]
      const yearly = plus({ n: within * one.n, d: one.d }, { n: beyond * other.n, d: other.d })
      total = plus(total, { n: yearly.n, d: yearly.d * this.#daysInYear(day) })
    }
    return total
  }

  get charged(): bigint {
    return this.charges.reduce((sum, { amount }) => sum + amount, 0n)
  }

  endOfDay(): void {
    this.#nights++
    const [, month, date] = this.days[this.#nights]!
    if (date !== 1 || (month - 1) % this.offer.chargeEvery !== 0) return
    const amount = nearest(this.cost) - this.charged
    if (amount === 0n) return
    this.charges.push({ on: this.#nights, amount })
    this.post(this.#nights, -amount)
  }

  #termsOn(day: number) {
    const known = this.overdrafts.filter(({ from, to }) => from <= day && day <= to)
    const latest = Math.max(...known.map(({ from }) => from))
    return known.findLast(({ from }) => from === latest) ?? { ...this.offer, limit: 0n }
  }

  #daysInYear(day: number): bigint {
    const [year] = this.days[day]!
    if (this.offer.dayCount === 'act-365') return 365n
    if (this.offer.dayCount === 'act-360') return 360n
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
    return isLeap ? 366n : 365n
  }
}
