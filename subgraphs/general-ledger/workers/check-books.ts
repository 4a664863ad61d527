import type { Context } from '../../../kernel/environment/context.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { checkLargeBooks } from '../commands/check-books.ts'

/**
 * Checks the general ledger as `generalLedgerFindings` does, which must answer within the time of a
 * request. Logs each violation as an error.
 */
export const checkGeneralLedger: Worker = {
  name: 'general-ledger.check-books',
  purpose: 'Checks the general ledger against the ledger and its stored balances.',
  everyMs: 300_000,
  maxShare: 0.1,
  async run(context: Context, stopping?: AbortSignal): Promise<number> {
    for (const finding of await checkLargeBooks(context, stopping)) {
      context.bank.log.error(finding, 'the general ledger breaks a rule')
    }
    return 0
  },
}
