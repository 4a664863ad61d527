import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'

export const lapses = ['perfection', 'insurance', 'revaluation'] as const
/** Something that has to be renewed by a date. */
export type Lapse = (typeof lapses)[number]

interface RunsOut {
  perfection: { expiresOn: LocalDate | null } | null
  insurance: { expiresOn: LocalDate } | null
  valuation: { nextRevaluationDue: LocalDate | null } | null
}

/** The maximum date, which stands for no expiry. */
const lastDay = '9999-12-31'

/**
 * The first day on which each has lapsed: for a revaluation its due date, for the others the day
 * after expiry.
 */
function firstDays({ perfection, insurance, valuation }: RunsOut): Map<Lapse, LocalDate> {
  const days = new Map<Lapse, LocalDate>()
  const endsAfter = (lapse: Lapse, day: LocalDate | null | undefined) => {
    if (day && day < lastDay) days.set(lapse, addDays(day, 1))
  }
  endsAfter('perfection', perfection?.expiresOn)
  endsAfter('insurance', insurance?.expiresOn)
  if (valuation?.nextRevaluationDue) days.set('revaluation', valuation.nextRevaluationDue)
  return days
}

/** The date of the next lapse that was not reported; null if there is none. */
export function nextLapse(of: RunsOut, told: readonly Lapse[]): LocalDate | null {
  const ahead = [...firstDays(of)].filter(([lapse]) => !told.includes(lapse)).map(([, day]) => day)
  return ahead.sort()[0] ?? null
}

/** The lapses up to a date that were not reported. */
export function lapsedBy(of: RunsOut, told: readonly Lapse[], today: LocalDate): Lapse[] {
  const days = firstDays(of)
  return lapses.filter((lapse) => !told.includes(lapse) && (days.get(lapse) ?? '9999-99') <= today)
}
