import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import {
  firstDayOf,
  fiscalYearOf,
  isClosed,
  lastDayOf,
  periodsOf,
  requirePeriodId,
  type Periods,
} from '../domain/period.ts'
import { periodEvents, type PeriodEvent } from '../events.ts'
import type { AccountingPeriod, AccountingPeriodState } from '../model/period.ts'
import { readBook } from './book.ts'

const table = tableOf<AccountingPeriod, Prisma.AccountingPeriodGetPayload<object>>(
  'general_ledger.accounting_period',
  'accountingPeriodId',
  ({ db }) => db.accountingPeriod,
  (row) => ({
    ...row,
    ...daysOf(row.accountingPeriodId),
    state: row.state as AccountingPeriodState,
  }),
)

function daysOf(accountingPeriodId: string) {
  return {
    fiscalYear: fiscalYearOf(accountingPeriodId),
    firstDay: firstDayOf(accountingPeriodId),
    lastDay: lastDayOf(accountingPeriodId),
  }
}

/** Returns a period whose state has never changed. */
function openPeriod(accountingPeriodId: string): AccountingPeriod {
  const createdAt = new Date(`${firstDayOf(accountingPeriodId)}T00:00:00Z`)
  return {
    accountingPeriodId,
    ...daysOf(accountingPeriodId),
    state: 'open',
    closings: 0,
    closedBy: null,
    closedAt: null,
    reopeningReason: null,
    reopeningProposedBy: null,
    contentHash: '',
    version: 0,
    createdAt,
    updatedAt: createdAt,
  }
}

/**
 * Returns a period as the book says: every period up to the last closed one is closed, also those
 * that the first closing closed along with it.
 */
function inBook(period: AccountingPeriod, book: Periods): AccountingPeriod {
  return isClosed(period.lastDay, book) ? { ...period, state: 'closed' } : period
}

/** Returns a period, stored or not. Throws VALIDATION_FAILED if the ID is not a month. */
export async function findPeriod(context: Context, periodId: string): Promise<AccountingPeriod> {
  requirePeriodId(periodId)
  const [found, book] = await Promise.all([table.find(context, periodId), readBook(context)])
  return inBook(found ?? openPeriod(periodId), book)
}

/** Returns the periods of a fiscal year in their order. */
export async function readPeriods(
  context: Context,
  fiscalYear: number,
): Promise<AccountingPeriod[]> {
  const ids = periodsOf(fiscalYear)
  const [found, book] = await Promise.all([table.loadMany(context, ids), readBook(context)])
  return ids.map((id, index) => inBook(found[index] ?? openPeriod(id), book))
}

export const periodKind: RecordKind<AccountingPeriod, PeriodEvent> = {
  ...table,
  ...periodEvents,
  id: 'accountingPeriod',
  notFound: 'VALIDATION_FAILED',
  created: 'general-ledger.period.soft-closed',
  ownersOf: () => [],
  isPublished: false,
  find: findPeriod,
  /** A period is stored when its state changes for the first time. */
  update: (before, after) =>
    before.version === 0 ? table.insert(after) : table.update(before, after),
}

/** Loads periods by ID, stored or not. Throws VALIDATION_FAILED if an ID is not a month. */
export function loadPeriods(context: Context, ids: readonly string[]): Promise<AccountingPeriod[]> {
  return Promise.all(ids.map((id) => findPeriod(context, id)))
}
