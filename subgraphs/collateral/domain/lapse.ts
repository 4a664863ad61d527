import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'

export const lapses = ['perfection', 'insurance', 'revaluation'] as const
/** What runs out unless somebody renews it. */
export type Lapse = (typeof lapses)[number]

interface RunsOut {
  perfection: { expiresOn: LocalDate | null } | null
  insurance: { expiresOn: LocalDate } | null
  valuation: { nextRevaluationDue: LocalDate | null } | null
}

/** The last day there is: what is good on it never runs out. */
const lastDay = '9999-12-31'

/** The first day on which each is not good any more. A valuation is due on its day, the others end after theirs. */
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

/** When something runs out next of which nobody was told; null when nothing does. */
export function nextLapse(of: RunsOut, told: readonly Lapse[]): LocalDate | null {
  const ahead = [...firstDays(of)].filter(([lapse]) => !told.includes(lapse)).map(([, day]) => day)
  return ahead.sort()[0] ?? null
}

/** What has run out by a day of which nobody was told. */
export function lapsedBy(of: RunsOut, told: readonly Lapse[], today: LocalDate): Lapse[] {
  const days = firstDays(of)
  return lapses.filter((lapse) => !told.includes(lapse) && (days.get(lapse) ?? '9999-99') <= today)
}
