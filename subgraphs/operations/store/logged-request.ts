import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { LoggedRequest, LoggedRequestFilter } from '../domain/logged-request.ts'

const fromRow = (row: Prisma.RequestLogEntryGetPayload<object>): LoggedRequest => ({
  ...row,
  entryId: String(row.entryId),
  code: row.code as ProblemCode | null,
})

/** Lists requests, the latest first. */
export async function listLoggedRequests(
  { db }: Context,
  { isRejected, ...textFilters }: LoggedRequestFilter,
  after: string[] | null,
  take: number,
): Promise<LoggedRequest[]> {
  const providedFilters = Object.entries(textFilters).filter(([, value]) => value !== null)
  const rows = await db.requestLogEntry.findMany({
    where: {
      ...Object.fromEntries(providedFilters),
      ...(isRejected !== null && { code: isRejected ? { not: null } : null }),
      ...(after && { entryId: { lt: BigInt(after[0]!) } }),
    },
    orderBy: { entryId: 'desc' },
    take,
  })
  return rows.map(fromRow)
}

const deleteSql = `
  delete from kernel.request_log where entry_id = any(array(
    select entry_id from kernel.request_log where at < $1 order by entry_id limit $2))`

/** Deletes up to `max` requests that are older than `before`. Returns how many were deleted. */
export async function deleteLoggedRequests({ bank }: Context, before: Date, max: number) {
  const { rowCount } = await bank.pool.query(deleteSql, [before, max])
  return rowCount ?? 0
}
