import type { ProfilePartsFragment, Weekday } from './queries.generated.ts'

type StoredHours = ProfilePartsFragment['hours']

/** The opening hours in a form; without intervals, it is always open. */
export interface HoursValues {
  zone: string
  weekly: { day: Weekday; from: string; to: string }[]
  closedOn: string[]
}

export const weekdays: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
]

export const emptyHours: HoursValues = {
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekly: [],
  closedOn: [],
}

export const hoursFrom = (hours: StoredHours): HoursValues =>
  hours
    ? {
        zone: hours.zone,
        weekly: hours.weekly.map(({ day, from, to }) => ({ day, from, to })),
        closedOn: [...hours.closedOn],
      }
    : emptyHours

/** Returns the opening hours as an input has them. */
export const hoursInput = (hours: HoursValues): { hours?: HoursValues } =>
  hours.weekly.length > 0 ? { hours: { ...hours, zone: hours.zone.trim() } } : {}

/** Returns what is not a time of day, by field. */
export const hoursErrors = ({ weekly }: HoursValues): Record<string, string> =>
  Object.fromEntries(
    weekly.flatMap(({ from, to }, index) =>
      [
        ['from', from],
        ['to', to],
      ]
        .filter(([, time]) => !/^([01]\d|2[0-4]):[0-5]\d$/.test(time!))
        .map(([name]) => [`hours.weekly.${index}.${name}`, 'A time such as 09:00.']),
    ),
  )

/** Returns the field of a pointer: `/input/hours/weekly/0/to` → `hours.weekly.0.to`. */
export const fieldOfPath = (pointer: string): string =>
  pointer
    .replace(/^\/(input\/)?/, '')
    .split('/')
    .join('.')
