import type { Context } from '../../../../kernel/environment/context.ts'
import type { Worker } from '../../../../kernel/work/worker.ts'
import { checkLending } from '../../store/servicing/check.ts'

/** Compares the facilities with the ledger. Logs each discrepancy as an error. */
export const checkLendingBooks: Worker = {
  name: 'lending.check-books',
  purpose: 'Compares every facility with the ledger.',
  everyMs: 300_000,
  async run(context: Context): Promise<number> {
    for (const finding of await checkLending(context)) {
      context.bank.log.error(finding, 'a facility does not match the ledger')
    }
    return 0
  },
}
