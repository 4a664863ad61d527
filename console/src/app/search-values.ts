/**
 * Returns a function that reads texts from the query of an address, and ignores everything else in
 * it: `textSearch('after')` reads `?after=…`.
 */
export const textSearch =
  <Name extends string>(...names: readonly Name[]) =>
  (values: Record<string, unknown>): { [Each in Name]?: string } => {
    const texts: { [Each in Name]?: string } = {}
    for (const name of names) {
      const value = values[name]
      if (typeof value === 'string' && value !== '') texts[name] = value
    }
    return texts
  }
