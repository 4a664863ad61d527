import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { deleteDeliveries, isPlanningDueSql, planDeliveries } from '../store/plan.ts'
import { wake } from './wake.ts'

const batchSize = 500
const retentionMs = 30 * dayMs

/** Plans deliveries for new events, in the order of the event log. */
export const planWebhooks: Worker = {
  name: 'events.plan-webhooks',
  purpose: 'Plans webhook deliveries for new events.',
  everyMs: dueFallbackMs,
  isDueSql: isPlanningDueSql,
  wakeOn: ['*'],
  pauseMs: 50,
  async run(context) {
    const { read, planned } = await planDeliveries(context, batchSize)
    if (planned > 0) wake(context.bank)
    return read
  },
}

/** Deletes deliveries and their attempts 30 days after they ended. */
export const deleteOldDeliveries: Worker = {
  name: 'events.delete-old-deliveries',
  purpose: 'Deletes webhook deliveries 30 days after they ended.',
  everyMs: 3_600_000,
  run: (context) => deleteDeliveries(context, addMs(context.now(), -retentionMs), batchSize),
}
