import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { calendarOf, toDay } from './calendar.ts'
import type { Loan } from './loan.ts'
import { scheduleOf } from './schedule.ts'

/** What ends a loan on a day, when every instalment until then is paid. */
export interface PayoffQuote {
  on: LocalDate
  principalMinor: bigint
  /** Interest to that day and not a day longer, and interest that a holiday left open. */
  interestMinor: bigint
  totalMinor: bigint
}

/**
 * The payoff figure of a day: principal, and interest to the day (Directive (EU) 2023/2225, article
 * 29: the cost of the credit is reduced for the time that is left). What is planned for later days
 * does not count.
 * Refuses with VALIDATION_FAILED a day on which nothing is owed.
 */
export function payoffQuote(loan: Loan, on: LocalDate, currency: string): PayoffQuote {
  const { terms } = loan
  const calendar = calendarOf(terms.start, terms.frequency, terms.everyDays)
  const untilThen: Loan = {
    ...loan,
    disbursements: loan.disbursements.filter((disbursement) => disbursement.on <= on),
    holidays: loan.holidays.filter(
      ({ fromInstalment }) => calendar.dueDay(fromInstalment - 1) < toDay(on),
    ),
    extraPayments: [
      ...loan.extraPayments.filter((payment) => payment.on <= on),
      { on, amountMinor: 0n, strategy: 'payoff' },
    ],
  }
  const { paymentMinor, principalMinor } = scheduleOf(untilThen, currency).instalments.at(-1)!
  return {
    on,
    principalMinor,
    interestMinor: paymentMinor - principalMinor,
    totalMinor: paymentMinor,
  }
}
