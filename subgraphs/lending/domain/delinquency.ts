import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { dueParts, type Due } from './allocation.ts'
import { toDay } from './calendar.ts'

/**
 * How late a loan is: `past-due` from the first day, `increased-risk` from 30 days (IFRS 9, 5.5.11)
 * and `default` from 90 (Regulation (EU) 575/2013, article 178).
 */
export const delinquencyStages = ['current', 'past-due', 'increased-risk', 'default'] as const
export type DelinquencyStage = (typeof delinquencyStages)[number]

export interface Delinquency {
  stage: DelinquencyStage
  /** Days since the oldest instalment that is not fully paid was due. */
  daysPastDue: number
  arrearsMinor: bigint
  oldestDueDate: LocalDate | null
}

/** How late a loan is on a day. An instalment is late from the day after its due date. */
export function delinquencyOf(dues: readonly Due[], today: LocalDate): Delinquency {
  const late = dues
    .map(({ dueDate, owedMinor }) => ({ dueDate, owed: sum(owedMinor) }))
    .filter(({ dueDate, owed }) => dueDate < today && owed > 0n)
    .toSorted((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
  const oldestDueDate = late[0]?.dueDate ?? null
  const daysPastDue = oldestDueDate === null ? 0 : toDay(today) - toDay(oldestDueDate)
  const arrearsMinor = late.reduce((total, { owed }) => total + owed, 0n)
  return { stage: stageOf(daysPastDue), daysPastDue, arrearsMinor, oldestDueDate }
}

function stageOf(daysPastDue: number): DelinquencyStage {
  if (daysPastDue >= 90) return 'default'
  if (daysPastDue >= 30) return 'increased-risk'
  return daysPastDue > 0 ? 'past-due' : 'current'
}

function sum(owed: Due['owedMinor']): bigint {
  return dueParts.reduce((total, part) => total + owed[part], 0n)
}
