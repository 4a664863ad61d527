/**
 * Returns the SQL condition that an event type matches one of the patterns of a parameter. Its rules
 * are those of `matchesType`, so change both together.
 */
export const matchesTypeSql = (type: string, patterns: string): string =>
  `exists (select from unnest(${patterns}::text[]) pattern where pattern = ${type} or pattern = '*'
    or (pattern like '%.*' and starts_with(${type}, left(pattern, -1))))`
