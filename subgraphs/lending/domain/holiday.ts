import { mostInstalments, type Holiday } from './loan.ts'
import { fault, invalid } from './refusals.ts'
import type { Run } from './run.ts'

/**
 * What becomes of the running instalment: `normal` pays interest and principal, `interest` pays no
 * principal, `defers` pays nothing and leaves the interest for later, `capitalises` adds it to what
 * is owed. Within a waived holiday no interest accrues, so `interest` pays nothing there.
 */
export type Treatment = 'normal' | 'interest' | 'defers' | 'capitalises'

export function treatmentOf({ holiday, number, terms }: Run): Treatment {
  if (holiday?.type === 'full') {
    return holiday.interest === 'capitalise' ? 'capitalises' : 'defers'
  }
  return holiday || number <= terms.principalGrace ? 'interest' : 'normal'
}

/**
 * Begins the holiday that starts with the running instalment, and sets the term it asks for.
 * Refuses with VALIDATION_FAILED one that leaves no instalment to repay with, or makes too many.
 */
export function startHoliday(run: Run): void {
  const place = run.loan.holidays.findIndex(({ fromInstalment }) => fromInstalment === run.number)
  const holiday = run.loan.holidays[place]
  if (!holiday) return
  run.holiday = holiday
  const lastOfIt = lastInstalmentOf(holiday)
  if (holiday.term === 'extend') run.last += holiday.instalments
  else if (holiday.term === 'keep-instalment') run.last = Math.max(run.last, lastOfIt + 1)
  else if (lastOfIt >= run.last) {
    const detail = `Instalment ${run.last} is the last: the holiday leaves none to repay with.`
    throw invalid(fault(`/holidays/${place}/instalments`, 'NO_INSTALMENT_LEFT', detail))
  }
  if (run.last > mostInstalments) {
    const detail = `A schedule has at most ${mostInstalments} instalments.`
    throw invalid(fault(`/holidays/${place}/instalments`, 'TOO_MANY_INSTALMENTS', detail))
  }
}

/** After its last instalment the rest is worked out again, by the term it asks for. */
export function endHoliday(run: Run): void {
  const { holiday } = run
  if (!holiday || run.number < lastInstalmentOf(holiday)) return
  run.causes.push(holiday.term === 'keep-instalment' ? 'keep' : 'replan')
  run.holiday = null
}

function lastInstalmentOf({ fromInstalment, instalments }: Holiday): number {
  return fromInstalment + instalments - 1
}
