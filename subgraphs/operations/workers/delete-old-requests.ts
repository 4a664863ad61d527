import { realNow } from '../../../kernel/work/clock.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { deleteLoggedRequests } from '../store/logged-request.ts'

const batchSize = 5000
const retentionMs = 30 * dayMs

/** Deletes logged requests after 30 days of real time. */
export const deleteOldRequests: Worker = {
  name: 'operations.delete-old-requests',
  purpose: 'Deletes logged requests after 30 days.',
  everyMs: 600_000,
  run: (context) => deleteLoggedRequests(context, addMs(realNow(), -retentionMs), batchSize),
}
