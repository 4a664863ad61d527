import { dayMs } from '../../_kernel/domain/dates.ts'

export const retentionClasses = [
  'short-term',
  'servicing',
  'complaint',
  'due-diligence',
  'contract',
] as const
/** The reason a document is retained, which determines for how long. */
export type RetentionClass = (typeof retentionClasses)[number]

/**
 * Retention in years from the end of the matter. The defaults follow the cited laws; a bank
 * configures those of its own jurisdiction.
 */
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

/** The end of the retention period that starts at `startsAt`. */
export function eraseAtOf(retentionClass: RetentionClass, startsAt: Date): Date {
  const wholeYears = Math.floor(years[retentionClass])
  const end = new Date(startsAt)
  end.setUTCFullYear(end.getUTCFullYear() + wholeYears)
  return new Date(end.getTime() + (years[retentionClass] - wholeYears) * 365 * dayMs)
}
