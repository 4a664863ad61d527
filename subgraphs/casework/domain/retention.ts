import type { RetentionClass } from '../model/enumerations.ts'
import { dayMs } from '../../../kernel/domain/dates.ts'

/**
 * The retention periods in years. Where a law is cited, the period follows that law; a bank in
 * another jurisdiction must adapt the period.
 */
const retentionYears: Readonly<Record<RetentionClass, number>> = {
  'short-term': 0.25,
  servicing: 2,
  // FCA DISP 1.9.1R: three years from the receipt of the complaint.
  complaint: 3,
  // Directive (EU) 2015/849, article 40: five years from the end of the business relationship.
  'due-diligence': 5,
  // German HGB section 257 and AO section 147: ten years, the longest period in commercial law.
  contract: 10,
}

/** Returns the end of the retention period that starts at `startsAt`. */
export function eraseAtOf(retentionClass: RetentionClass, startsAt: Date): Date {
  const fullYears = Math.floor(retentionYears[retentionClass])
  const end = new Date(startsAt)
  end.setUTCFullYear(end.getUTCFullYear() + fullYears)
  return new Date(end.getTime() + (retentionYears[retentionClass] - fullYears) * 365 * dayMs)
}
