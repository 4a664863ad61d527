/**
 * Whether JSON contains a member with one of these names and a value, at any depth. A value that is
 * encrypted or erased counts, too.
 */
export function hasMember(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, item]) =>
      (item !== null && !Array.isArray(value) && names.has(name)) || hasMember(item, names),
  )
}
