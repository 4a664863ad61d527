/** The column of each property name. There are few names, and they are needed for every write. */
const columnNames = new Map<string, string>()

/** Returns the column name of a property name, such as `routing_profile_id` for `routingProfileId`. */
export function columnNameOf(name: string): string {
  const known = columnNames.get(name)
  if (known !== undefined) return known
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(name, column)
  return column
}
