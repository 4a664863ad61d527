/** An installment of a schedule that is in force, or of a version or preview of a schedule. */
export interface ScheduledInstallment {
  number: number
  dueDate: string
  payment: string
  interest: string
  principal: string
  balance: string
  status?: 'UPCOMING' | 'DUE' | 'PARTLY_PAID' | 'PAID'
}

/** The three appearances of an installment in the chart. */
export type Phase = 'paid' | 'due' | 'planned'

/** What the chart draws on a due date. Numbers, because charts cannot draw exact decimals. */
export type ScheduleRow = {
  dueDate: string
  number: number | null
  phase: Phase | null
  balance: number | null
  comparedBalance: number | null
} & { [Part in `${'principal' | 'interest'}-${Phase}`]?: number }

/** Returns whether an installment is paid, is due, or lies in the future. */
export function phaseOf({ status }: ScheduledInstallment): Phase {
  if (status === 'PAID') return 'paid'
  return status === 'DUE' || status === 'PARTLY_PAID' ? 'due' : 'planned'
}

/** Returns the rows of the chart, by due date, with the balance of another schedule to compare with. */
export function scheduleRows(
  schedule: readonly ScheduledInstallment[],
  compared: readonly ScheduledInstallment[] = [],
): ScheduleRow[] {
  const rows = new Map<string, ScheduleRow>()
  for (const installment of schedule) {
    const phase = phaseOf(installment)
    const { number, dueDate, balance, principal, interest } = installment
    rows.set(dueDate, {
      dueDate,
      number,
      phase,
      balance: Number(balance),
      comparedBalance: null,
      [`principal-${phase}`]: Math.max(0, Number(principal)),
      [`interest-${phase}`]: Number(interest),
    })
  }
  for (const { dueDate, balance } of compared) {
    const empty = { dueDate, number: null, phase: null, balance: null }
    rows.set(dueDate, { ...(rows.get(dueDate) ?? empty), comparedBalance: Number(balance) })
  }
  return [...rows.values()].sort((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
}
