import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { beforeTimeAndId } from '../../../kernel/graph/connection.ts'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import type { Refusal, RefusalFilter } from '../domain/refusal.ts'

const fromRow = (row: Prisma.RefusalGetPayload<object>): Refusal => ({
  ...row,
  code: row.code as ProblemCode,
})

/** Lists groups of rejected requests, the group that began latest first. */
export async function listRefusals(
  { db }: Context,
  { since, isThere, ...textFilters }: RefusalFilter,
  after: string[] | null,
  take: number,
): Promise<Refusal[]> {
  const providedFilters = Object.entries(textFilters).filter(([, value]) => value !== null)
  const rows = await db.refusal.findMany({
    where: {
      ...Object.fromEntries(providedFilters),
      ...(isThere !== null && { isThere }),
      ...(since && { lastAt: { gte: since } }),
      ...beforeTimeAndId('firstAt', 'refusalId', after),
    },
    orderBy: [{ firstAt: 'desc' }, { refusalId: 'desc' }],
    take,
  })
  return rows.map(fromRow)
}

const deleteSql = `
  delete from kernel.refusal where ctid = any(array(
    select ctid from kernel.refusal where first_at < $1 limit $2))
    and first_at < $1`

/** Deletes up to `max` records that are older than `before`. Returns how many were deleted. */
export async function deleteRefusals({ bank }: Context, before: Date, max: number) {
  const { rowCount } = await bank.pool.query(deleteSql, [before, max])
  return rowCount ?? 0
}
