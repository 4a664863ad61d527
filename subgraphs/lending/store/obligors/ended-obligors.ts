import { readRows } from '../../../../kernel/database/read-rows.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { Context } from '../../../../kernel/environment/context.ts'

const expiredSql = `
  select o.obligor_id as "obligorId" from lending.facility_obligor o
  where o.status in ('active', 'release-proposed') and o.valid_until < $2::date and not exists (
    select from lending.guarantee_call c where c.obligor_id = o.obligor_id and c.status = 'open')
  order by o.valid_until, o.obligor_id limit $1`

/** Finds the obligors that are liable although their guarantee has ended without an open call. */
export async function findExpiredObligors({ bank, now }: Context, take: number): Promise<string[]> {
  const values = [take, dateOf(now())]
  const rows = await readRows<{ obligorId: string }>(bank, expiredSql, values)
  return rows.map(({ obligorId }) => obligorId)
}
