import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../_kernel/context.ts'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import type { Refusal, RefusalFilter } from '../domain/refusal.ts'

const fromRow = (row: Prisma.RefusalGetPayload<object>): Refusal => ({
  ...row,
  code: row.code as ProblemCode,
})

/** Rejected requests, the latest `firstAt` first. */
export async function listRefusals(
  { db }: Context,
  { since, isThere, ...named }: RefusalFilter,
  after: string[] | null,
  take: number,
): Promise<Refusal[]> {
  const given = Object.entries(named).filter(([, value]) => value !== null)
  const at = after && new Date(after[0]!)
  const rows = await db.refusal.findMany({
    where: {
      ...Object.fromEntries(given),
      ...(isThere !== null && { isThere }),
      ...(since && { lastAt: { gte: since } }),
      ...(at && {
        OR: [{ firstAt: { lt: at } }, { firstAt: at, refusalId: { lt: after[1]! } }],
      }),
    },
    orderBy: [{ firstAt: 'desc' }, { refusalId: 'desc' }],
    take,
  })
  return rows.map(fromRow)
}

const forgetSql = `
  delete from kernel.refusal where ctid = any(array(
    select ctid from kernel.refusal where first_at < $1 limit $2))
    and first_at < $1`

/** Deletes up to a number of records before a time. Returns how many. */
export async function forgetRefusals({ bank }: Context, before: Date, most: number) {
  const { rowCount } = await bank.pool.query(forgetSql, [before, most])
  return rowCount ?? 0
}
