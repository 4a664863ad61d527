import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { accruedDayOf, type AccrualInputs, type AccruedDay, type Movement } from './accrued-day.ts'
import type { TermsInForce } from './terms.ts'
import { roundUnits, type InterestPosition } from './position.ts'

/** A correction of days that were accrued before. */
export interface Adjustment {
  firstDay: LocalDate
  lastDay: LocalDate
  /** The IDs of the back-dated postings. */
  causedBy: string[]
  /** The exact difference, in accrual units. */
  units: bigint
  /** What the correction adds to the booked interest, in minor units. */
  amountMinor: bigint
}

/**
 * Accrues again the days that back-dated movements changed, from the earliest value date on, with
 * the terms that applied on each day. The difference is added to the interest of the account; paid
 * interest is not changed, so the difference is paid with the next capitalization.
 */
export function adjust(inputs: AccrualInputs): {
  position: InterestPosition
  days: AccruedDay[]
  adjustment: Adjustment | null
} {
  const { position: before, movements, accruedDays, termsOn } = inputs
  const lastDay = before.accruedThrough
  const backDated = movements.filter(({ valueDate }) => valueDate <= lastDay)
  if (backDated.length === 0) return { position: before, days: [], adjustment: null }
  const days: AccruedDay[] = []
  let units = 0n
  const firstDay = firstDayOf(backDated, before.openedOn)
  let daysBeyondLimit = accruedDays.get(addDays(firstDay, -1))?.daysBeyondLimit ?? 0
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
    const stored = accruedDays.get(day)
    const inForce = asAccrued(termsOn(day), stored)
    if (!inForce) continue
    const balanceMinor = (stored?.balanceMinor ?? 0n) + sumUpTo(backDated, day)
    const corrected = accruedDayOf(before.openedOn, day, balanceMinor, inForce, daysBeyondLimit)
    daysBeyondLimit = corrected.daysBeyondLimit
    days.push(corrected)
    units += corrected.units - (stored?.units ?? 0n)
  }
  const balanceMinor = before.balanceMinor + sumUpTo(backDated, lastDay)
  const accruedUnits = before.accruedUnits + units
  const accruedMinor = roundUnits(accruedUnits)
  const position = { ...before, balanceMinor, accruedUnits, accruedMinor, daysBeyondLimit }
  if (units === 0n) return { position, days, adjustment: null }
  const adjustment = {
    firstDay: days[0]!.accruedOn,
    lastDay,
    causedBy: [...new Set(backDated.map(({ postingInstructionId }) => postingInstructionId))],
    units,
    amountMinor: accruedMinor - before.accruedMinor,
  }
  return { position, days, adjustment }
}

/**
 * Returns the terms with which a day was accrued: whether a commitment fee was paused is stored with the
 * day. A day without a limit has no commitment fee, and is not stored.
 */
function asAccrued(
  inForce: TermsInForce | null,
  stored: AccruedDay | undefined,
): TermsInForce | null {
  if (!inForce?.commitment) return inForce
  if (!stored) return null
  return { ...inForce, commitment: { ...inForce.commitment, isPaused: stored.isSuspended } }
}

function firstDayOf(backDated: readonly Movement[], openedOn: LocalDate): LocalDate {
  const dates = backDated.map(({ valueDate }) => valueDate)
  const earliest = dates.reduce((one, other) => (other < one ? other : one))
  return earliest > openedOn ? earliest : openedOn
}

function sumUpTo(movements: readonly Movement[], day: LocalDate): bigint {
  return movements.reduce(
    (sum, { valueDate, amountMinor }) => (valueDate <= day ? sum + amountMinor : sum),
    0n,
  )
}
