import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { addMonths, toDate, type Day } from '../../../../kernel/domain/day-count.ts'

const Exact = Decimal.clone({ precision: 34 })

/**
 * The time from the first advance to a cash flow. In the US method, `units` are full unit periods
 * and `odd` is the part of a unit period before them. In the EU method, `units` are years with
 * fractions and `odd` is 0.
 */
export interface Elapsed {
  units: Decimal
  odd: Decimal
}

/** A unit period of Regulation Z: a number of months or days, or half a month. */
export interface UnitPeriod {
  kind: 'months' | 'days' | 'semimonth'
  length: number
  perYear: Decimal
}

const zero = new Exact(0)

/**
 * Returns the years from the first advance to each day according to Directive 2008/48/EC, annex I,
 * part I, remark (c). If all cash flows are full months after the first advance, months are
 * counted. Otherwise, if all are full weeks after it, weeks are counted. Otherwise full months are
 * counted back from each cash flow, and the days left before them are divided by the 365 or 366
 * days of the year that ends with these days.
 */
export function yearsFrom(first: Day, days: readonly Day[]): Elapsed[] {
  const areMonths = days.every((day) => completeMonths(first, day) !== null)
  const areWeeks = days.every((day) => (day - first) % 7 === 0)
  return days.map((day) => {
    if (!areMonths && areWeeks) return { units: new Exact(day - first).div(7 * 52), odd: zero }
    return { units: yearsBetween(first, day), odd: zero }
  })
}

function yearsBetween(first: Day, day: Day): Decimal {
  const fullMonths = completeMonths(first, day)
  if (fullMonths !== null) return new Exact(fullMonths).div(12)
  const { months, daysLeft } = backInMonths(first, day)
  const end = first + daysLeft
  const yearLength = end - addMonths(toDate(end), -12)
  return new Exact(months).div(12).plus(new Exact(daysLeft).div(yearLength))
}

/** Returns the number of months between two days if they are full months apart; otherwise null. */
function completeMonths(from: Day, to: Day): number | null {
  const { months, daysLeft } = backInMonths(from, to)
  if (daysLeft === 0) return months
  return addMonths(toDate(from), months + 1) === to ? months + 1 : null
}

/** Counts full months back from `to`. Returns their number and the days left after `from`. */
function backInMonths(from: Day, to: Day): { months: number; daysLeft: number } {
  const date = toDate(to)
  let months = monthNumber(date) - monthNumber(toDate(from))
  if (addMonths(date, -months) < from) months--
  return { months, daysLeft: addMonths(date, -months) - from }
}

function monthNumber(date: LocalDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
}

/**
 * Returns the unit periods from the first advance to each day (Regulation Z, appendix J, (b)(5)).
 */
export function unitPeriodsFrom(
  first: Day,
  days: readonly Day[],
  { kind, length }: UnitPeriod,
): Elapsed[] {
  return days.map((day) => {
    if (kind === 'days') return elapsedOf(0, day - first, length)
    const { months, daysLeft } = backInMonths(first, day)
    if (kind === 'semimonth') return elapsedOf(months * 2, daysLeft, 15)
    const oddDays = (months % length) * 30 + daysLeft
    return elapsedOf(Math.floor(months / length), oddDays, 30 * length)
  })
}

function elapsedOf(units: number, days: number, unitDays: number): Elapsed {
  const oddDays = days % unitDays
  const fullUnits = units + (days - oddDays) / unitDays
  return { units: new Exact(fullUnits), odd: new Exact(oddDays).div(unitDays) }
}

/** Returns the unit period that occurs `perYear` times per year; null if there is none. */
export function unitPeriodWith(perYear: Decimal): UnitPeriod | null {
  const count = perYear.toNumber()
  if (Number.isInteger(12 / count)) return { kind: 'months', length: 12 / count, perYear }
  if (Number.isInteger(52 / count)) return { kind: 'days', length: (52 / count) * 7, perYear }
  if (count === 24) return { kind: 'semimonth', length: 15, perYear }
  return count === 365 ? { kind: 'days', length: 1, perYear } : null
}

/**
 * Returns the unit period of a payment plan: the most common interval between cash flows, at most a
 * year. If two intervals are equally common, it is the shorter one; if all cash flows are on one
 * day, it is a year (Regulation Z, appendix J, (b)(4)).
 */
export function commonUnitPeriod(days: readonly Day[]): UnitPeriod {
  const sorted = [...new Set(days)].toSorted((one, other) => one - other)
  const counts = new Map<string, { count: number; gap: number; unit: UnitPeriod }>()
  for (let place = 1; place < sorted.length; place++) {
    const gap = sorted[place]! - sorted[place - 1]!
    const unit = intervalOf(sorted[place - 1]!, sorted[place]!)
    const key = `${unit.kind} ${unit.length}`
    counts.set(key, { unit, gap, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const [common] = [...counts.values()].toSorted(
    (one, other) => other.count - one.count || one.gap - other.gap,
  )
  return common?.unit ?? monthsUnit(12)
}

function intervalOf(from: Day, to: Day): UnitPeriod {
  const months = completeMonths(from, to)
  const length = to - from
  if (months !== null || length > 365) return monthsUnit(Math.min(months ?? 12, 12))
  const perYear = length % 7 === 0 ? new Exact(364).div(length) : new Exact(365).div(length)
  return { kind: 'days', length, perYear }
}

function monthsUnit(length: number): UnitPeriod {
  return { kind: 'months', length, perYear: new Exact(12).div(length) }
}
