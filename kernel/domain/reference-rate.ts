import { Decimal } from 'decimal.js'
import { addDays, type LocalDate } from './dates.ts'

/** The value of a reference rate on a day. */
export interface RateFixing {
  fixedOn: LocalDate
  /** The rate in percent per year. It can be negative. */
  ratePct: string
  /** The day on which the value was recorded. A corrected value is a further fixing of its day. */
  recordedOn: LocalDate
}

/** The published fact of a reference rate. Its subject is `reference-rate/<id>`. */
export interface ReferenceRateFact {
  /** For how many days a fixing is used, counted from its own; null until there is a later one. */
  validDays: number | null
  /** In the order of their days, and of the days on which they were recorded. */
  fixings: readonly RateFixing[]
}

/** The lowest and the highest rate that result from a reference rate; null if there is no bound. */
export interface RateBounds {
  minimumRatePct: string | null
  maximumRatePct: string | null
}

/** Returns the subject of the published fact of a reference rate. */
export function referenceRateSubject(referenceRateId: string): string {
  return `reference-rate/${referenceRateId}`
}

/**
 * Returns the fixing that applies on a day: the last one that is not later, as it was corrected.
 * Returns null if there is none, or if it is older than the reference rate allows.
 */
export function fixingOn(rate: ReferenceRateFact | null, day: LocalDate): RateFixing | null {
  const found = rate?.fixings.findLast(({ fixedOn }) => fixedOn <= day)
  if (!found) return null
  const { validDays } = rate!
  return validDays !== null && addDays(found.fixedOn, validDays) <= day ? null : found
}

/**
 * Returns the fixing that was known on a day: the last one of those that were recorded by the end of
 * it. It stays the same when fixings are recorded or corrected later. On days before there was one, the
 * fixing that was recorded first applies. Returns null if there are no fixings.
 */
export function fixingKnownOn(rate: ReferenceRateFact | null, day: LocalDate): RateFixing | null {
  const fixings = rate?.fixings ?? []
  const known = fixings.findLast(({ fixedOn, recordedOn }) => fixedOn <= day && recordedOn <= day)
  if (known) return known
  return fixings.reduce<RateFixing | null>(
    (first, each) => (first === null || each.recordedOn < first.recordedOn ? each : first),
    null,
  )
}

/** Returns a fixing plus a margin, within bounds. */
export function floatingRatePct(
  fixingPct: string,
  marginPct: string,
  { minimumRatePct, maximumRatePct }: RateBounds,
): string {
  const sum = new Decimal(fixingPct).plus(marginPct)
  const raised = minimumRatePct === null ? sum : Decimal.max(sum, minimumRatePct)
  return (maximumRatePct === null ? raised : Decimal.min(raised, maximumRatePct)).toFixed()
}

/** Returns the published fixings with those that were recorded or corrected on a day. */
export function withFixings(
  before: readonly RateFixing[],
  recorded: readonly Omit<RateFixing, 'recordedOn'>[],
  recordedOn: LocalDate,
): RateFixing[] {
  const keyOf = (each: RateFixing) => `${each.fixedOn} ${each.recordedOn}`
  const byKey = new Map(before.map((each) => [keyOf(each), each]))
  for (const { fixedOn, ratePct } of recorded) {
    const fixing = { fixedOn, ratePct, recordedOn }
    byKey.set(keyOf(fixing), fixing)
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, fixing]) => fixing)
}
