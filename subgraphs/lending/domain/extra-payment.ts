import { formatAmount } from '../../_kernel/domain/money.ts'
import type { ExtraPayment, ExtraPaymentStrategy } from './loan.ts'
import { treatmentOf } from './holiday.ts'
import { plan } from './plan.ts'
import { fault, invalid } from './refusals.ts'
import { accrueTo, owed, settleInterest, type Cause, type Run } from './run.ts'

const causeOf: Record<ExtraPaymentStrategy, Cause | null> = {
  'reduce-instalment': 'lower',
  'reduce-term': 'shorten',
  'prepay-next': null,
  payoff: null,
}

/**
 * Takes a payment beside the instalments: it pays the interest to date and then principal, and the
 * instalments ahead follow its strategy. A payoff pays whatever is owed, and a payment of exactly
 * that ends the loan too.
 * Refuses with VALIDATION_FAILED, telling the payoff figure, what is more than that.
 */
export function payExtra(run: Run, payment: ExtraPayment, place: number, currency: string): void {
  const { amountMinor, strategy } = payment
  const payoffMinor = owed(run)
  const pointer = `/extraPayments/${place}`
  if (payoffMinor === 0n) {
    const detail = `Nothing is owed on ${payment.on}.`
    throw invalid(fault(`${pointer}/on`, 'NOTHING_OWED', detail))
  }
  const endsWithIt = amountMinor === payoffMinor && !run.terms.isRevolving
  if (strategy === 'payoff' || endsWithIt) return close(run, payoffMinor)
  if (amountMinor > payoffMinor) {
    const detail = `${formatAmount(payoffMinor, currency)} pays everything off on ${payment.on}.`
    throw invalid(fault(`${pointer}/amount`, 'EXCEEDS_PAYOFF_AMOUNT', detail))
  }
  planAhead(run)
  const principal = settleInterest(run, amountMinor)
  run.balanceMinor -= principal
  run.flatBaseMinor -= principal
  run.extraPaidMinor += amountMinor
  if (strategy === 'prepay-next') run.creditMinor += amountMinor
  const cause = causeOf[strategy]
  if (cause) run.causes.push(cause)
}

/**
 * A payment changes instalments that are known. In the period after a disbursement they are worked
 * out only at its end, so they are worked out here as they would be without the payment.
 */
function planAhead(run: Run): void {
  if (run.causes.length === 0 || treatmentOf(run) !== 'normal') return
  const ahead: Run = { ...run, causes: [...run.causes] }
  accrueTo(ahead, run.calendar.dueDay(run.number))
  if (!plan(ahead)) return
  run.plan = ahead.plan
  run.last = ahead.last
  run.causes = []
}

function close(run: Run, payoffMinor: bigint): void {
  run.closing = {
    day: run.accruedTo,
    paymentMinor: payoffMinor,
    principalMinor: run.balanceMinor,
  }
  run.balanceMinor = 0n
}
