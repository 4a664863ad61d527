/** An operation that the explorer shows when it opens. */
export interface ExploredOperation {
  query: string
  variables: string
}

let chosen: ExploredOperation | null = null

/** The operation that a person chose for the explorer; it is taken once. */
export const explored = {
  choose(text: string, variables: Record<string, unknown>) {
    chosen = { query: text, variables: JSON.stringify(variables, null, 2) }
  },
  take(): ExploredOperation | null {
    const operation = chosen
    chosen = null
    return operation
  },
}
