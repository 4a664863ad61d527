import type { Condition, Acceptance } from '../model/loan-terms.ts'
import type { Terms } from '../domain/terms.ts'

/** Converts terms from a JSON column, where minor units are stored as text. */
export function termsFromJson(value: unknown): Terms | null {
  if (value === null) return null
  const terms = value as Omit<Terms, 'amountMinor'> & { amountMinor: string }
  return { ...terms, amountMinor: BigInt(terms.amountMinor) }
}

export function conditionsFromJson(value: unknown): Condition[] {
  const conditions = value as (Omit<Condition, 'at'> & { at: string | null })[]
  return conditions.map((condition) => ({
    ...condition,
    at: condition.at ? new Date(condition.at) : null,
  }))
}

export function acceptancesFromJson(value: unknown): Acceptance[] {
  const acceptances = value as (Omit<Acceptance, 'acceptedAt' | 'recordedAt'> & {
    acceptedAt: string
    recordedAt: string
  })[]
  return acceptances.map((acceptance) => ({
    ...acceptance,
    acceptedAt: new Date(acceptance.acceptedAt),
    recordedAt: new Date(acceptance.recordedAt),
  }))
}
