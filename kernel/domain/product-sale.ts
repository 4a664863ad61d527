import type { LocalDate } from './dates.ts'

/** What decides when a version of a product is on sale. */
export interface SalePeriod {
  status: string
  effectiveFrom?: LocalDate | null
  effectiveTo?: LocalDate | null
}

/** Whether a version of a product is on sale on a day. */
export function isOnSale(
  { status, effectiveFrom, effectiveTo }: SalePeriod,
  day: LocalDate,
): boolean {
  if (status !== 'active') return false
  return (!effectiveFrom || effectiveFrom <= day) && (!effectiveTo || day <= effectiveTo)
}
