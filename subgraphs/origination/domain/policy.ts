import { Decimal } from 'decimal.js'
import { principalReasons, type PrincipalReason, type Reason } from './reasons.ts'
import type { Terms } from './terms.ts'

/** Identifies the rules below. Any change of their results needs a new version. */
export const policyVersion = 'credit-policy-2026.1'

export const recommendations = ['approve', 'decline', 'refer'] as const

/** The result of one rule. A `fail` declines by itself; otherwise the points count. */
interface Finding {
  rule: string
  result: 'pass' | 'fail' | 'refer'
  points: number
  reason: PrincipalReason
}

/** The result of a scoring model. */
export interface Score {
  model: string
  version: string | null
  value: number
  cutoff: number | null
}

/** The result of the policy for one application. */
export interface Recommendation {
  outcome: (typeof recommendations)[number]
  policyVersion: string
  score: Score
  rules: readonly Pick<Finding, 'rule' | 'result' | 'points'>[]
  /** The principal reasons against approval, the most important first; empty for an approval. */
  reasons: readonly Reason[]
}

/**
 * The stated figures of the applicant, per month and in minor units of the currency of the terms.
 */
export interface Applicant {
  incomeMinor: bigint | null
  obligationsMinor: bigint | null
  employedMonths: number | null
}

const startingPoints = 600
/**
 * A score at or above `cutoff` approves, one below `declineBelow` declines, and one in between
 * refers.
 */
const cutoff = 620
const declineBelow = 560
const mostReasons = 4

/**
 * Assesses whether the applicant can afford the loan on these terms. One failed rule declines; a
 * rule that lacks data or is borderline refers to a person; otherwise the score decides. No other
 * data influences the result.
 */
export function judge(applicant: Applicant, terms: Terms): Recommendation {
  const burden = burdenOf(applicant, terms)
  const findings = [
    incomeStated(burden),
    affordability(burden),
    debtToIncome(burden),
    employmentLength(applicant.employedMonths),
    amountToIncome(burden),
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
 * The principal reasons against approval: failed rules first, then by lost points; at most four.
 */
function reasonsOf(findings: readonly Finding[]): Reason[] {
  const weight = ({ result, points }: Finding) =>
    (result === 'fail' ? 2000 : result === 'refer' ? 1000 : 0) - points
  const against = findings.filter(({ result, points }) => result !== 'pass' || points < 0)
  const heaviest = [...against].sort((one, other) => weight(other) - weight(one))
  const codes = [...new Set(heaviest.map(({ reason }) => reason))].slice(0, mostReasons)
  return codes.map((code) => ({ code, text: principalReasons[code] }))
}

/** Monthly figures in minor units; null when not stated. */
interface Burden {
  income: Decimal | null
  obligations: Decimal
  instalment: Decimal
  amount: Decimal
}

function burdenOf({ incomeMinor, obligationsMinor }: Applicant, terms: Terms): Burden {
  return {
    income: incomeMinor === null ? null : new Decimal(incomeMinor.toString()),
    obligations: new Decimal((obligationsMinor ?? 0n).toString()),
    instalment: monthlyBurden(terms),
    amount: new Decimal(terms.amountMinor.toString()),
  }
}

/**
 * The annuity P·i / (1 − (1 + i)^−n); for a limit without a term, 2.5 % of the limit plus interest.
 */
export function monthlyBurden({ amountMinor, termMonths, ratePct }: Terms): Decimal {
  const principal = new Decimal(amountMinor.toString())
  const monthly = new Decimal(ratePct).div(1200)
  if (termMonths === null) return principal.mul(monthly.add('0.025'))
  if (monthly.isZero()) return principal.div(termMonths)
  return principal.mul(monthly).div(new Decimal(1).sub(monthly.add(1).pow(-termMonths)))
}

function incomeStated({ income }: Burden): Finding {
  const isStated = income?.gt(0) ?? false
  return {
    rule: 'income-stated',
    result: isStated ? 'pass' : 'refer',
    points: 0,
    reason: 'income-unverified',
  }
}

/** Fails when less than a quarter of the income remains after all debt payments. */
function affordability({ income, obligations, instalment }: Burden): Finding {
  const rule = { rule: 'affordability', reason: 'income-insufficient' } as const
  if (!income) return { ...rule, result: 'refer', points: 0 }
  const left = income.sub(obligations).sub(instalment)
  return left.lt(income.div(4))
    ? { ...rule, result: 'fail', points: -120 }
    : { ...rule, result: 'pass', points: left.gt(income.div(2)) ? 40 : 0 }
}

/** Debt-to-income ratio: passes up to 40 %, fails above 50 %. */
function debtToIncome({ income, obligations, instalment }: Burden): Finding {
  const rule = { rule: 'debt-to-income', reason: 'obligations-excessive' } as const
  if (!income?.gt(0)) return { ...rule, result: 'refer', points: 0 }
  const share = obligations.add(instalment).div(income)
  if (share.gt('0.5')) return { ...rule, result: 'fail', points: -100 }
  if (share.gt('0.4')) return { ...rule, result: 'refer', points: -40 }
  return { ...rule, result: 'pass', points: share.lte('0.2') ? 40 : 20 }
}

/** Fails below three months; below one year, it lowers the score. */
function employmentLength(months: number | null): Finding {
  const rule = { rule: 'employment-length', reason: 'employment-length' } as const
  if (months === null) return { ...rule, result: 'pass', points: 0 }
  if (months < 3) return { ...rule, result: 'fail', points: -80 }
  if (months < 12) return { ...rule, result: 'pass', points: -30 }
  return { ...rule, result: 'pass', points: 20 }
}

/** An amount above 1.5 years of income lowers the score. */
function amountToIncome({ income, amount }: Burden): Finding {
  const rule = { rule: 'amount-to-income', reason: 'income-insufficient' } as const
  if (!income?.gt(0)) return { ...rule, result: 'refer', points: 0 }
  const years = amount.div(income.mul(12))
  return { ...rule, result: 'pass', points: years.gt('1.5') ? -60 : years.lt('0.5') ? 20 : 0 }
}
