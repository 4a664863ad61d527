import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { toDay } from '../../../../kernel/domain/day-count.ts'
import type { Loan } from './loan.ts'
import { beginSchedule, runPeriod, runPeriodUpTo } from './schedule.ts'
import { amountOwed } from './run.ts'

/**
 * The amounts of a schedule on a day, assuming that everything up to that day was paid as
 * scheduled.
 */
export interface ScheduleStanding {
  /** The interest accrued from the start of the loan to the end of the day. */
  accruedTotalMinor: bigint
  /** The part of the accrued interest that no installment or extra payment up to the day covers. */
  openInterestMinor: bigint
  principalMinor: bigint
}

/**
 * Computes the amounts of a loan at the end of a day, after the installment and all events of that
 * day.
 */
export function standingOn(loan: Loan, on: LocalDate, currency: string): ScheduleStanding {
  const run = beginSchedule(loan, currency)
  const day = toDay(on)
  let accruedTotalMinor = 0n
  for (let number = 1; number <= run.lastNumber && !run.closing; number++) {
    if (run.calendar.dueDay(number) > day) {
      runPeriodUpTo(run, number, day)
      accruedTotalMinor += run.accruedMinor
      break
    }
    accruedTotalMinor += runPeriod(run, number).interestMinor
    run.accruedMinor = run.settledMinor = 0n
  }
  const { balanceMinor: principalMinor } = run
  const openInterestMinor = run.closing ? 0n : amountOwed(run) - principalMinor
  return { accruedTotalMinor, openInterestMinor, principalMinor }
}
