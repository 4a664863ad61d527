import { keyOwner } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { addMs, dayMs } from '../../_kernel/domain/dates.ts'
import { update, type Write } from '../../_kernel/writes.ts'
import type { IdempotencyRecord } from '../graph/idempotency.types.ts'

/**
 * The latest request with an idempotency key of the caller, optionally for one operation; null when
 * there is none.
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

/** Moves the clock, guarded by the version that was read. */
export function moveClock(version: number, aheadMs: number): Write {
  return update('kernel.clock', { id: true }, version, { offset_ms: aheadMs })
}

const keptMs = 30 * dayMs
const forgetSql = `
  delete from kernel.idempotency where ctid = any(array(
    select ctid from kernel.idempotency where created_at < $1 and not is_kept limit $2))
    and created_at < $1 and not is_kept`

/** Deletes up to a number of keys that are older than 30 days of real time. Returns how many. */
export async function forgetKeys({ bank }: Context, now: Date, most: number): Promise<number> {
  const { rowCount } = await bank.pool.query(forgetSql, [addMs(now, -keptMs), most])
  return rowCount ?? 0
}
