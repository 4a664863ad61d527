import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'

/**
 * The holidays of TARGET, the settlement system of the euro (European Central Bank, "TARGET
 * Services calendar"). TARGET is also closed on weekends.
 */
const targetHolidays = {
  /** Holidays on the same date each year, as month and day. */
  fixed: ['01-01', '05-01', '12-25', '12-26'],
  /** The offsets of Good Friday and Easter Monday from Easter Sunday, in days. */
  fromEaster: [-2, 1],
} as const

/** Whether a date is a TARGET business day, on which banks settle payments. */
export function isBusinessDay(date: LocalDate): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (targetHolidays.fixed.some((day) => day === date.slice(5))) return false
  const easter = easterSunday(Number(date.slice(0, 4)))
  return !targetHolidays.fromEaster.some((days) => addDays(easter, days) === date)
}

/** Returns the first business day after a date. */
export function nextBusinessDay(date: LocalDate): LocalDate {
  const next = addDays(date, 1)
  return isBusinessDay(next) ? next : nextBusinessDay(next)
}

/** Returns the date itself if it is a business day, otherwise the next business day. */
export function businessDayFrom(date: LocalDate): LocalDate {
  return isBusinessDay(date) ? date : nextBusinessDay(date)
}

/** Returns the instant of a date and a time of day (UTC, `HH:MM`). */
export function instantAt(date: LocalDate, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`)
}

/** Returns the first instant after `now` that is on a business day at the time of day `time`. */
export function nextOnBusinessDay(now: Date, time: string): Date {
  const today = dateOf(now)
  const isAhead = isBusinessDay(today) && instantAt(today, time) > now
  return instantAt(isAhead ? today : nextBusinessDay(today), time)
}

/** Computes Easter Sunday of a year (anonymous Gregorian algorithm, Nature, 20 April 1876). */
export function easterSunday(year: number): LocalDate {
  const cycleYear = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * cycleYear + century - Math.floor(century / 4) - shift + 15) % 30
  const leapYears = Math.floor(yearOfCentury / 4)
  const weekday = (32 + 2 * (century % 4) + 2 * leapYears - epact - (yearOfCentury % 4)) % 7
  const adjustment = Math.floor((cycleYear + 11 * epact + 22 * weekday) / 451)
  const dayOfMarch = epact + weekday - 7 * adjustment + 114
  return dateOf(new Date(Date.UTC(year, Math.floor(dayOfMarch / 31) - 1, (dayOfMarch % 31) + 1)))
}
