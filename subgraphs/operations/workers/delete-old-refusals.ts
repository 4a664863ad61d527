import { realNow } from '../../../kernel/work/clock.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { deleteRefusals } from '../store/refusal.ts'

const batchSize = 1000
const retentionMs = 90 * dayMs

/** Deletes records of rejected requests after 90 days of real time. */
export const deleteOldRefusals: Worker = {
  name: 'operations.delete-old-refusals',
  purpose: 'Deletes records of rejected requests after 90 days.',
  everyMs: 3_600_000,
  run: (context) => deleteRefusals(context, addMs(realNow(), -retentionMs), batchSize),
}
