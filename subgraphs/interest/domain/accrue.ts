import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { periodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { accruedDayOf, type AccrualInputs, type AccruedDay } from './accrued-day.ts'
import { adjust, type Adjustment } from './adjust.ts'
import { capitalize, type Capitalized } from './capitalize.ts'
import {
  mergeAmounts,
  outstandingOf,
  roundUnits,
  type DatedAmount,
  type InterestPosition,
} from './position.ts'
import type { TermsInForce } from './terms.ts'

/** The new position of an account, and what led to it. */
export interface Accrual {
  position: InterestPosition
  days: AccruedDay[]
  adjustment: Adjustment | null
  /** What the days, without the adjustment, add to the booked interest, in minor units. */
  accruedMinor: bigint
  capitalizations: Capitalized[]
}

/**
 * Accrues the interest of an account through a day. First corrects the days that back-dated
 * movements changed, then adds each further day, and pays the interest at the end of each period.
 * Without new movements and days, nothing changes, so that the same day is never accrued twice.
 */
export function accrue(inputs: AccrualInputs): Accrual {
  const { movements, seenSequence, through, payNow } = inputs
  const adjusted = adjust(inputs)
  const later = movements.filter(({ valueDate }) => valueDate > inputs.position.accruedThrough)
  const ahead = mergeAmounts(inputs.position.ahead, later)
  let position: InterestPosition = { ...adjusted.position, ahead, seenSequence }
  const days = [...adjusted.days]
  const capitalizations: Capitalized[] = []
  let accruedMinor = 0n
  while (position.accruedThrough < through) {
    const day = addDays(position.accruedThrough, 1)
    const inForce = inputs.termsOn(day)
    const added = addDay(position, day, inForce)
    accruedMinor += added.position.accruedMinor - position.accruedMinor
    position = added.position
    days.push(...added.days)
    const nextDay = addDays(day, 1)
    if (!inForce || !inputs.mayPay) continue
    if (periodStartOf(inForce.terms.capitalization, nextDay) !== nextDay) continue
    const paid = capitalize(position, inForce.terms, nextDay, 'calendar', inputs.isExemptOn)
    position = paid.position
    capitalizations.push(...paid.capitalizations)
  }
  const reason = payNow ?? (position.isClosing ? 'closure' : null)
  const inForce = inputs.termsOn(position.accruedThrough)
  if (reason && inForce && inputs.mayPay && outstandingOf(position) !== 0n) {
    const today = addDays(position.accruedThrough, 1)
    const paid = capitalize(position, inForce.terms, today, reason, inputs.isExemptOn)
    position = paid.position
    capitalizations.push(...paid.capitalizations)
  }
  return { position, days, adjustment: adjusted.adjustment, accruedMinor, capitalizations }
}

function addDay(
  before: InterestPosition,
  day: LocalDate,
  inForce: TermsInForce | null,
): { position: InterestPosition; days: AccruedDay[] } {
  const isDue = ({ valueDate }: DatedAmount) => valueDate <= day
  const balanceMinor = before.ahead
    .filter(isDue)
    .reduce((sum, { amountMinor }) => sum + amountMinor, before.balanceMinor)
  const ahead = before.ahead.filter((amount) => !isDue(amount))
  const moved = { ...before, balanceMinor, ahead, accruedThrough: day }
  if (!inForce || balanceMinor === 0n) {
    return { position: { ...moved, daysBeyondLimit: 0 }, days: [] }
  }
  const { openedOn } = before
  const accruedDay = accruedDayOf(openedOn, day, balanceMinor, inForce, before.daysBeyondLimit)
  const { daysBeyondLimit } = accruedDay
  const accruedUnits = before.accruedUnits + accruedDay.units
  const position = {
    ...moved,
    accruedUnits,
    accruedMinor: roundUnits(accruedUnits),
    daysBeyondLimit,
  }
  return { position, days: [accruedDay] }
}
