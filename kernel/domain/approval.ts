/** What a customer approves. Its data are exactly the lines that the person reads. */
export interface ApprovalRequest {
  /** What is approved, as a heading for the person, such as `Payment`. */
  action: string
  /** The party whose person must approve. */
  partyId: string
  /** The label and the value of each line, such as `Amount` and `12.50 EUR`. */
  lines: readonly (readonly [label: string, value: string])[]
}

/**
 * Returns the canonical text of a request: a JSON array of texts. Two requests have the same text
 * only if all labels and values are the same, because JSON escapes their boundaries.
 */
export function approvalText({ action, partyId, lines }: ApprovalRequest): string {
  return JSON.stringify(['bankgraph approval', '1', action, partyId, ...lines.flat()])
}

/** Returns the lines of a canonical text. */
export function approvalLines(text: string): [label: string, value: string][] {
  const values = (JSON.parse(text) as string[]).slice(4)
  return values.flatMap((label, index) => (index % 2 === 0 ? [[label, values[index + 1]!]] : []))
}
