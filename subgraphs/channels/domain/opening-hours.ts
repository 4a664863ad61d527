import type { OpeningHours } from '../model/opening-hours.ts'
import { Weekday } from '../model/enumerations.ts'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { invalid } from './medium.ts'

/** The number of days, from today, that are searched for the next opening. */
const maxSearchDays = 15

/**
 * Checks opening hours. Throws VALIDATION_FAILED for an unknown time zone, a malformed time, and an
 * interval that does not end after it starts.
 */
export function requireHours({ zone, weekly }: OpeningHours, pointer: string): void {
  if (!isTimeZone(zone)) {
    throw invalid(
      `${pointer}/zone`,
      'TIME_ZONE_INVALID',
      `${zone} is not a known time zone; send an IANA name such as Europe/Amsterdam.`,
    )
  }
  weekly.forEach(({ from, to }, index) => {
    for (const [name, time, pattern] of [
      ['from', from, /^([01]\d|2[0-3]):[0-5]\d$/],
      ['to', to, /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/],
    ] as const) {
      if (pattern.test(time)) continue
      const detail = `${time} is not a valid time; send HH:MM, such as 09:30.`
      throw invalid(`${pointer}/weekly/${index}/${name}`, 'TIME_INVALID', detail)
    }
    if (from < to) return
    const detail = `\`to\` (${to}) must be after \`from\` (${from}).`
    throw invalid(`${pointer}/weekly/${index}/to`, 'INTERVAL_EMPTY', detail)
  })
}

/** Whether an instant is within the opening hours; always true if `hours` is null. */
export function isOpen(hours: OpeningHours | null, at: Date): boolean {
  if (!hours) return true
  const { date, time, day } = localTime(hours.zone, at)
  if (hours.closedOn.includes(date)) return false
  return hours.weekly.some((each) => each.day === day && time >= each.from && time < each.to)
}

/** Returns the first open instant at or after `at`; null if there is none within two weeks. */
export function opensAt(hours: OpeningHours | null, at: Date): Date | null {
  if (!hours || isOpen(hours, at)) return at
  const today = localTime(hours.zone, at).date
  for (let offset = 0; offset < maxSearchDays; offset++) {
    const date = addDays(today, offset)
    if (hours.closedOn.includes(date)) continue
    const day = weekdayOf(date)
    const starts = hours.weekly.filter((each) => each.day === day).map(({ from }) => from)
    for (const from of starts.toSorted()) {
      const instant = instantOf(hours.zone, date, from)
      if (instant >= at) return instant
    }
  }
  return null
}

function isTimeZone(zone: string): boolean {
  try {
    if (!/^[A-Za-z]/.test(zone)) return false
    Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local date, time and weekday of an instant in a time zone. */
function localTime(zone: string, at: Date): { date: LocalDate; time: string; day: Weekday } {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  return { date, time: `${parts.get('hour')}:${parts.get('minute')}`, day: weekdayOf(date) }
}

function weekdayOf(date: LocalDate): Weekday {
  // getUTCDay counts from Sunday.
  return Weekday.values[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!
}

/**
 * Returns the instant of a local time in a time zone. A local time that a clock change skips has no
 * instant; the result is then up to an hour before or after the change.
 */
function instantOf(zone: string, date: LocalDate, time: string): Date {
  const localMs = Date.parse(`${date}T${time}:00Z`)
  const zoneOffsetMs = (instant: number) => {
    const local = localTime(zone, new Date(instant))
    return Date.parse(`${local.date}T${local.time}:00Z`) - instant
  }
  const estimate = localMs - zoneOffsetMs(localMs)
  return new Date(localMs - zoneOffsetMs(estimate))
}
