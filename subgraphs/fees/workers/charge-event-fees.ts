import type { Context } from '../../../kernel/environment/context.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { chargeDue } from '../commands/charge-due.ts'
import { recordTriggers } from '../commands/record-triggers.ts'
import { triggerTypes } from '../domain/fee-charge.ts'
import { areChargesDueSql, readDueCharges } from '../store/fee-charge.ts'

const maxChargesPerRun = 100

/**
 * Charges the fees that events trigger, in two steps. The first step reads the event log and records
 * the fees as due, together with the position that it has reached in the log. The second step charges
 * each fee in a commit of its own. After a crash, each step continues where it stopped.
 */
export const chargeEventFees: Worker = {
  name: 'operations.charge-event-fees',
  purpose: 'Charges the fees for what happens on accounts, such as a returned payment.',
  everyMs: 60_000,
  isDueSql: areChargesDueSql,
  wakeOn: triggerTypes,
  async run(context: Context): Promise<number> {
    const processedEvents = await recordTriggers(context)
    const due = await readDueCharges(context, maxChargesPerRun)
    return processedEvents + (await processEach(context, due, (id) => chargeDue(context, id)))
  },
}
