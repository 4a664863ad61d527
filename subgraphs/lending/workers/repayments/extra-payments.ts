import { dateOf } from '../../../../kernel/domain/dates.ts'
import { dueFallbackMs, type Worker } from '../../../../kernel/work/worker.ts'
import { executeExtraPayment } from '../../commands/repayments/extra-payment.ts'
import {
  areExtraPaymentsDueSql,
  findDueExtraPaymentIds,
} from '../../store/repayments/extra-payment.ts'

const batchSize = 50

/**
 * Books extra payments from accounts at this bank once their payment dates are reached. A payment
 * that can no longer be booked is rejected. If two workers run concurrently, each payment is booked
 * only once.
 */
export const executeExtraPayments: Worker = {
  name: 'lending.execute-extra-payments',
  nightlyPhase: 'payments',
  followsClock: true,
  purpose: 'Books extra payments on their payment dates.',
  everyMs: dueFallbackMs,
  isDueSql: areExtraPaymentsDueSql,
  async run(context) {
    const dueIds = await findDueExtraPaymentIds(context, dateOf(context.now()), batchSize)
    for (const extraPaymentId of dueIds) await executeExtraPayment(context, extraPaymentId)
    return dueIds.length
  },
}
