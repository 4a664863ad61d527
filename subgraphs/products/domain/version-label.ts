const collator = new Intl.Collator('en', { numeric: true })

/**
 * Compares two version labels for sorting, older first. Digits compare as numbers (2026.9 before
 * 2026.10), everything else as text. Different labels never compare as equal.
 */
export function compareVersions(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other))
}
