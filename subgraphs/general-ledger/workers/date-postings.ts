import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { batchSize } from '../commands/date-postings.ts'
import { arePostingsWaitingSql, datePostings } from '../store/book.ts'

/**
 * Dates postings in the background, so that a posting does not wait for it. The pause between two
 * runs lets many postings share one commit.
 */
export const datePostingsInBackground: Worker = {
  name: 'general-ledger.date-postings',
  purpose: 'Gives postings their accounting dates and adds them to the general ledger.',
  everyMs: dueFallbackMs,
  isDueSql: arePostingsWaitingSql,
  duePauseMs: 10_000,
  run: (context) => datePostings(context, batchSize),
}
