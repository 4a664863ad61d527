import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { dueFallbackMs, type Worker } from '../../../../kernel/work/worker.ts'
import { executeDrawdown } from '../../commands/drawdowns/drawdown.ts'
import { areDrawdownsDueSql, findDueDrawdowns } from '../../store/drawdowns/drawdown.ts'

const maxBatchSize = 50

/**
 * Pays out approved drawdowns once their value dates are reached. A drawdown that can no longer be
 * paid out is cancelled. If two workers run concurrently, each drawdown is paid out only once.
 */
export const executeDrawdowns: Worker = {
  name: 'lending.execute-drawdowns',
  nightlyPhase: 'payments',
  followsClock: true,
  purpose: 'Pays out approved drawdowns on their value dates.',
  everyMs: dueFallbackMs,
  isDueSql: areDrawdownsDueSql,
  async run(context: Context): Promise<number> {
    const dueDrawdowns = await findDueDrawdowns(context, dateOf(context.now()), maxBatchSize)
    for (const { drawdownId } of dueDrawdowns) await executeDrawdown(context, drawdownId)
    return dueDrawdowns.length
  },
}
