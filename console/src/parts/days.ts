const dayMs = 24 * 3600 * 1000

/** Returns the date a number of days before a date: `2026-03-01`, 1 → `2026-02-28`. */
export function dayBefore(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) - days * dayMs).toISOString().slice(0, 10)
}
