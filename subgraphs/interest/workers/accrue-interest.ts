import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { isUnavailable } from '../../../kernel/database/sql-errors.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { accruePage } from '../commands/accrue-page.ts'
import { deposits, overdrafts } from '../commands/book.ts'
import { commitmentFees } from '../commands/commitment-fees.ts'

/** The number of accounts that are accrued in one commit. */
const accountsPerPage = 200
/** How long a process may take for a page before another process takes it over. */
const leaseMs = 15_000

const depositWork = {
  name: 'accounts.accrue-interest',
  purpose: 'Accrues the interest of accounts for each day that has ended, and pays it when due.',
}
const overdraftWork = {
  name: 'accounts.accrue-overdraft-interest',
  purpose:
    'Accrues the interest of overdrafts for each day that has ended, and charges it when due.',
}

const feeWork = {
  name: 'accounts.accrue-commitment-fees',
  purpose:
    'Accrues the fees for unused limits for each day that has ended, and charges them when due.',
}

/** Creates the worker that accrues pages of `pageSize` accounts in a book. */
export function accrualWorker(
  pageSize: number,
  book = deposits,
  { name, purpose }: Pick<Worker, 'name' | 'purpose'> = depositWork,
): Worker {
  const { positions } = book
  return {
    name,
    followsClock: true,
    nightlyPhase: 'interest',
    purpose,
    everyMs: dueFallbackMs,
    isDueSql: positions.isDueSql,
    wakeOn: ['operations.clock.advanced'],
    async run(context: Context): Promise<number> {
      const leaseId = context.newId('event')
      const arrangementIds = await positions.leaseDue(context, leaseId, leaseMs, pageSize)
      if (arrangementIds.length === 0) return 0
      try {
        await accruePage(context, book, { arrangementIds })
        return arrangementIds.length
      } catch (error) {
        if (isOutage(error)) throw error
        // One account failed, so each is accrued in its own commit. The others are not blocked.
        context.bank.log.warn({ error }, 'the page failed; its accounts are accrued one by one')
        return processEach(context, arrangementIds, (arrangementId) =>
          accruePage(context, book, { arrangementIds: [arrangementId] }),
        )
      }
    },
    async progress(context: Context) {
      const businessDate = addDays(dateOf(context.now()), -1)
      return { businessDate, ...(await positions.readProgress(context, businessDate)) }
    },
  }
}

/**
 * Accrues interest through the last day that has ended, a page of accounts in each commit. Several
 * processes share the accounts, because each leases its own pages. Each account stores how far it
 * is accrued, so an interrupted run continues where it stopped.
 */
export const accrueDeposits = accrualWorker(accountsPerPage)

/** Accrues and charges the interest of overdrafts in the same way. */
export const accrueOverdrafts = accrualWorker(accountsPerPage, overdrafts, overdraftWork)

/** Accrues and charges commitment fees in the same way. */
export const accrueCommitmentFees = accrualWorker(accountsPerPage, commitmentFees, feeWork)

function isOutage(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 : isUnavailable(error)
}
