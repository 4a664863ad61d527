import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import { agreedTerm, maturityOf, type FixedTerms } from '../../../kernel/domain/fixed-terms.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { capitalize, taxOf, type Capitalized } from './capitalize.ts'
import { mergeAmounts, type InterestPosition } from './position.ts'
import { notEnded, penaltyOf, withDepositRates } from './term-deposit.ts'
import type { TermsByDay, TermsInForce } from './terms.ts'

/** The running term deposit of an account, and what decides how it ends. */
export interface TermInputs {
  deposit: TermDeposit
  /** The terms that the product offers today; null if it offers none. */
  offered: FixedTerms | null
  /** Whether the settlement account can receive money. */
  isPayable: boolean
  /** Returns what every record has, for the deposit of another term. */
  newRecord(): Versioned & Pick<TermDeposit, 'termDepositId'>
}

/** The end of a term deposit: its final state, and the deposit by which it was renewed. */
export interface TermEnd {
  ended: TermDeposit
  renewed: TermDeposit | null
}

interface Ending {
  position: InterestPosition
  capitalizations: Capitalized[]
}

/** What term deposits end by. */
interface RunningTermInputs {
  term: TermInputs | null
  termsOn: TermsByDay
  isExemptOn: (day: LocalDate) => boolean
  mayPay: boolean
}

/**
 * The term deposit of an account while its days are accrued: ends it when it is due, and continues with
 * the deposit by which it is renewed.
 */
export class RunningTerm {
  readonly ends: TermEnd[] = []
  readonly #inputs: RunningTermInputs
  readonly #renewed: TermDeposit[] = []
  #deposit: TermDeposit | null

  constructor(inputs: RunningTermInputs) {
    this.#inputs = inputs
    this.#deposit = inputs.term?.deposit ?? null
  }

  /** Returns the terms of the account on a day, with the rate of a renewed deposit. */
  termsOn(day: LocalDate): TermsInForce | null {
    return withDepositRates(this.#inputs.termsOn, this.#renewed)(day)
  }

  /** Ends the deposit of a position if it ends on the day after the last accrued one, or earlier. */
  endIfDue(position: InterestPosition): Ending {
    const effectiveOn = addDays(position.accruedThrough, 1)
    const deposit = this.#deposit
    const inForce = this.termsOn(position.accruedThrough) ?? this.termsOn(effectiveOn)
    const isDue = deposit !== null && deposit.endsOn <= effectiveOn && this.#inputs.mayPay
    if (!isDue || !inForce) return { position, capitalizations: [] }
    return this.#end(position, deposit, inForce.terms, effectiveOn)
  }

  #end(
    before: InterestPosition,
    deposit: TermDeposit,
    terms: DepositInterest,
    effectiveOn: LocalDate,
  ): Ending {
    const { isExemptOn } = this.#inputs
    const paid = capitalize(before, terms, effectiveOn, 'term-end', isExemptOn)
    const interestMinor = before.accruedMinor - deposit.accruedBeforeMinor
    const isEarly = deposit.endsOn < deposit.maturesOn
    const balanceMinor = balanceOn(paid.position, effectiveOn)
    const tax = isExemptOn(effectiveOn) ? 0n : taxOf(interestMinor, terms.withholdingTaxPct)
    const limits = { netInterestMinor: interestMinor - tax, balanceMinor }
    const penaltyMinor = isEarly ? penaltyOf(deposit, terms, limits) : 0n
    const renewed = isEarly ? null : this.#renew(before, deposit, balanceMinor, effectiveOn)
    const freeMinor = balanceMinor - (renewed?.principalMinor ?? 0n) - penaltyMinor
    const paidOutMinor = this.#inputs.term!.isPayable && freeMinor > 0n ? freeMinor : 0n
    const ended: TermDeposit = {
      ...deposit,
      state: isEarly ? 'withdrawn' : renewed ? 'renewed' : 'matured',
      endedOn: effectiveOn,
      interestMinor,
      penaltyMinor,
      paidOutMinor,
      version: deposit.version + 1,
    }
    this.ends.push({ ended, renewed })
    this.#deposit = renewed
    if (renewed) this.#renewed.push(renewed)
    const amount = { valueDate: effectiveOn, amountMinor: -(paidOutMinor + penaltyMinor) }
    const position = { ...paid.position, ahead: mergeAmounts(paid.position.ahead, [amount]) }
    return { position, capitalizations: paid.capitalizations }
  }

  /** Returns the deposit of another term; null if there is none. */
  #renew(
    { accruedMinor }: InterestPosition,
    deposit: TermDeposit,
    balanceMinor: bigint,
    startsOn: LocalDate,
  ): TermDeposit | null {
    const { maturityInstruction, months } = deposit
    if (maturityInstruction === 'pay-out') return null
    const isWithInterest = maturityInstruction === 'renew-with-interest'
    const isReduced = balanceMinor < deposit.principalMinor
    const principalMinor = isWithInterest || isReduced ? balanceMinor : deposit.principalMinor
    const { offered, newRecord } = this.#inputs.term!
    const term = agreedTerm(offered, months, principalMinor)
    if (!term) return null
    const maturesOn = maturityOf(startsOn, months)
    return {
      ...deposit,
      ...term,
      ...newRecord(),
      state: 'active',
      principalMinor,
      startsOn,
      maturesOn,
      endsOn: maturesOn,
      accruedBeforeMinor: accruedMinor,
      previousTermDepositId: deposit.termDepositId,
      ...notEnded,
    }
  }
}

/** Returns the balance by value date at the beginning of a day, with what is paid on the day. */
export function balanceOn(
  { balanceMinor, ahead }: Pick<InterestPosition, 'balanceMinor' | 'ahead'>,
  day: LocalDate,
): bigint {
  return ahead.reduce(
    (sum, { valueDate, amountMinor }) => (valueDate <= day ? sum + amountMinor : sum),
    balanceMinor,
  )
}
