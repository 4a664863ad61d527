import { keyOwner } from '../../../kernel/writing/attempts.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { update, type Write } from '../../../kernel/writing/writes.ts'
import type { IdempotencyRecord } from '../model/idempotency.ts'

/**
 * Finds the latest request with an idempotency key of the caller, optionally for one operation;
 * null if there is none.
 */
export function findKey(
  context: Context,
  key: string,
  operation: string | null,
): Promise<IdempotencyRecord | null> {
  return context.db.idempotency.findFirst({
    where: { owner: keyOwner(context), key, ...(operation !== null && { operation }) },
    orderBy: [{ createdAt: 'desc' }, { operation: 'asc' }],
    select: { key: true, operation: true, resourceId: true, createdAt: true },
  })
}

/**
 * Returns the write that moves the clock if the clock still has `expectedVersion`. `aheadMs` is the
 * new offset from real time, in milliseconds.
 */
export function setClock(expectedVersion: number, aheadMs: number): Write {
  return update('kernel.clock', { id: true }, expectedVersion, { offset_ms: aheadMs })
}

const retentionMs = 30 * dayMs
const deleteSql = `
  delete from kernel.idempotency where ctid = any(array(
    select ctid from kernel.idempotency where created_at < $1 and not is_retained limit $2))
    and created_at < $1 and not is_retained`

/**
 * Deletes up to `max` keys that are older than 30 days of real time and not retained. Returns how
 * many were deleted.
 */
export async function deleteKeys({ bank }: Context, now: Date, max: number): Promise<number> {
  const { rowCount } = await bank.pool.query(deleteSql, [addMs(now, -retentionMs), max])
  return rowCount ?? 0
}
