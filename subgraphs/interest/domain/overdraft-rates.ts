import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { FloatingOverdraftRate, OverdraftReset } from '../../../kernel/domain/overdraft.ts'
import {
  floatingRatePct,
  type RateFixing,
  type ReferenceRateFact,
} from '../../../kernel/domain/reference-rate.ts'

/** The rates of an overdraft on one day, in percent per year. */
export interface RatesInForce {
  annualRatePct: string
  unarrangedRatePct: string
  /** What the rates follow from; null if they are fixed. */
  reset: ResetInForce | null
}

/** The reset from which the rates of a day follow. */
export interface ResetInForce {
  /** The reset date; null before the first one for which there was a fixing. */
  resetOn: LocalDate | null
  /** The fixing that was applied; null if there are none. */
  fixing: RateFixing | null
  /** Whether a later reset waits for its fixing. */
  isOverdue: boolean
}

/** Returns the rates of a day: the agreed ones, or the fixing plus the agreed margins within bounds. */
export function ratesOn(
  agreed: {
    annualRatePct: string
    unarrangedRatePct: string
    floatingRate?: FloatingOverdraftRate
  },
  referenceRates: ReadonlyMap<string, ReferenceRateFact | null>,
  day: LocalDate,
): RatesInForce {
  const { annualRatePct, unarrangedRatePct, floatingRate } = agreed
  if (!floatingRate) return { annualRatePct, unarrangedRatePct, reset: null }
  const referenceRate = referenceRates.get(floatingRate.referenceRateId) ?? null
  const reset = resetInForce(referenceRate, floatingRate, day)
  const rated = (marginPct: string) =>
    floatingRatePct(reset.fixing?.ratePct ?? '0', marginPct, floatingRate)
  return { annualRatePct: rated(annualRatePct), unarrangedRatePct: rated(unarrangedRatePct), reset }
}

/**
 * Returns the reset that was in force on a day, from what was recorded by the end of the day. So the
 * rate of a day that has ended never changes.
 *
 * A reset takes the last fixing that is not later than its day less the lookback and that is not too
 * old. If none was recorded by the end of the reset date, the rate stays the same, and the reset
 * follows on the day on which one is. What is recorded or corrected later changes the next reset.
 * Before the first reset with a fixing, the value applies that was the latest when the first fixings
 * were recorded.
 */
function resetInForce(
  rate: ReferenceRateFact | null,
  { resets, lookbackDays }: Pick<FloatingOverdraftRate, 'resets' | 'lookbackDays'>,
  day: LocalDate,
): ResetInForce {
  const { fixings = [], validDays = null } = rate ?? {}
  const latest = resetDateOf(resets, day)
  for (let resetOn = latest; ;) {
    const fixingDay = addDays(resetOn, -lookbackDays)
    const tooOldOn = validDays === null ? null : addDays(fixingDay, -validDays)
    const isUsable = ({ fixedOn }: RateFixing) =>
      fixedOn <= fixingDay && (tooOldOn === null || fixedOn > tooOldOn)
    const fixing = fixingOfReset(fixings, isUsable, resetOn, day)
    if (fixing) return { resetOn, fixing, isOverdue: resetOn < latest }
    const stale = fixings.findLast(
      ({ fixedOn, recordedOn }) => fixedOn <= fixingDay && recordedOn <= day,
    )
    if (!stale) return { resetOn: null, fixing: firstRecorded(fixings), isOverdue: true }
    // The last reset date for which this fixing was not too old.
    resetOn = resetDateOf(resets, addDays(stale.fixedOn, validDays! - 1 + lookbackDays))
  }
}

/** Returns the fixing that was applied by a reset by the end of a day; null if the reset waited. */
function fixingOfReset(
  fixings: readonly RateFixing[],
  isUsable: (fixing: RateFixing) => boolean,
  resetOn: LocalDate,
  day: LocalDate,
): RateFixing | null {
  const usableBy = (end: LocalDate) =>
    fixings.findLast((each) => each.recordedOn <= end && isUsable(each)) ?? null
  const inTime = usableBy(resetOn)
  if (inTime) return inTime
  const late = fixings.filter((each) => each.recordedOn <= day && isUsable(each))
  if (late.length === 0) return null
  return usableBy(earliest(late.map(({ recordedOn }) => recordedOn)))
}

function firstRecorded(fixings: readonly RateFixing[]): RateFixing | null {
  if (fixings.length === 0) return null
  const recordedOn = earliest(fixings.map((each) => each.recordedOn))
  const first = fixings.filter((each) => each.recordedOn === recordedOn)
  return first.findLast(({ fixedOn }) => fixedOn <= recordedOn) ?? first[0]!
}

function earliest(days: readonly LocalDate[]): LocalDate {
  return days.reduce((one, other) => (other < one ? other : one))
}

const monthsOf = { monthly: 1, quarterly: 3, 'semi-annually': 6, annually: 12 } as const

/** Returns the last reset date that is not after a day. */
export function resetDateOf(resets: OverdraftReset, day: LocalDate): LocalDate {
  if (resets === 'daily') return day
  const month = Number(day.slice(5, 7)) - 1
  const firstMonth = month - (month % monthsOf[resets]) + 1
  return `${day.slice(0, 5)}${String(firstMonth).padStart(2, '0')}-01`
}
