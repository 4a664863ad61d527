/**
 * A second implementation of term deposits, written from the contract: fractions with unlimited
 * numerators and denominators, and days by their index. It shares no code with the bank.
 */
import {
  isBefore,
  lengthOf,
  mul,
  nearest,
  partOfYear,
  percent,
  plus,
  yearly,
  type Fraction,
  type ModelTerms,
  type Ymd,
} from './model.ts'

/** What the bank offers: the rates by months, and the agreement on early withdrawals. */
export interface ModelOffer {
  rates: ReadonlyMap<number, string>
  smallest: bigint
  largest: bigint
  early: { notice: number; days: number; pct: string; isProtected: boolean } | null
}

export type Instruction = 'pay-out' | 'renew-principal' | 'renew-with-interest'

interface Deposit {
  principal: bigint
  months: number
  pct: string
  start: number
  matures: number
  ends: number
  instruction: Instruction
  early: ModelOffer['early']
  isWaived: boolean
  bookedBefore: bigint
}

/** How a deposit ended. Amounts are in cents. */
export interface ModelEnd {
  on: number
  state: 'matured' | 'renewed' | 'withdrawn'
  interest: bigint
  penalty: bigint
  paidOut: bigint
}

/** Terms of interest outside of deposits. `payEvery` 0 pays nothing by the calendar. */
export type OutsideTerms = Omit<ModelTerms, 'payEvery' | 'from' | 'index'> & {
  payEvery: 0 | 1 | 3 | 12
}

export class ModelTermAccount {
  readonly ends: ModelEnd[] = []
  balance = 0n
  deposit: Deposit | null = null
  #total: Fraction = { n: 0n, d: 1n }
  #paid = 0n
  readonly days: readonly Ymd[]
  readonly opened: number
  readonly terms: OutsideTerms

  constructor(days: readonly Ymd[], opened: number, terms: OutsideTerms) {
    this.days = days
    this.opened = opened
    this.terms = terms
  }

  get booked(): bigint {
    return nearest(this.#total)
  }

  begin(
    day: number,
    principal: bigint,
    months: number,
    instruction: Instruction,
    offer: ModelOffer,
  ) {
    this.balance += principal
    this.deposit = this.#newDeposit(day, principal, months, instruction, offer)
  }

  /** A notice on a day. Without a waiver, the days of notice pass first. */
  giveNotice(day: number, isWaived: boolean): void {
    const deposit = this.deposit!
    const ends = day + (isWaived ? 0 : deposit.early!.notice)
    deposit.isWaived = isWaived
    if (ends < deposit.matures) deposit.ends = ends
    else deposit.instruction = 'pay-out'
  }

  /** The night after a day, and the morning after it. */
  night(day: number, offer: ModelOffer | null, isPayable: boolean): void {
    const { deposit } = this
    const inTerm = deposit !== null && deposit.start <= day && day < deposit.ends
    const aYear = inTerm
      ? mul({ n: this.balance > 0n ? this.balance : 0n, d: 1n }, percent(deposit.pct))
      : yearly({ ...this.terms, from: 0, payEvery: 1 }, this.balance, '0')
    this.#total = plus(this.#total, mul(aYear, this.#part(this.#periodStart(day), day)))
    const { payEvery } = this.terms
    const [, month, date] = this.days[day + 1]!
    if (payEvery !== 0 && date === 1 && (month - 1) % payEvery === 0) this.#pay()
    this.endIfDue(day + 1, offer, isPayable)
  }

  /** Ends the deposit if its day has come. */
  endIfDue(today: number, offer: ModelOffer | null, isPayable: boolean): void {
    const { deposit } = this
    if (deposit === null || deposit.ends > today) return
    this.#pay()
    const interest = this.booked - deposit.bookedBefore
    const isEarly = deposit.ends < deposit.matures
    const penalty = isEarly ? this.#penalty(deposit, today, interest) : 0n
    const { instruction, months } = deposit
    const again =
      instruction === 'renew-with-interest' || this.balance < deposit.principal
        ? this.balance
        : deposit.principal
    const isRenewed =
      !isEarly &&
      instruction !== 'pay-out' &&
      offer !== null &&
      offer.rates.has(months) &&
      again >= offer.smallest &&
      again <= offer.largest
    const free = this.balance - penalty - (isRenewed ? again : 0n)
    const paidOut = isPayable && free > 0n ? free : 0n
    this.balance -= paidOut + penalty
    const state = isEarly ? 'withdrawn' : isRenewed ? 'renewed' : 'matured'
    this.ends.push({ on: today, state, interest, penalty, paidOut })
    this.deposit = isRenewed ? this.#newDeposit(today, again, months, instruction, offer) : null
  }

  #newDeposit(
    start: number,
    principal: bigint,
    months: number,
    instruction: Instruction,
    { rates, early }: ModelOffer,
  ): Deposit {
    const matures = this.#monthsAfter(start, months)
    const pct = rates.get(months)!
    const bookedBefore = this.booked
    const terms = { principal, months, pct, instruction, early, isWaived: false, bookedBefore }
    return { ...terms, start, matures, ends: matures }
  }

  #monthsAfter(start: number, months: number): number {
    let [year, month] = this.days[start]!
    const date = this.days[start]![2]
    for (let count = 0; count < months; count++) {
      if (++month <= 12) continue
      month = 1
      year++
    }
    const wanted: Ymd = [year, month, Math.min(date, lengthOf(year, month))]
    return this.days.findIndex((day) => day.join() === wanted.join())
  }

  #periodStart(day: number): Ymd {
    const { payEvery } = this.terms
    const opened = this.days[this.opened]!
    if (payEvery === 0) return opened
    const [year, month] = this.days[day]!
    const first: Ymd = [year, month - ((month - 1) % payEvery), 1]
    return isBefore(first, opened) ? opened : first
  }

  #part(start: Ymd, day: number): Fraction {
    return partOfYear(this.terms, start, this.days[day]!, this.days[day + 1]!)
  }

  #pay(): void {
    const gross = this.booked - this.#paid
    const tax = gross > 0n ? (gross * this.terms.taxPct) / 100n : 0n
    this.#paid += gross
    this.balance += gross - tax
  }

  /** Days of interest at the rate of the term, and a lower rate afterwards, in favor of the customer. */
  #penalty({ early, isWaived, principal, pct, start }: Deposit, today: number, interest: bigint) {
    if (isWaived || early === null) return 0n
    const since = (from: number, rate: string) => {
      let sum: Fraction = { n: 0n, d: 1n }
      for (let day = from; day < today; day++) sum = plus(sum, this.#part(this.days[from]!, day))
      return mul(mul({ n: principal, d: 1n }, percent(rate)), sum)
    }
    const { n, d } = plus(since(today - early.days, pct), since(start, early.pct))
    const whole = n / d
    const net = interest - (interest > 0n ? (interest * this.terms.taxPct) / 100n : 0n)
    const limits = [whole, this.balance, ...(early.isProtected ? [net] : [])]
    const least = limits.sort((one, other) => (one < other ? -1 : 1))[0]!
    return least > 0n ? least : 0n
  }
}
