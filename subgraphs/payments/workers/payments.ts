import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isBlockedByDeath } from '../../../kernel/lifecycle/deceased.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { executeOnRail, sharedEvents, updateOf } from '../commands/booking.ts'
import { transitionPayment } from '../domain/payment.ts'
import { arePaymentsDueSql, findDuePayments, paymentKind } from '../store/payment.ts'

const maxPaymentsPerRun = 50

/**
 * Executes scheduled payments on their execution dates. Payments that cannot be booked are
 * rejected.
 */
export const executeScheduled: Worker = {
  name: 'payments.execute-scheduled',
  nightlyPhase: 'payments',
  followsClock: true,
  purpose: 'Executes scheduled payments on their execution dates.',
  everyMs: dueFallbackMs,
  isDueSql: arePaymentsDueSql,
  async run(context: Context): Promise<number> {
    const due = await findDuePayments(context, dateOf(context.now()), maxPaymentsPerRun)
    let executedCount = 0
    for (const { paymentId } of due) executedCount += await execute(context, paymentId)
    return executedCount
  },
}

/**
 * Executes a payment. If two workers process the same payment, only one has an effect: each
 * decision reads the payment again, and the commit requires its version to be unchanged.
 */
function execute(context: Context, paymentId: string): Promise<number> {
  const decide = async (): Promise<Decision<number>> => {
    const scheduled = await paymentKind.find(context, paymentId)
    if (scheduled?.state !== 'scheduled') return { result: 0 }
    const now = context.now()
    if (await isBlockedByDeath(context, scheduled)) {
      const rejected = transitionPayment(scheduled, 'rejected', { reasonCode: 'PARTY_DECEASED' })
      const { writes, events } = updateOf(scheduled, rejected, now)
      return { result: 1, writes, events: await sharedEvents(context, rejected, events) }
    }
    const { payment, booked } = await executeOnRail(context, scheduled)
    const [violation] = booked.violations
    const after = violation
      ? transitionPayment(scheduled, 'rejected', { reasonCode: violation.code })
      : payment
    const { writes, events } = updateOf(scheduled, after, now)
    return {
      result: 1,
      writes: [...writes, ...booked.writes],
      events: [...(await sharedEvents(context, after, events)), ...booked.events],
    }
  }
  return command(context, 'executePayment', { paymentId }, decide)
}
