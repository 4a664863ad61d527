import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import { invalid } from './medium.ts'

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof weekdays)[number]

/** From one time to another of a weekday, `HH:MM`; the last minute is outside, `24:00` is the end of the day. */
export interface OpenInterval {
  day: Weekday
  from: string
  to: string
}

/** When somebody is there, on the clock of an IANA time zone. */
export interface OpeningHours {
  zone: string
  weekly: readonly OpenInterval[]
  /** Days on which nobody is, whatever the weekday. */
  closedOn: readonly LocalDate[]
}

const searchedDays = 15

/**
 * Refuses with VALIDATION_FAILED an unknown time zone, times that are none, and an interval that
 * does not end after it begins.
 */
export function requireHours({ zone, weekly }: OpeningHours, pointer: string): void {
  if (!isTimeZone(zone)) {
    throw invalid(
      `${pointer}/zone`,
      'TIME_ZONE_INVALID',
      'An IANA time zone such as Europe/Amsterdam.',
    )
  }
  weekly.forEach(({ from, to }, at) => {
    for (const [name, time, form] of [
      ['from', from, /^([01]\d|2[0-3]):[0-5]\d$/],
      ['to', to, /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/],
    ] as const) {
      if (form.test(time)) continue
      throw invalid(`${pointer}/weekly/${at}/${name}`, 'TIME_INVALID', 'A time such as 09:30.')
    }
    if (from < to) return
    throw invalid(`${pointer}/weekly/${at}/to`, 'INTERVAL_EMPTY', 'It ends after it begins.')
  })
}

/** Whether somebody is there at an instant; without hours always. */
export function isOpen(hours: OpeningHours | null, at: Date): boolean {
  if (!hours) return true
  const { date, time, day } = localTime(hours.zone, at)
  if (hours.closedOn.includes(date)) return false
  return hours.weekly.some((each) => each.day === day && time >= each.from && time < each.to)
}

/** The first instant from `at` on when somebody is there; null when there is none in two weeks. */
export function opensAt(hours: OpeningHours | null, at: Date): Date | null {
  if (!hours || isOpen(hours, at)) return at
  const today = localTime(hours.zone, at).date
  for (let ahead = 0; ahead < searchedDays; ahead++) {
    const date = addDays(today, ahead)
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

/** What the clocks of a zone show. */
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
  return weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!
}

/** The instant at which the clocks of a zone show a time; of a time that a clock skips, the one after. */
function instantOf(zone: string, date: LocalDate, time: string): Date {
  const wanted = Date.parse(`${date}T${time}:00Z`)
  const aheadMs = (instant: number) => {
    const shown = localTime(zone, new Date(instant))
    return Date.parse(`${shown.date}T${shown.time}:00Z`) - instant
  }
  const first = wanted - aheadMs(wanted)
  return new Date(wanted - aheadMs(first))
}
