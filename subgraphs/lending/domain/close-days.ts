import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import { toDate, toDay } from './calendar.ts'
import { openMinor } from './due-instalment.ts'
import { latenessOf, repay, settle, withDelinquency } from './repayment.ts'
import { bringTo, type Serviced } from './servicing.ts'

/** The money there is to collect from, as far as the bank may take it. */
export interface Purse {
  accountId: string
  leftMinor: bigint
}

/**
 * Works through the ends of the days up to one, from the last that was worked through: interest is
 * booked, instalments become due and are collected, what stays unpaid is late from the next
 * morning on. Goes from one day on which something happens to the next.
 */
export function closeDays(before: Serviced, through: LocalDate, purse: Purse | null): Serviced {
  let done = before
  while (isOpen(done) && done.facility.closedThrough < through) {
    done = closeDay(done, nextDay(done, through), purse)
  }
  return done
}

function isOpen({ facility: { state } }: Serviced): boolean {
  return state === 'active' || state === 'in-arrears'
}

function closeDay(before: Serviced, day: LocalDate, purse: Purse | null): Serviced {
  const collected = collect(bringTo(before, day), day, purse)
  const settled = settle(collected, day)
  const late = isOpen(settled) ? withDelinquency(settled, addDays(day, 1)) : settled
  return { ...late, facility: { ...late.facility, closedThrough: day } }
}

/** Lateness changes the stage when it has lasted so many days. */
const stageDays = [1, 30, 90]

/** The next day at whose end something happens, and the last one at the latest. */
function nextDay(serviced: Serviced, through: LocalDate): LocalDate {
  const { closedThrough, nextDueDate } = serviced.facility
  const last = toDay(closedThrough)
  const { oldestDueDate } = latenessOf(serviced, '9999-12-31')
  const stages =
    oldestDueDate === null ? [] : stageDays.map((days) => toDay(oldestDueDate) + days - 1)
  const days = [...(nextDueDate === null ? [] : [toDay(nextDueDate)]), ...stages, toDay(through)]
  const next = Math.min(...days.filter((day) => day > last), toDay(through))
  return toDate(next)
}

/** Takes whole instalments that are due, the oldest first, as far as the money goes. */
function collect(serviced: Serviced, day: LocalDate, purse: Purse | null): Serviced {
  if (!purse || purse.leftMinor <= 0n) return serviced
  let amount = 0n
  for (const due of serviced.dues) {
    const open = openMinor(due)
    if (amount + open > purse.leftMinor) break
    amount += open
  }
  if (amount === 0n) return serviced
  purse.leftMinor -= amount
  return repay(serviced, amount, { on: day, today: day, accountId: purse.accountId }).serviced
}
