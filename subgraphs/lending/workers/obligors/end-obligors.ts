import type { Worker } from '../../../../kernel/work/worker.ts'
import { endObligor } from '../../commands/obligors/obligor.ts'
import { findEndedObligors } from '../../store/obligors/ended-obligors.ts'

const batchSize = 100

/** Ends obligors whose facility has ended, and guarantees after their last day. */
export const endObligors: Worker = {
  name: 'lending.end-obligors',
  nightlyPhase: 'loans',
  followsClock: true,
  purpose: 'Ends the liability of co-borrowers and guarantors of facilities that have ended.',
  everyMs: 60_000,
  wakeOn: [
    'lending.facility.paid-off',
    'lending.facility.matured',
    'lending.facility.recovered',
    'lending.facility.written-off',
    'lending.facility.cancelled',
    'lending.end-of-day.completed',
  ],
  async run(context) {
    const ids = await findEndedObligors(context, batchSize)
    for (const id of ids) await endObligor(context, id)
    return ids.length
  },
}
