import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { toDay } from './calendar.ts'
import type { Loan } from './loan.ts'
import { beginSchedule, runPeriod, runUpTo } from './schedule.ts'
import { owed } from './run.ts'

/** What a schedule says of a day, when everything until then was paid as it says. */
export interface ScheduleStanding {
  /** Interest that accrued from the start to the end of the day. */
  accruedTotalMinor: bigint
  /** What of it no instalment and no extra payment until the day took. */
  openInterestMinor: bigint
  principalMinor: bigint
}

/** Where a loan stands at the end of a day, after an instalment and whatever else happens on it. */
export function standingOn(loan: Loan, on: LocalDate, currency: string): ScheduleStanding {
  const run = beginSchedule(loan, currency)
  const day = toDay(on)
  let accruedTotalMinor = 0n
  for (let number = 1; number <= run.last && !run.closing; number++) {
    if (run.calendar.dueDay(number) > day) {
      runUpTo(run, number, day)
      accruedTotalMinor += run.accruedMinor
      break
    }
    accruedTotalMinor += runPeriod(run, number).interestMinor
    run.accruedMinor = run.settledMinor = 0n
  }
  const { balanceMinor: principalMinor } = run
  const openInterestMinor = run.closing ? 0n : owed(run) - principalMinor
  return { accruedTotalMinor, openInterestMinor, principalMinor }
}
