import { addDays, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'

/**
 * When banks settle with each other: the days of TARGET, the settlement system of the euro, which
 * rests on weekends and on these holidays (European Central Bank, "TARGET Services calendar").
 */
const targetHolidays = {
  /** Month and day. */
  fixed: ['01-01', '05-01', '12-25', '12-26'],
  /** Days from Easter Sunday: Good Friday and Easter Monday. */
  fromEaster: [-2, 1],
} as const

/** Whether banks settle on that day. */
export function isBusinessDay(date: LocalDate): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (targetHolidays.fixed.some((day) => day === date.slice(5))) return false
  const easter = easterSunday(Number(date.slice(0, 4)))
  return !targetHolidays.fromEaster.some((days) => addDays(easter, days) === date)
}

/** The first business day after a date. */
export function nextBusinessDay(date: LocalDate): LocalDate {
  const next = addDays(date, 1)
  return isBusinessDay(next) ? next : nextBusinessDay(next)
}

/** The first business day from a date on, that date included. */
export function businessDayFrom(date: LocalDate): LocalDate {
  return isBusinessDay(date) ? date : nextBusinessDay(date)
}

/** The instant of a time of day (UTC, `HH:MM`) on a date. */
export function at(date: LocalDate, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`)
}

/** The first instant after `now` that is at this time of a business day. */
export function nextOnBusinessDay(now: Date, time: string): Date {
  const today = dateOf(now)
  const isAhead = isBusinessDay(today) && at(today, time) > now
  return at(isAhead ? today : nextBusinessDay(today), time)
}

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm, Nature, 20 April 1876). */
export function easterSunday(year: number): LocalDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30
  const leaps = Math.floor(ofCentury / 4)
  const weekday = (32 + 2 * (century % 4) + 2 * leaps - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const march = epact + weekday - 7 * late + 114
  return dateOf(new Date(Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1)))
}
