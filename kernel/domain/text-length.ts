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

/** Returns a text, or the beginning of one that has more than `max` characters, with an ellipsis. */
export function shortened(max: number, text: string): string {
  if (hasAtMost(max, text)) return text
  // The text can be much longer; what is kept has at most two code units for each character.
  const beginning = Array.from(text.slice(0, 2 * max)).slice(0, max - 1)
  return `${beginning.join('').toWellFormed()}…`
}
