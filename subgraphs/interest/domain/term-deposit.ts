import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import {
  dailyInterest,
  unitsPerMinor,
  type DepositInterest,
} from '../../../kernel/domain/deposit-interest.ts'
import type { Transitions } from '../../../kernel/domain/states.ts'
import type { TermDepositState } from '../model/enumerations.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import type { TermsByDay } from './terms.ts'

export const termDepositTransitions: Transitions<TermDepositState> = {
  active: ['notice-given', 'matured', 'renewed', 'withdrawn'],
  'notice-given': ['withdrawn'],
  matured: [],
  renewed: [],
  withdrawn: [],
}

/** Whether the money of a deposit is still deposited. */
export function isRunning({ state }: Pick<TermDeposit, 'state'>): boolean {
  return termDepositTransitions[state].length > 0
}

/** What a deposit has that has not ended, and of which no notice was given. */
export const notEnded = {
  endedOn: null,
  noticeGivenOn: null,
  waiverReason: null,
  interestMinor: null,
  penaltyMinor: null,
  paidOutMinor: null,
  settlementPostingId: null,
} as const satisfies Partial<TermDeposit>

/** Returns terms by which every balance earns one rate. */
export function atFixedRate(terms: DepositInterest, annualRatePct: string): DepositInterest {
  const { floatingRate: _, ...own } = terms
  return { ...own, tiers: [{ upTo: null, annualRatePct }], minimumBalance: null }
}

/**
 * Returns the terms of an account with the rates of its term deposits. A deposit has its rate until
 * the day on which it was to end, even if it ended later. A rate that the bank approved for the account
 * replaces that of a deposit as well.
 */
export function withDepositRates(
  termsOn: TermsByDay,
  deposits: readonly Pick<TermDeposit, 'startsOn' | 'endsOn' | 'annualRatePct'>[],
): TermsByDay {
  if (deposits.length === 0) return termsOn
  return (day) => {
    const inForce = termsOn(day)
    if (!inForce || inForce.rateId !== null) return inForce
    const deposit = deposits.find(({ startsOn, endsOn }) => startsOn <= day && day < endsOn)
    if (!deposit) return inForce
    return { ...inForce, terms: atFixedRate(inForce.terms, deposit.annualRatePct) }
  }
}

/** What a penalty is limited to, in minor units. */
export interface PenaltyLimits {
  /** The interest of the term after tax, to which it is limited if the principal is protected. */
  netInterestMinor: bigint
  /** The balance of the account. */
  balanceMinor: bigint
}

/**
 * Returns the penalty for a withdrawal before the maturity, in minor units: `penaltyDays` days of
 * interest at the rate of the term, and the interest at `penaltyRatePct` since the first day of the
 * term, both on the principal and until the day on which the deposit was to end. Their sum is rounded
 * down, in favor of the customer.
 */
export function penaltyOf(
  { principalMinor, startsOn, endsOn, annualRatePct, earlyWithdrawal, waiverReason }: TermDeposit,
  terms: DepositInterest,
  { netInterestMinor, balanceMinor }: PenaltyLimits,
): bigint {
  if (earlyWithdrawal === null || waiverReason !== null) return 0n
  const { penaltyDays, penaltyRatePct, isPrincipalProtected } = earlyWithdrawal
  const interestSince = (from: LocalDate, ratePct: string): bigint => {
    const rated = atFixedRate(terms, ratePct)
    let units = 0n
    for (let day = from; day < endsOn; day = addDays(day, 1)) {
      units += dailyInterest(rated, principalMinor, day, from)
    }
    return units
  }
  const units =
    interestSince(addDays(endsOn, -penaltyDays), annualRatePct) +
    interestSince(startsOn, penaltyRatePct)
  const limits = isPrincipalProtected ? [netInterestMinor, balanceMinor] : [balanceMinor]
  const lowest = limits.reduce((one, other) => (one < other ? one : other), units / unitsPerMinor)
  return lowest > 0n ? lowest : 0n
}
