/**
 * Words in British spelling and in American spelling. REST bodies, events and rows use the British
 * spelling, for compatibility with the first clients. The graph uses the American spelling.
 */
const spellings = [
  ['instalment', 'installment'],
  ['authorisation', 'authorization'],
  ['capitalise', 'capitalize'],
  ['organisation', 'organization'],
] as const

/**
 * Converts a wire value to the spelling of the graph, such as `reduce-instalment` to
 * `reduce-installment`.
 */
export function americanSpelling(value: string): string {
  return spellings.reduce((text, [british, american]) => text.replace(british, american), value)
}

/** Converts a value of the graph to the spelling of REST bodies, events and rows. */
export function wireSpelling(value: string): string {
  return spellings.reduce((text, [british, american]) => text.replace(american, british), value)
}
