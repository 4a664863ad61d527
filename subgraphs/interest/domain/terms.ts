import type { LocalDate } from '../../../kernel/domain/dates.ts'
import {
  withFixing,
  depositInterestFromJson,
  type DepositInterest,
  type DepositInterestInJson,
} from '../../../kernel/domain/deposit-interest.ts'
import { fixingKnownOn, type ReferenceRateFact } from '../../../kernel/domain/reference-rate.ts'
import type { OverdraftTermsInJson } from '../../../kernel/domain/overdraft.ts'
import type { RatesInForce } from './overdraft-rates.ts'

/** The published fact of a product: its versions, newest last. */
export interface ProductFact {
  productId: string
  versions: {
    version: string
    status: string
    currencies?: readonly string[]
    effectiveFrom?: LocalDate | null
    effectiveTo?: LocalDate | null
    depositInterest?: DepositInterestInJson
    overdraft?: OverdraftTermsInJson
  }[]
}

/** An approved rate for one account. */
export interface ApprovedRate {
  rateOverrideId: string
  annualRatePct: string
  validFrom: LocalDate
  validTo: LocalDate | null
}

/** The terms that apply to an account on one day. */
export interface TermsInForce {
  terms: DepositInterest
  productVersion: string
  /** The rate override, or the overdraft, that has the rates; null if the product has them. */
  rateId: string | null
  /** The limit of an overdraft; null for interest that an account earns. */
  limit: OverdraftLimit | null
  /** The rates of an overdraft; absent for interest that an account earns, and if none is owed. */
  rates?: RatesInForce
  /** Set if the unused part of a limit is charged, and not the balance. */
  commitment?: Commitment
}

/** A limit whose unused part is charged. */
export interface Commitment {
  limitMinor: bigint
  /** Whether nothing is charged, because the account is blocked for debits. */
  isPaused: boolean
}

/** What decides whether interest of an overdraft is suspended. */
export interface OverdraftLimit {
  limitMinor: bigint
  /** The days in a row beyond the limit after which nothing is accrued; null if that never happens. */
  suspendAfterDays: number | null
}

/** Returns the terms of an account on a day; null if the account earns no interest then. */
export type TermsByDay = (day: LocalDate) => TermsInForce | null

interface Change extends Omit<TermsInForce, 'rateId' | 'limit' | 'rates' | 'commitment'> {
  from: LocalDate
}

/** The statuses of versions that were never on sale. */
const unsoldStatuses = new Set(['draft', 'withdrawn'])

/**
 * Returns the terms of an account by day. The account has the terms of its own product version,
 * until a later version reprices existing accounts. Of several versions, the one with the latest
 * date applies, and of two with the same date the newer one. An approved rate replaces all tiers;
 * of two rates, the one that begins later applies. Rates that follow a reference rate use the fixing
 * that was known on the day.
 */
export function termsByDay(
  product: ProductFact,
  productVersion: string,
  rates: readonly ApprovedRate[],
  referenceRates: ReadonlyMap<string, ReferenceRateFact | null> = new Map(),
): TermsByDay {
  const changes = changesOf(product, productVersion)
  const latestFirst = rates.toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))
  return (day) => {
    const change = changes.findLast(({ from }) => from <= day)
    if (!change) return null
    const { productVersion: version } = change
    const terms = ratedTerms(change.terms, referenceRates, day)
    const rate = latestFirst.find((each) => isValidOn(each, day))
    if (!rate) return { terms, productVersion: version, rateId: null, limit: null }
    const { annualRatePct, rateOverrideId: rateId } = rate
    const tiers = [{ upTo: null, annualRatePct }]
    return { terms: { ...terms, tiers }, productVersion: version, rateId, limit: null }
  }
}

function ratedTerms(
  terms: DepositInterest,
  referenceRates: ReadonlyMap<string, ReferenceRateFact | null>,
  day: LocalDate,
): DepositInterest {
  if (!terms.floatingRate) return terms
  const referenceRate = referenceRates.get(terms.floatingRate.referenceRateId) ?? null
  return withFixing(terms, fixingKnownOn(referenceRate, day)?.ratePct ?? '0')
}

/** Returns the IDs of the reference rates that the interest of a product follows. */
export function referenceRateIdsOf({ versions }: ProductFact): string[] {
  return versions.flatMap(({ depositInterest }) => {
    const { floatingRate } = (depositInterest ?? {}) as Partial<DepositInterest>
    return floatingRate ? [floatingRate.referenceRateId] : []
  })
}

/** Whether the product pays interest on accounts under a version, now or from a day to come. */
export function isInterestBearing(product: ProductFact, productVersion: string): boolean {
  return changesOf(product, productVersion).length > 0
}

/** Whether a period contains a day. A period without a last day has no end. */
export function isValidOn(
  { validFrom, validTo }: { validFrom: LocalDate; validTo: LocalDate | null },
  day: LocalDate,
): boolean {
  return validFrom <= day && (validTo === null || day <= validTo)
}

/** Returns the terms in the order in which they begin to apply to an account under a version. */
function changesOf({ versions }: ProductFact, productVersion: string): Change[] {
  const ownIndex = versions.findIndex(({ version }) => version === productVersion)
  const changes = versions.flatMap(({ version, status, depositInterest }, index): Change[] => {
    if (!depositInterest || index < ownIndex) return []
    const terms = depositInterestFromJson(depositInterest)
    if (index === ownIndex) return [{ from: '0001-01-01', terms, productVersion: version }]
    const from = terms.existingAccountsFrom
    if (from === null || unsoldStatuses.has(status)) return []
    return [{ from, terms, productVersion: version }]
  })
  // The sort is stable, so that of two versions with the same date the newer one is last.
  return changes.sort((one, other) =>
    one.from === other.from ? 0 : one.from < other.from ? -1 : 1,
  )
}
