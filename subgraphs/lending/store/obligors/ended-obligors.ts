import { dateOf } from '../../../../kernel/domain/dates.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { statesWhere } from '../../domain/facilities/facility.ts'
import { canChangeObligors } from '../../domain/obligors/obligor.ts'

const endedStates = statesWhere((facility) => !canChangeObligors(facility))
  .map((state) => `'${state}'`)
  .join(', ')

const endedSql = `
  select o.obligor_id as "obligorId"
  from lending.facility_obligor o join lending.facility f using (facility_id)
  where o.status in ('active', 'release-proposed') and (f.state in (${endedStates})
    or o.valid_until < $2::date and not exists (
      select from lending.guarantee_call c where c.obligor_id = o.obligor_id and c.status = 'open'))
  order by o.obligor_id limit $1`

/**
 * Finds the obligors that are still recorded as liable although their facility has ended, or the last
 * day of their guarantee has passed without an open call.
 */
export async function findEndedObligors({ bank, now }: Context, take: number): Promise<string[]> {
  const today = dateOf(now())
  const rows = await bank.db.$queryRawUnsafe<{ obligorId: string }[]>(endedSql, take, today)
  return rows.map(({ obligorId }) => obligorId)
}
