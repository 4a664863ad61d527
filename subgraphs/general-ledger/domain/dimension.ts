import type { GeneralLedgerDimension } from '../model/dimension.ts'

/** A row of the product or the segment `value`; empty if it belongs to none, or to all of them. */
export interface OfValue {
  value: string
}

/** The product or the segment of a report; null for what belongs to none, and for a report of all. */
export interface DimensionMembers {
  productId: string | null
  segment: string | null
}

/** Returns the rows of each value, in the order of the values; those of none are last. */
export function byValue<Row extends OfValue>(rows: readonly Row[]): [string, Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.value) ?? []
    groups.set(row.value, group)
    group.push(row)
  }
  return [...groups].sort(([one], [other]) =>
    one === '' ? 1 : other === '' ? -1 : one < other ? -1 : 1,
  )
}

/** Returns the members of a report that name its product or its segment. */
export function membersOf(by: GeneralLedgerDimension | null, value: string): DimensionMembers {
  return {
    productId: by === 'product' && value !== '' ? value : null,
    segment: by === 'segment' && value !== '' ? value : null,
  }
}
