import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import {
  firstDayOf,
  fiscalYearOf,
  lastDayOf,
  periodsOf,
  requirePeriodId,
} from '../domain/period.ts'
import { periodEvents, type PeriodEvent } from '../events.ts'
import type { AccountingPeriod, AccountingPeriodState } from '../model/period.ts'

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

/** Returns a period, stored or not. Throws VALIDATION_FAILED if the ID is not a month. */
export async function findPeriod(context: Context, periodId: string): Promise<AccountingPeriod> {
  requirePeriodId(periodId)
  return (await table.find(context, periodId)) ?? openPeriod(periodId)
}

/** Returns the periods of a fiscal year in their order. */
export async function readPeriods(
  context: Context,
  fiscalYear: number,
): Promise<AccountingPeriod[]> {
  const ids = periodsOf(fiscalYear)
  const found = await table.loadMany(context, ids)
  return ids.map((id, index) => found[index] ?? openPeriod(id))
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
