import type { Context } from '../../../kernel/environment/context.ts'
import {
  bankContext,
  dueFallbackMs,
  processEach,
  type Worker,
} from '../../../kernel/work/worker.ts'
import { chargeDue } from '../commands/charge-due.ts'
import { recordTriggers } from '../commands/record-triggers.ts'
import { triggerTypes } from '../domain/fee-charge.ts'
import { areChargesDueSql, readDueCharges } from '../store/fee-charge.ts'

const maxChargesPerRun = 800
/** How many charges are decided at the same time, so that they share commits. */
const lanes = 16

/**
 * Charges the fees that events trigger, in two steps. The first step reads the event log and records
 * the fees as due, together with the position that it has reached in the log. The second step charges
 * each fee in a commit of its own, several at the same time. After a crash, each step continues where it stopped.
 */
export const chargeEventFees: Worker = {
  name: 'operations.charge-event-fees',
  purpose: 'Charges the fees for what happens on accounts, such as a returned payment.',
  everyMs: dueFallbackMs,
  isDueSql: areChargesDueSql,
  wakeOn: triggerTypes,
  async run(context: Context): Promise<number> {
    const processedEvents = await recordTriggers(context)
    const due = await readDueCharges(context, maxChargesPerRun)
    return processedEvents + (await chargeInLanes(context, due))
  },
}

/** Charges fees and returns how many were charged. Throws an error if none was and one failed. */
async function chargeInLanes({ bank }: Context, due: readonly string[]): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: lanes }, (_, lane) => {
      const context = bankContext(bank)
      const ids = due.filter((_id, index) => index % lanes === lane)
      return processEach(context, ids, (id) => chargeDue(context, id))
    }),
  )
  const charged = outcomes.reduce(
    (total, outcome) => total + (outcome.status === 'fulfilled' ? outcome.value : 0),
    0,
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed && charged === 0) throw failed.reason
  return charged
}
