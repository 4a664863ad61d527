import type { ExtraPaymentStrategy } from '../../model/schedules/enumerations.ts'
import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { ExtraPayment } from './loan.ts'
import { treatmentOf } from './holiday.ts'
import { replanInstallments } from './plan.ts'
import { validationError, validationFailed } from './refusals.ts'
import { accrueTo, amountOwed, settleInterest, type Recomputation, type Run } from './run.ts'

const recomputationOf: Record<ExtraPaymentStrategy, Recomputation | null> = {
  'reduce-instalment': 'lower',
  'reduce-term': 'shorten',
  'prepay-next': null,
  payoff: null,
}

/**
 * Applies an extra payment. It pays the accrued interest first, then principal. Its strategy
 * determines how the remaining installments change. A payoff pays everything that is owed, whatever
 * its amount, and ends the loan. Unless the loan is revolving, any other payment of exactly the
 * amount owed also ends it. Throws VALIDATION_FAILED if nothing is owed, or if a payment other than
 * a payoff exceeds the amount owed.
 */
export function payExtra(run: Run, payment: ExtraPayment, place: number, currency: string): void {
  const { amountMinor, strategy } = payment
  const payoffMinor = amountOwed(run)
  const pointer = `/extraPayments/${place}`
  if (payoffMinor === 0n) {
    const detail = `Nothing is owed on ${payment.on}.`
    throw validationFailed(validationError(`${pointer}/on`, 'NOTHING_OWED', detail))
  }
  const paysEverything = amountMinor === payoffMinor && !run.terms.isRevolving
  if (strategy === 'payoff' || paysEverything) return close(run, payoffMinor)
  if (amountMinor > payoffMinor) {
    const detail = `The payoff amount on ${payment.on} is ${formatAmount(payoffMinor, currency)}.`
    throw validationFailed(validationError(`${pointer}/amount`, 'EXCEEDS_PAYOFF_AMOUNT', detail))
  }
  planAhead(run)
  const principal = settleInterest(run, amountMinor)
  run.balanceMinor -= principal
  run.flatBaseMinor -= principal
  run.extraPaidMinor += amountMinor
  if (strategy === 'prepay-next') run.creditMinor += amountMinor
  const recomputation = recomputationOf[strategy]
  if (recomputation) run.recomputations.push(recomputation)
}

/**
 * Computes the remaining installments before an extra payment is applied. After an event such as a
 * disbursement, they are normally computed at the end of the period. An extra payment in the same
 * period needs them earlier, so they are computed as if the extra payment did not exist.
 */
function planAhead(run: Run): void {
  if (run.recomputations.length === 0 || treatmentOf(run) !== 'normal') return
  const runAhead: Run = { ...run, recomputations: [...run.recomputations] }
  accrueTo(runAhead, run.calendar.dueDay(run.number))
  if (!replanInstallments(runAhead)) return
  run.plan = runAhead.plan
  run.lastNumber = runAhead.lastNumber
  run.recomputations = []
}

function close(run: Run, payoffMinor: bigint): void {
  run.closing = {
    day: run.accruedTo,
    paymentMinor: payoffMinor,
    principalMinor: run.balanceMinor,
  }
  run.balanceMinor = 0n
}
