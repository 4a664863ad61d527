/** Matches an amount as people type it, such as `1200` or `12.50`. */
const typedAmount = /^\d+([.,]\d+)?$/

/** Returns whether a text is an amount that a person may type. */
export const isAmount = (text: string): boolean =>
  typedAmount.test(text.trim()) && Number(text.trim().replace(',', '.')) > 0

/** Returns an amount that a person typed in the form that the graph expects. */
export const amountOf = (text: string): string => text.trim().replace(',', '.')
