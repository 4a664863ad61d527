import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { periodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { accruedDayOf, isIdle, type AccrualInputs, type AccruedDay } from './accrued-day.ts'
import { adjust, type Adjustment } from './adjust.ts'
import { capitalize, type Capitalized } from './capitalize.ts'
import {
  mergeAmounts,
  outstandingOf,
  roundUnits,
  type DatedAmount,
  type InterestPosition,
} from './position.ts'
import { RunningTerm, type TermEnd } from './term-end.ts'
import type { TermsInForce } from './terms.ts'

/** The new position of an account, and what led to it. */
export interface Accrual {
  position: InterestPosition
  days: AccruedDay[]
  adjustment: Adjustment | null
  /** What the days, without the adjustment, add to the booked interest, in minor units. */
  accruedMinor: bigint
  capitalizations: Capitalized[]
  /** The term deposits that ended, in their order. */
  termEnds: readonly TermEnd[]
}

/**
 * Accrues the interest of an account through a day. First corrects the days that back-dated
 * movements changed, then adds each further day, pays the interest at the end of each period, and
 * ends term deposits. Without new movements and days, nothing changes, so that the same day is never
 * accrued twice.
 */
export function accrue(inputs: AccrualInputs): Accrual {
  const { movements, seenSequence, through, payNow, isExemptOn, mayPay } = inputs
  const adjusted = adjust(inputs)
  const later = movements.filter(({ valueDate }) => valueDate > inputs.position.accruedThrough)
  const ahead = mergeAmounts(inputs.position.ahead, later)
  let position: InterestPosition = { ...adjusted.position, ahead, seenSequence }
  const days = [...adjusted.days]
  const capitalizations: Capitalized[] = []
  let accruedMinor = 0n
  const term = new RunningTerm(inputs)
  const pay = (paid: { position: InterestPosition; capitalizations: Capitalized[] }) => {
    position = paid.position
    capitalizations.push(...paid.capitalizations)
  }
  pay(term.endIfDue(position))
  while (position.accruedThrough < through) {
    const day = addDays(position.accruedThrough, 1)
    const inForce = term.termsOn(day)
    const added = addDay(position, day, inForce)
    accruedMinor += added.position.accruedMinor - position.accruedMinor
    position = added.position
    days.push(...added.days)
    const nextDay = addDays(day, 1)
    const isPeriodEnd =
      inForce !== null && periodStartOf(inForce.terms.capitalization, nextDay) === nextDay
    if (isPeriodEnd && mayPay) {
      pay(capitalize(position, inForce.terms, nextDay, 'calendar', isExemptOn))
    }
    pay(term.endIfDue(position))
  }
  const reason = payNow ?? (position.isClosing ? 'closure' : null)
  const inForce = term.termsOn(position.accruedThrough)
  if (reason && inForce && mayPay && outstandingOf(position) !== 0n) {
    const today = addDays(position.accruedThrough, 1)
    pay(capitalize(position, inForce.terms, today, reason, isExemptOn))
  }
  const { adjustment } = adjusted
  return { position, days, adjustment, accruedMinor, capitalizations, termEnds: term.ends }
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
  if (!inForce || isIdle(inForce, balanceMinor)) {
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
