import type { Recommendation, Reason } from '../model/credit-policy.ts'
import { Decimal } from 'decimal.js'
import { principalReasons, type PrincipalReason } from './reasons.ts'
import type { Terms } from './terms.ts'

/** The version of the rules below. Change it whenever a change to the rules affects results. */
export const policyVersion = 'credit-policy-2026.1'

/**
 * The result of one rule. A single `fail` declines the application. The points are added to the
 * score.
 */
interface Finding {
  rule: string
  result: 'pass' | 'fail' | 'refer'
  points: number
  reason: PrincipalReason
}

/**
 * The figures that the applicant stated; null if not stated. Amounts are per month, in minor units
 * of the currency of the terms.
 */
export interface Applicant {
  incomeMinor: bigint | null
  obligationsMinor: bigint | null
  employedMonths: number | null
}

const startingPoints = 600
/**
 * A score of at least `cutoff` approves the application. A score below `declineBelow` declines it.
 * A score in between refers it to a person.
 */
const cutoff = 620
const declineBelow = 560
const maxReasons = 4

/**
 * Assesses whether the applicant can afford the loan on the terms. One failed rule declines the
 * application. If no rule fails, a missing income or a borderline debt-to-income ratio refers it to
 * a person. Otherwise the score decides. No other data influences the result.
 */
export function decideByPolicy(applicant: Applicant, terms: Terms): Recommendation {
  const burden = burdenOf(applicant, terms)
  const findings = [
    incomeStatedFinding(burden),
    affordabilityFinding(burden),
    debtToIncomeFinding(burden),
    employmentLengthFinding(applicant.employedMonths),
    amountToIncomeFinding(burden),
  ]
  const value = findings.reduce((sum, { points }) => sum + points, startingPoints)
  return {
    outcome: outcomeOf(findings, value),
    policyVersion,
    score: { model: 'affordability-scorecard', version: '1', value, cutoff },
    rules: findings.map(({ rule, result, points }) => ({ rule, result, points })),
    reasons: outcomeOf(findings, value) === 'approve' ? [] : reasonsOf(findings),
  }
}

function outcomeOf(findings: readonly Finding[], value: number): Recommendation['outcome'] {
  if (findings.some(({ result }) => result === 'fail')) return 'decline'
  if (findings.some(({ result }) => result === 'refer')) return 'refer'
  if (value >= cutoff) return 'approve'
  return value < declineBelow ? 'decline' : 'refer'
}

/**
 * Returns the principal reasons against approval, at most four: the reasons of failed rules first,
 * then those of rules that refer to a person, then the rest. Within each group, the rule that lost
 * the most points is first.
 */
function reasonsOf(findings: readonly Finding[]): Reason[] {
  const weight = ({ result, points }: Finding) =>
    (result === 'fail' ? 2000 : result === 'refer' ? 1000 : 0) - points
  const adverseFindings = findings.filter(({ result, points }) => result !== 'pass' || points < 0)
  const byWeight = [...adverseFindings].sort((one, other) => weight(other) - weight(one))
  const codes = [...new Set(byWeight.map(({ reason }) => reason))].slice(0, maxReasons)
  return codes.map((code) => ({ code, text: principalReasons[code] }))
}

/**
 * The figures of an assessment, in minor units. All but `amount` are monthly. `income` is null if
 * not stated; obligations that are not stated count as 0.
 */
interface Burden {
  income: Decimal | null
  obligations: Decimal
  installment: Decimal
  amount: Decimal
}

function burdenOf({ incomeMinor, obligationsMinor }: Applicant, terms: Terms): Burden {
  return {
    income: incomeMinor === null ? null : new Decimal(incomeMinor.toString()),
    obligations: new Decimal((obligationsMinor ?? 0n).toString()),
    installment: monthlyBurden(terms),
    amount: new Decimal(terms.amountMinor.toString()),
  }
}

/**
 * Returns the monthly payment in minor units, not rounded: for a loan of n months at the monthly
 * rate i, the annuity P·i / (1 − (1 + i)^−n); for a limit without a term, 2.5 % of the limit plus
 * one month's interest.
 */
export function monthlyBurden({ amountMinor, termMonths, ratePct }: Terms): Decimal {
  const principal = new Decimal(amountMinor.toString())
  const monthlyRate = new Decimal(ratePct).div(1200)
  if (termMonths === null) return principal.mul(monthlyRate.add('0.025'))
  if (monthlyRate.isZero()) return principal.div(termMonths)
  return principal.mul(monthlyRate).div(new Decimal(1).sub(monthlyRate.add(1).pow(-termMonths)))
}

function incomeStatedFinding({ income }: Burden): Finding {
  const isStated = income?.gt(0) ?? false
  return {
    rule: 'income-stated',
    result: isStated ? 'pass' : 'refer',
    points: 0,
    reason: 'income-unverified',
  }
}

/**
 * Fails if less than a quarter of the income remains after all debt payments. More than half adds
 * points. A missing income is referred to a person.
 */
function affordabilityFinding({ income, obligations, installment }: Burden): Finding {
  const ruleAndReason = { rule: 'affordability', reason: 'income-insufficient' } as const
  if (!income) return { ...ruleAndReason, result: 'refer', points: 0 }
  const remaining = income.sub(obligations).sub(installment)
  return remaining.lt(income.div(4))
    ? { ...ruleAndReason, result: 'fail', points: -120 }
    : { ...ruleAndReason, result: 'pass', points: remaining.gt(income.div(2)) ? 40 : 0 }
}

/**
 * Checks the debt-to-income ratio: up to 40 % passes, above 50 % fails, and in between, or without
 * an income, a person decides.
 */
function debtToIncomeFinding({ income, obligations, installment }: Burden): Finding {
  const ruleAndReason = { rule: 'debt-to-income', reason: 'obligations-excessive' } as const
  if (!income?.gt(0)) return { ...ruleAndReason, result: 'refer', points: 0 }
  const ratio = obligations.add(installment).div(income)
  if (ratio.gt('0.5')) return { ...ruleAndReason, result: 'fail', points: -100 }
  if (ratio.gt('0.4')) return { ...ruleAndReason, result: 'refer', points: -40 }
  return { ...ruleAndReason, result: 'pass', points: ratio.lte('0.2') ? 40 : 20 }
}

/**
 * Fails below three months of employment. Less than one year lowers the score, and a longer time
 * raises it. An unknown length has no effect.
 */
function employmentLengthFinding(months: number | null): Finding {
  const ruleAndReason = { rule: 'employment-length', reason: 'employment-length' } as const
  if (months === null) return { ...ruleAndReason, result: 'pass', points: 0 }
  if (months < 3) return { ...ruleAndReason, result: 'fail', points: -80 }
  if (months < 12) return { ...ruleAndReason, result: 'pass', points: -30 }
  return { ...ruleAndReason, result: 'pass', points: 20 }
}

/**
 * Lowers the score if the amount is more than 1.5 years of income, and raises it if the amount is
 * less than half a year of income. Without an income, a person decides.
 */
function amountToIncomeFinding({ income, amount }: Burden): Finding {
  const ruleAndReason = { rule: 'amount-to-income', reason: 'income-insufficient' } as const
  if (!income?.gt(0)) return { ...ruleAndReason, result: 'refer', points: 0 }
  const yearsOfIncome = amount.div(income.mul(12))
  const points = yearsOfIncome.gt('1.5') ? -60 : yearsOfIncome.lt('0.5') ? 20 : 0
  return { ...ruleAndReason, result: 'pass', points }
}
