import type { FeeReceivableStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { type Context, inOrder, loader } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import type { FeeReceivableMovement } from '../domain/fee-receivable.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'
import { visibleWhere } from './visible.ts'

type ReceivableRow = Prisma.FeeReceivableGetPayload<object>

const tableName = 'operations.fee_receivable'

export const feeReceivableTable = tableOf<FeeReceivable, ReceivableRow>(
  tableName,
  'feeReceivableId',
  ({ db }) => db.feeReceivable,
  (row) => ({
    ...row,
    status: row.status as FeeReceivableStatus,
    periodStart: dateOf(row.periodStart),
    periodEnd: dateOf(row.periodEnd),
  }),
)

const oldestFirst = [{ dueSince: 'asc' }, { feeReceivableId: 'asc' }]

/** The maximum number of receivables of one account that are collected in one commit. */
const maxPerCommit = 100

/** Finds the open receivables of an account, oldest first, at most 100. */
export function findOpenReceivables(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  return feeReceivableTable.findMany(context, {
    where: { arrangementId, status: 'open' },
    orderBy: oldestFirst,
    take: maxPerCommit,
  })
}

/** Loads, for each account, the receivables that are visible to the caller, oldest first. */
export const loadReceivablesOf = loader<string, FeeReceivable[]>(async (context, ids) => {
  const found = await feeReceivableTable.findMany(context, {
    where: { arrangementId: { in: [...ids] }, ...(await visibleWhere(context)) },
    orderBy: oldestFirst,
  })
  return ids.map((id) => found.filter(({ arrangementId }) => arrangementId === id))
})

/** Loads receivables by ID. Those that do not exist or are not visible to the caller are null. */
export const loadReceivable = loader<string, FeeReceivable>(async (context, ids) => {
  const where = { feeReceivableId: { in: [...ids] }, ...(await visibleWhere(context)) }
  return inOrder(
    ids,
    await feeReceivableTable.findMany(context, { where }),
    feeReceivableTable.idOf,
  )
})

/**
 * Lists the receivables that are visible to the caller, in the order in which they were created.
 */
export async function listReceivables(
  context: Context,
  { arrangementId, status }: { arrangementId: string | null; status: FeeReceivableStatus | null },
  after: string[] | null,
  take: number,
): Promise<FeeReceivable[]> {
  // `AND` keeps the conditions separate, so that neither can overwrite a property of the other.
  const where = { arrangementId, status, AND: [await visibleWhere(context)] }
  return feeReceivableTable.list(context, where, after, take)
}

/** Returns the writes that queue the open receivables of accounts for collection. */
export async function queueCollection(
  context: Context,
  arrangementIds: readonly string[],
): Promise<Write[]> {
  if (arrangementIds.length === 0) return []
  const where = { arrangementId: { in: [...arrangementIds] }, status: 'open' }
  return writesOfQueue(context, where, true)
}

/**
 * Returns the writes that remove all receivables of an account from the queue, except those that the
 * same commit changes.
 */
export function unqueueCollection(
  context: Context,
  arrangementId: string,
  changed: readonly FeeReceivable[],
): Promise<Write[]> {
  const changedIds = changed.map(({ feeReceivableId }) => feeReceivableId)
  const where = { arrangementId, isCollectionDue: true, feeReceivableId: { notIn: changedIds } }
  return writesOfQueue(context, where, false)
}

async function writesOfQueue(
  { db }: Context,
  where: Prisma.FeeReceivableWhereInput,
  isCollectionDue: boolean,
): Promise<Write[]> {
  const found = await db.feeReceivable.findMany({
    where,
    select: { feeReceivableId: true, version: true },
  })
  if (found.length === 0) return []
  const rows = found.map(({ feeReceivableId, version }) => ({
    fee_receivable_id: feeReceivableId,
    version,
    is_collection_due: isCollectionDue,
  }))
  return [updateMany(tableName, 'fee_receivable_id', rows)]
}

/** Whether receivables are queued for collection. */
export const areCollectionsQueuedSql =
  'exists (select from operations.fee_receivable where is_collection_due)'

const queuedSql =
  'select distinct arrangement_id as id from operations.fee_receivable where is_collection_due limit $1'

/** Reads the IDs of accounts that have receivables queued for collection, at most `max`. */
export async function readQueuedAccounts({ bank }: Context, max: number): Promise<string[]> {
  const rows = await readRows<{ id: string }>(bank, queuedSql, [max])
  return rows.map(({ id }) => id)
}

/** The types of events after which an account that could not be debited may be debited again. */
export const unblockingEvents = [
  'accounts.arrangement.unblocked',
  'accounts.arrangement.reactivated',
  'accounts.arrangement.closure-requested',
]

const unblockedSql =
  "select substr(subject, strpos(subject, '/') + 1) as id from kernel.event " +
  'where position > $1 and position <= $2 and type = any($3)'

/**
 * Reads the IDs of the accounts with an unblocking event after position `from` of the event log, up
 * to and including position `to`.
 */
export async function readUnblockedAccounts(
  bank: Bank,
  from: bigint,
  to: bigint,
): Promise<string[]> {
  const values = [from.toString(), to.toString(), unblockingEvents]
  return (await readRows<{ id: string }>(bank, unblockedSql, values)).map(({ id }) => id)
}

export function insertMovement(movement: FeeReceivableMovement): Write {
  return insert('operations.fee_receivable_movement', {
    posting_instruction_id: movement.postingInstructionId,
    fee_receivable_id: movement.feeReceivableId,
    kind: movement.kind,
    amount_minor: movement.amountMinor,
    booked_at: movement.bookedAt,
  })
}

/** Loads the collections and waivers of receivables, in booking order. */
export const loadMovements = loader<string, FeeReceivableMovement[]>(async (context, ids) => {
  const found = await readMovements(context, ids)
  return ids.map((id) => found.filter(({ feeReceivableId }) => feeReceivableId === id))
})

export async function readMovements(
  { db }: Context,
  ids: readonly string[],
): Promise<FeeReceivableMovement[]> {
  const rows = await db.feeReceivableMovement.findMany({
    where: { feeReceivableId: { in: [...ids] } },
    orderBy: [{ bookedAt: 'asc' }, { postingInstructionId: 'asc' }],
  })
  return rows.map((row) => ({ ...row, kind: row.kind as FeeReceivableMovement['kind'] }))
}
