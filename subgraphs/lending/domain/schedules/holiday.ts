import type { Holiday } from '../../model/schedules/schedule.ts'
import { maxInstallments } from './loan.ts'
import { validationError, validationFailed } from './refusals.ts'
import type { Run } from './run.ts'

/**
 * The treatment of the current installment. `normal` pays interest and principal. `interest` pays
 * interest but no principal. `defers` pays nothing and defers the interest. `capitalizes` pays
 * nothing and adds the interest to the principal. No interest accrues in a payment holiday that
 * waives interest.
 */
export type Treatment = 'normal' | 'interest' | 'defers' | 'capitalizes'

export function treatmentOf({ holiday, number, terms }: Run): Treatment {
  if (holiday?.type === 'full') {
    return holiday.interest === 'capitalise' ? 'capitalizes' : 'defers'
  }
  return holiday || number <= terms.principalGrace ? 'interest' : 'normal'
}

/**
 * Starts the payment holiday that begins with the current installment, if there is one, and adjusts
 * the term. Throws VALIDATION_FAILED if the payment holiday leaves no installment to repay the loan
 * with, or if the schedule would have too many installments.
 */
export function startHoliday(run: Run): void {
  const place = run.loan.holidays.findIndex(({ fromInstallment }) => fromInstallment === run.number)
  const holiday = run.loan.holidays[place]
  if (!holiday) return
  run.holiday = holiday
  const lastPausedNumber = lastNumberOf(holiday)
  if (holiday.term === 'extend') run.lastNumber += holiday.installments
  else if (holiday.term === 'keep-instalment')
    run.lastNumber = Math.max(run.lastNumber, lastPausedNumber + 1)
  else if (lastPausedNumber >= run.lastNumber) {
    const detail = `The last installment is number ${run.lastNumber}; after the payment holiday, no installment is left to repay the loan.`
    throw validationFailed(
      validationError(`/holidays/${place}/installments`, 'NO_INSTALMENT_LEFT', detail),
    )
  }
  if (run.lastNumber > maxInstallments) {
    const detail = `A schedule can have at most ${maxInstallments} installments.`
    throw validationFailed(
      validationError(`/holidays/${place}/installments`, 'TOO_MANY_INSTALMENTS', detail),
    )
  }
}

/**
 * Ends a payment holiday after its last installment. The term treatment of the payment holiday then
 * determines how the remaining installments are recomputed.
 */
export function endHoliday(run: Run): void {
  const { holiday } = run
  if (!holiday || run.number < lastNumberOf(holiday)) return
  run.recomputations.push(holiday.term === 'keep-instalment' ? 'keep' : 'replan')
  run.holiday = null
}

function lastNumberOf({ fromInstallment, installments }: Holiday): number {
  return fromInstallment + installments - 1
}
