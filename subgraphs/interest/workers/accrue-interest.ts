import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { isUnavailable } from '../../../kernel/database/sql-errors.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { accruePage } from '../commands/accrue-page.ts'
import { isInterestDueSql, leaseDuePositions, readProgress } from '../store/position.ts'

/** The number of accounts that are accrued in one commit. */
const accountsPerPage = 200
/** How long a process may take for a page before another process takes it over. */
const leaseMs = 15_000

/** Creates the worker that accrues pages of `pageSize` accounts. */
export function accrualWorker(pageSize: number): Worker {
  return {
    name: 'accounts.accrue-interest',
    followsClock: true,
    purpose: 'Accrues the interest of accounts for each day that has ended, and pays it when due.',
    everyMs: 60_000,
    isDueSql: isInterestDueSql,
    wakeOn: ['operations.clock.advanced'],
    async run(context: Context): Promise<number> {
      const leaseId = context.newId('event')
      const arrangementIds = await leaseDuePositions(context, leaseId, leaseMs, pageSize)
      if (arrangementIds.length === 0) return 0
      try {
        await accruePage(context, { arrangementIds })
        return arrangementIds.length
      } catch (error) {
        if (isOutage(error)) throw error
        // One account failed, so each is accrued in its own commit. The others are not blocked.
        context.bank.log.warn({ error }, 'the page failed; its accounts are accrued one by one')
        return processEach(context, arrangementIds, (arrangementId) =>
          accruePage(context, { arrangementIds: [arrangementId] }),
        )
      }
    },
    async progress(context: Context) {
      const businessDate = addDays(dateOf(context.now()), -1)
      return { businessDate, ...(await readProgress(context, businessDate)) }
    },
  }
}

/**
 * Accrues interest through the last day that has ended, a page of accounts in each commit. Several
 * processes share the accounts, because each leases its own pages. Each account stores how far it
 * is accrued, so an interrupted run continues where it stopped.
 */
export const accrueDeposits = accrualWorker(accountsPerPage)

function isOutage(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 : isUnavailable(error)
}
