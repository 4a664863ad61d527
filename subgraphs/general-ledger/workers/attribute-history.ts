import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { batchSize } from '../commands/date-postings.ts'
import { attributeHistory, isHistoryWaitingSql } from '../store/attribution.ts'

/**
 * Adds what was booked before the upgrade to the totals by product and segment. Until it is complete,
 * the rest is shown as belonging to none.
 */
export const attributeHistoryInBackground: Worker = {
  name: 'general-ledger.attribute-history',
  purpose: 'Adds postings from before an upgrade to the totals by product and segment.',
  everyMs: dueFallbackMs,
  isDueSql: isHistoryWaitingSql,
  maxShare: 0.2,
  run: (context) => attributeHistory(context, batchSize),
}
