import { Lapse } from '../model/enumerations.ts'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'

/** The parts of collateral that have an expiry or due date. */
interface ExpiringParts {
  perfection: { expiresOn: LocalDate | null } | null
  insurance: { expiresOn: LocalDate } | null
  valuation: { nextRevaluationDue: LocalDate | null } | null
}

/** The date that means no expiry. */
const maxDate = '9999-12-31'

/**
 * Returns the first day of each lapse: the due date of a revaluation, and the day after the expiry
 * of a perfection or insurance policy.
 */
function firstDays({ perfection, insurance, valuation }: ExpiringParts): Map<Lapse, LocalDate> {
  const days = new Map<Lapse, LocalDate>()
  const addExpiry = (lapse: Lapse, day: LocalDate | null | undefined) => {
    if (day && day < maxDate) days.set(lapse, addDays(day, 1))
  }
  addExpiry('perfection', perfection?.expiresOn)
  addExpiry('insurance', insurance?.expiresOn)
  if (valuation?.nextRevaluationDue) days.set('revaluation', valuation.nextRevaluationDue)
  return days
}

/** Returns the date of the next lapse that was not reported; null if there is none. */
export function nextLapseDate(parts: ExpiringParts, reported: readonly Lapse[]): LocalDate | null {
  const upcoming = [...firstDays(parts)]
    .filter(([lapse]) => !reported.includes(lapse))
    .map(([, day]) => day)
  return upcoming.sort()[0] ?? null
}

/** Returns the lapses up to and including `today` that were not reported. */
export function unreportedLapses(
  parts: ExpiringParts,
  reported: readonly Lapse[],
  today: LocalDate,
): Lapse[] {
  const days = firstDays(parts)
  return Lapse.values.filter(
    (lapse) => !reported.includes(lapse) && (days.get(lapse) ?? '9999-99') <= today,
  )
}
