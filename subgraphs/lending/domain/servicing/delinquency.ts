import type { DelinquencyStage } from '../../model/schedules/enumerations.ts'
import { DuePart } from '../../model/repayments/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { type Due } from '../repayments/allocation.ts'
import { toDay } from '../../../../kernel/domain/day-count.ts'

export interface Delinquency {
  stage: DelinquencyStage
  /**
   * The number of days since the due date of the oldest unpaid installment; 0 if none is past due.
   */
  daysPastDue: number
  arrearsMinor: bigint
  oldestDueDate: LocalDate | null
}

/**
 * Returns the delinquency of a loan on a day. An installment is past due from the day after its due
 * date.
 */
export function delinquencyOf(dues: readonly Due[], today: LocalDate): Delinquency {
  const pastDue = dues
    .map(({ dueDate, owedMinor }) => ({ dueDate, owed: sum(owedMinor) }))
    .filter(({ dueDate, owed }) => dueDate < today && owed > 0n)
    .toSorted((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
  const oldestDueDate = pastDue[0]?.dueDate ?? null
  const daysPastDue = oldestDueDate === null ? 0 : toDay(today) - toDay(oldestDueDate)
  const arrearsMinor = pastDue.reduce((total, { owed }) => total + owed, 0n)
  return { stage: stageOf(daysPastDue), daysPastDue, arrearsMinor, oldestDueDate }
}

function stageOf(daysPastDue: number): DelinquencyStage {
  if (daysPastDue >= 90) return 'default'
  if (daysPastDue >= 30) return 'increased-risk'
  return daysPastDue > 0 ? 'past-due' : 'current'
}

function sum(owed: Due['owedMinor']): bigint {
  return DuePart.values.reduce((total, part) => total + owed[part], 0n)
}
