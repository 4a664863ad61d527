import type { Context } from '../../../../kernel/environment/context.ts'
import type { Worker } from '../../../../kernel/work/worker.ts'
import { checkLargeLending } from '../../store/servicing/check.ts'

/** Checks the invariants of the loan books. Logs each violation that is found as an error. */
export const checkLendingBooks: Worker = {
  name: 'lending.check-books',
  purpose: 'Checks every facility against the ledger, its installments and its drawdowns.',
  everyMs: 300_000,
  maxShare: 0.1,
  async run(context: Context, stopping?: AbortSignal): Promise<number> {
    for (const finding of await checkLargeLending(context, stopping)) {
      context.bank.log.error(finding, 'a facility does not match the ledger')
    }
    return 0
  },
}
