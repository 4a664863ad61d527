import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { expireSignatures } from '../commands/sign-payment.ts'
import { areSignaturesExpiredSql, findExpiredSignatures } from '../store/payment.ts'

const maxPaymentsPerRun = 50

/** Rejects payments that did not get their signatures in time. */
export const expirePendingSignatures: Worker = {
  name: 'payments.expire-signatures',
  followsClock: true,
  purpose: 'Rejects payments that did not get their signatures in time.',
  everyMs: dueFallbackMs,
  isDueSql: areSignaturesExpiredSql,
  async run(context: Context): Promise<number> {
    const due = await findExpiredSignatures(context, context.now(), maxPaymentsPerRun)
    let expiredCount = 0
    for (const { paymentId } of due) expiredCount += await expireSignatures(context, paymentId)
    return expiredCount
  },
}
