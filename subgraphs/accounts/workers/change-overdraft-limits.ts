import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { changeOverdraftLimit } from '../commands/overdraft.ts'
import { areLimitsDueSql, readAccountsWithDueLimit } from '../store/overdraft.ts'

const accountsPerRun = 200

/** Changes the limits of accounts on the days on which their overdrafts begin or have ended. */
export const changeOverdraftLimits: Worker = {
  name: 'accounts.change-overdraft-limits',
  nightlyPhase: 'validity',
  purpose: 'Changes the limits of accounts whose overdrafts begin or have ended.',
  everyMs: dueFallbackMs,
  followsClock: true,
  isDueSql: areLimitsDueSql,
  wakeOn: ['operations.clock.advanced'],
  async run(context: Context): Promise<number> {
    const today = dateOf(context.now())
    const ids = await readAccountsWithDueLimit(context, today, accountsPerRun)
    return processEach(context, ids, (arrangementId) =>
      changeOverdraftLimit(context, arrangementId),
    )
  },
}
