import type { Worker } from '../../../../kernel/work/worker.ts'
import { settlePromiseToPay } from '../../commands/promises/promise-to-pay.ts'
import { statusOfPromise } from '../../domain/promises/promise-to-pay.ts'
import { findStalePromises } from '../../store/promises/promise-to-pay.ts'

const batchSize = 100

/** Changes promises to pay to kept or broken, once payments or the end of their last day decide it. */
export const settlePromises: Worker = {
  name: 'lending.settle-promises-to-pay',
  nightlyPhase: 'loans',
  followsClock: true,
  purpose: 'Decides whether promises to pay were kept or broken.',
  everyMs: 60_000,
  wakeOn: [
    'lending.repayment.applied',
    'lending.repayment.reversed',
    'lending.extra-payment.applied',
    'lending.extra-payment.reversed',
    'lending.end-of-day.completed',
  ],
  async run(context) {
    const stale = await findStalePromises(context, batchSize)
    let settled = 0
    for (const { promiseToPayId, receivedMinor, isOver, ...promise } of stale) {
      const status = statusOfPromise(promise, receivedMinor, isOver)
      if (status !== 'kept' && status !== 'broken') continue
      await settlePromiseToPay(context, promiseToPayId, status)
      settled++
    }
    return settled
  },
}
