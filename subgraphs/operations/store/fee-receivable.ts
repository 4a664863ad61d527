import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../_kernel/context.ts'
import { loader } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { idsGranted } from '../../_kernel/entitlements.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import { tableOf } from '../../_kernel/table.ts'
import { insert, updateMany, type Write } from '../../_kernel/writes.ts'
import type {
  FeeReceivable,
  FeeReceivableMovement,
  FeeReceivableStatus,
} from '../domain/fee-receivable.ts'

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

/** How many receivables of one account are collected in one commit. */
const maxTogether = 100

/** What an account owes, oldest first. */
export function findOpenReceivables(
  context: Context,
  arrangementId: string,
): Promise<FeeReceivable[]> {
  return feeReceivableTable.findMany(context, {
    where: { arrangementId, status: 'open' },
    orderBy: oldestFirst,
    take: maxTogether,
  })
}

/** Which receivables the caller may see: machines all, a delegated user those of accounts they own or may view. */
async function visibleTo(context: Context): Promise<object> {
  const { partyId } = context.caller
  if (partyId === null) return {}
  const granted = await idsGranted(context, 'arrangement')
  return { OR: [{ partyId }, { arrangementId: { in: granted } }] }
}

/** The receivables of accounts that the caller may see, oldest first. */
export const loadReceivablesOf = loader<string, FeeReceivable[]>(async (context, ids) => {
  const found = await feeReceivableTable.findMany(context, {
    where: { arrangementId: { in: [...ids] }, ...(await visibleTo(context)) },
    orderBy: oldestFirst,
  })
  return ids.map((id) => found.filter(({ arrangementId }) => arrangementId === id))
})

/** One receivable; null for one that is not the caller's to see. */
export async function findVisibleReceivable(
  context: Context,
  feeReceivableId: string,
): Promise<FeeReceivable | null> {
  const where = { feeReceivableId, ...(await visibleTo(context)) }
  const [found] = await feeReceivableTable.findMany(context, { where, take: 1 })
  return found ?? null
}

/** Receivables that the caller may see, in the order they were created. */
export async function listReceivables(
  context: Context,
  filter: { arrangementId: string | null; status: FeeReceivableStatus | null },
  after: string[] | null,
  take: number,
): Promise<FeeReceivable[]> {
  const { arrangementId, status } = filter
  const wanted = {
    ...(arrangementId !== null && { arrangementId }),
    ...(status !== null && { status }),
  }
  // Both conditions may have alternatives of their own.
  const where = { AND: [wanted, await visibleTo(context)] }
  return feeReceivableTable.list(context, where, after, take)
}

/** Queues the open receivables of accounts for an attempt to collect them. */
export async function queueCollection(
  context: Context,
  arrangementIds: readonly string[],
): Promise<Write[]> {
  if (arrangementIds.length === 0) return []
  const found = await context.db.feeReceivable.findMany({
    where: { arrangementId: { in: [...arrangementIds] }, status: 'open' },
    select: { feeReceivableId: true, version: true },
  })
  if (found.length === 0) return []
  const rows = found.map(({ feeReceivableId, version }) => ({
    fee_receivable_id: feeReceivableId,
    version,
    is_collection_due: true,
  }))
  return [updateMany(tableName, 'fee_receivable_id', rows)]
}

const queuedSql =
  'select distinct arrangement_id as id from operations.fee_receivable where is_collection_due limit $1'

/** Accounts with receivables that are queued for collection. */
export async function readQueuedAccounts({ bank }: Context, max: number): Promise<string[]> {
  const rows = await readRows<{ id: string }>(bank, queuedSql, [max])
  return rows.map(({ id }) => id)
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

/** What was collected and waived of receivables, in the order it was booked. */
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
