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

/** The end of a facility in the event log. */
export interface FacilityEnd {
  position: string
  /** The position up to which the consumer has read the log. */
  from: string
  facilityId: string
}

const endsSql = `
  with c as (select coalesce((select position from kernel.consumer where name = $1), 0) as position)
  select e.position::text, c.position::text as from, e.data->>'facilityId' as "facilityId"
  from kernel.event e, c
  where e.type = any($2) and e.position > c.position
  order by e.position limit $3`

/** Finds the next events that end facilities, which a consumer has not read. */
export function findFacilityEnds(
  { bank }: Context,
  consumer: string,
  types: readonly string[],
  take: number,
): Promise<FacilityEnd[]> {
  return readRows<FacilityEnd & Record<string, unknown>>(bank, endsSql, [consumer, types, take])
}
