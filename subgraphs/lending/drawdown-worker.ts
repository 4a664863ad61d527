import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import type { Worker } from '../_kernel/worker.ts'
import { executeDrawdown } from './drawdowns.ts'
import { findDueDrawdowns } from './store/drawdown.ts'

const mostTogether = 50

/** Pays out approved drawdowns when their day has come. Whoever comes second finds them paid out. */
export const executeDrawdowns: Worker = {
  name: 'lending.execute-drawdowns',
  followsClock: true,
  purpose: 'Pays out approved drawdowns when their day has come.',
  everyMs: 10_000,
  async run(context: Context): Promise<number> {
    const due = await findDueDrawdowns(context, dateOf(context.now()), mostTogether)
    for (const { drawdownId } of due) await executeDrawdown(context, drawdownId)
    return due.length
  },
}
