import { dueFallbackMs, processEach, type Worker } from '../../../../kernel/work/worker.ts'
import {
  endObligor,
  endWithFacilities,
  facilityEndTypes,
} from '../../commands/obligors/end-obligors.ts'
import { findExpiredObligors } from '../../store/obligors/ended-obligors.ts'

const batchSize = 100

/** Ends obligors whose facility has ended, and guarantees after their last day. */
export const endObligors: Worker = {
  name: 'lending.end-obligors',
  nightlyPhase: 'loans',
  followsClock: true,
  purpose: 'Ends the liability of co-borrowers and guarantors of facilities that have ended.',
  everyMs: dueFallbackMs,
  wakeOn: [...facilityEndTypes, 'lending.end-of-day.completed'],
  async run(context) {
    const ends = await endWithFacilities(context)
    const expired = await findExpiredObligors(context, batchSize)
    return ends + (await processEach(context, expired, (id) => endObligor(context, id)))
  },
}
