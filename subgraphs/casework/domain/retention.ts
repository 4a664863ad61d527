import { dayMs } from '../../_kernel/domain/dates.ts'

export const retentionClasses = [
  'short-term',
  'servicing',
  'complaint',
  'due-diligence',
  'contract',
] as const
/** Why a document is kept, which says for how long. */
export type RetentionClass = (typeof retentionClasses)[number]

/** Years from the end of the matter; a bank configures its own law's. */
const years: Readonly<Record<RetentionClass, number>> = {
  'short-term': 0.25,
  servicing: 2,
  // FCA DISP 1.9.1R: three years from the day a complaint came in.
  complaint: 3,
  // Directive (EU) 2015/849, article 40: five years from the end of the relation.
  'due-diligence': 5,
  // German HGB section 257 and AO section 147: ten years, the longest of the commercial codes.
  contract: 10,
}

/** When a document of a class may no longer be kept, counted from the end of its matter. */
export function eraseAtOf(retentionClass: RetentionClass, startsAt: Date): Date {
  const wholeYears = Math.floor(years[retentionClass])
  const end = new Date(startsAt)
  end.setUTCFullYear(end.getUTCFullYear() + wholeYears)
  return new Date(end.getTime() + (years[retentionClass] - wholeYears) * 365 * dayMs)
}
