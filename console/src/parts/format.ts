/** An amount as the graph returns it. */
export interface MoneyValue {
  amount: string
  currency: string
}

const locale = navigator.language
const moneyFormats = new Map<string, Intl.NumberFormat>()

/** Formats an amount exactly, in the person's locale: `1234.5` EUR as `€1,234.50`. */
export function formatMoney({ amount, currency }: MoneyValue): string {
  let format = moneyFormats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    moneyFormats.set(currency, format)
  }
  return format.format(amount as Intl.StringNumericLiteral)
}

/** Formats an amount for the axis of a chart: `1234567` EUR as `€1.2M`. */
export const formatShortMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount)

/** Formats a rate in percent as the graph returns it, such as `5.9`. */
export const formatRate = (percent: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }).format(
    Number(percent) / 100,
  )

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const secondsFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })

/** Formats a calendar date such as `2026-01-31`. */
export const formatDate = (date: string): string =>
  dateFormat.format(new Date(`${date.slice(0, 10)}T00:00Z`))

const monthFormat = new Intl.DateTimeFormat(locale, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats the month of a calendar date for the axis of a chart: `2026-01-31` as `Jan 2026`. */
export const formatMonth = (date: string): string => monthFormat.format(new Date(`${date}T00:00Z`))

/** Formats an instant in the person's time zone. */
export const formatTime = (instant: string): string => timeFormat.format(new Date(instant))

/** Formats the time of day of an instant, with seconds. */
export const formatClock = (instant: string): string => secondsFormat.format(new Date(instant))

const abbreviations = new Set(['SMS'])

/** Writes the name of a state or kind as a person reads it: `PENDING_REVIEW` as `Pending review`. */
export function readable(name: string): string {
  if (abbreviations.has(name)) return name
  const words = name.toLowerCase().replace(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const languageNames = new Intl.DisplayNames(locale, { type: 'language' })

/** Writes the name of a language: `en` as `English`. */
export function formatLanguage(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    return tag
  }
}

const distanceFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns the largest unit that a span of seconds fills, and how many of them it has. */
function inUnit(seconds: number): readonly [number, (typeof units)[number][0]] {
  const [unit, length] = units.find((each) => Math.abs(seconds) >= each[1]) ?? units[3]
  return [Math.trunc(seconds / length), unit]
}

/** Formats a time from now: 180000 seconds as `in 2 days`, negative ones as `2 days ago`. */
export const formatDistance = (seconds: number): string => distanceFormat.format(...inUnit(seconds))

/** Formats a span of time: 180000 seconds as `2 days`. */
export function formatSpan(seconds: number): string {
  const [count, unit] = inUnit(seconds)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Formats a span of months: 1 as `1 month`, 12 as `12 months`. */
export const formatMonths = (months: number): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(
    months,
  )

/** Formats the size of a file: 123456 bytes as `123.5 kB`. */
export function formatSize(bytes: number): string {
  const [unit, length] =
    bytes >= 1_000_000 ? (['megabyte', 1_000_000] as const) : (['kilobyte', 1000] as const)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: bytes < 1000 ? 'byte' : unit,
    unitDisplay: bytes < 1000 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes < 1000 ? bytes : bytes / length)
}
