/**
 * Returns the number of characters of a text: its Unicode code points, as JSON Schema (`maxLength`) and
 * PostgreSQL count them. `length` counts an emoji as two.
 */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Whether a text has at most so many characters. Counts only if its length does not decide. */
export function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && characterCount(text) <= max)
}
