import { realNow } from '../_kernel/clock.ts'
import { addMs, dayMs } from '../_kernel/domain/dates.ts'
import type { Worker } from '../_kernel/worker.ts'
import { forgetRefusals } from './store/refusal.ts'

const batchSize = 1000
const keptMs = 90 * dayMs

/** Deletes records of rejected requests after 90 days of real time. */
export const forgetOldRefusals: Worker = {
  name: 'operations.forget-refusals',
  purpose: 'Deletes records of rejected requests after 90 days.',
  everyMs: 3_600_000,
  run: (context) => forgetRefusals(context, addMs(realNow(), -keptMs), batchSize),
}
