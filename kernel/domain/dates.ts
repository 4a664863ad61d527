/** A calendar date in the format `YYYY-MM-DD`, without a time or a time zone. */
export type LocalDate = string

const localDatePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/**
 * Whether the text is an existing date of the Gregorian calendar, from 0001-01-01 to 9999-12-31.
 */
export function isLocalDate(text: string): text is LocalDate {
  const parts = localDatePattern.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/**
 * Parses an ISO 8601 date-time with a time zone, to the millisecond; undefined if the text is not
 * valid. A missing time zone, the hour 24, leap seconds and nonexistent dates are not valid.
 */
export function parseDateTime(text: string): Date | undefined {
  const parts = dateTimePattern.exec(text)
  if (!parts || !isLocalDate(parts[1]!)) return undefined
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4])]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const zone = parts[6]!.toUpperCase()
  if (zone !== 'Z' && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59))
    return undefined
  const millis = (parts[5] ?? '').slice(0, 3).padEnd(3, '0')
  const instant = new Date(`${parts[1]}T${parts[2]}:${parts[3]}:${parts[4]}.${millis}${zone}`)
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

/** Returns the number of days in a month. `month` ranges from 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

let lastDay = { dayNumber: Number.NaN, date: '' }

/**
 * Returns the calendar date of an instant in UTC. The last result is cached, because nearly all
 * calls are for the same day.
 */
export function dateOf(instant: Date): LocalDate {
  const dayNumber = Math.floor(instant.getTime() / dayMs)
  if (dayNumber !== lastDay.dayNumber) {
    lastDay = { dayNumber, date: instant.toISOString().slice(0, 10) }
  }
  return lastDay.date
}

let lastInstant = { time: Number.NaN, text: '' }

/**
 * Formats an instant as ISO 8601 in UTC. The last result is cached, because a commit formats the
 * same instant hundreds of times.
 */
export function isoOf(instant: Date): string {
  const time = instant.getTime()
  if (time !== lastInstant.time) lastInstant = { time, text: instant.toISOString() }
  return lastInstant.text
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOf(new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000))
}

/** Returns the instant `ms` milliseconds later; earlier if `ms` is negative. */
export function addMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

export const minuteMs = 60_000
export const dayMs = 86_400_000
