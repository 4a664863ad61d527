import type { DelinquencyStage } from '../../model/schedules/enumerations.ts'
import { DuePart } from '../../model/repayments/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { type Due } from '../repayments/allocation.ts'
import { toDay } from '../../../../kernel/domain/day-count.ts'

export interface Delinquency {
  stage: DelinquencyStage
  /**
   * The number of days since the due date of the oldest installment with unpaid interest or
   * principal; 0 if none is past due.
   */
  daysPastDue: number
  /** The amounts past due, with late charges. */
  arrearsMinor: bigint
  oldestDueDate: LocalDate | null
}

/**
 * Returns the delinquency of a loan on a day. An installment is past due from the day after its due
 * date. Unpaid late charges alone do not make it past due, so that a payment of the regular amount
 * cures the facility (compare the prohibition of pyramiding late fees in 12 CFR 1026.36(c)(2)).
 */
export function delinquencyOf(dues: readonly Due[], today: LocalDate): Delinquency {
  const pastDue = dues.filter(({ dueDate }) => dueDate < today)
  const dueDates = pastDue
    .filter(({ owedMinor }) => owedMinor.interest + owedMinor.principal > 0n)
    .map(({ dueDate }) => dueDate)
  const oldestDueDate = dueDates.toSorted()[0] ?? null
  const daysPastDue = oldestDueDate === null ? 0 : toDay(today) - toDay(oldestDueDate)
  const arrearsMinor = pastDue.reduce((total, { owedMinor }) => total + sum(owedMinor), 0n)
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
