import type { Context } from '../../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../../kernel/work/worker.ts'
import type { PaymentRail, RailCommands } from '../payment-rail.ts'
import { scheme, simulatedReturnReason } from './domain/scheme.ts'

export const sct: PaymentRail = { ...scheme, workers: (commands) => [workerFor(commands)] }

/**
 * Creates the worker of the simulated credit transfer. It sends batches at the cut-off,
 * acknowledges and settles them, and books returns. Each run performs every kind of step that is
 * due, so the worker catches up quickly after the bank clock was moved forward.
 *
 * In an environment without the rail, nothing is sent, settled or returned. An earlier release
 * could accept payments there. Such a payment is cancelled at its cut-off, and its amount is
 * released.
 */
function workerFor(commands: RailCommands): Worker {
  return {
    name: 'payments.run-sct',
    followsClock: true,
    purpose: 'Processes the cut-off, settlement and returns of credit transfers.',
    everyMs: dueFallbackMs,
    isDueSql: commands.isDueSql(scheme),
    // A batch that keeps colliding with other postings does not try again every second.
    duePauseMs: 5000,
    async run(context: Context): Promise<number> {
      if (!commands.isAvailable(context, scheme)) return commands.cancelUnsent(context, scheme)
      let count = await commands.sendBatch(context, scheme)
      for (const batch of await commands.findDueBatches(context, scheme)) {
        count += await commands.advanceBatch(context, scheme, batch)
      }
      for (const payment of await commands.findDueReturns(context, scheme)) {
        const reasonCode = simulatedReturnReason(payment)!
        count += await commands.returnPayment(context, scheme, payment.paymentId, reasonCode)
      }
      return count
    },
  }
}
