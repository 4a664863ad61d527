import { listLoader, listsByKey } from '../../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { columnsOf } from '../../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../../kernel/writing/writes.ts'
import { Prisma } from '../../../../prisma/client/client.ts'
import type { RateReset } from '../../domain/rate-resets/rate-reset.ts'

/** Returns the writes that insert resets. */
export function insertResets(resets: readonly RateReset[], now: Date): Write[] {
  if (resets.length === 0) return []
  const rows = resets.map((reset) => columnsOf({ ...reset, createdAt: now }))
  return [insert('lending.rate_reset', ...rows)]
}

type ResetRow = Prisma.RateResetGetPayload<object>

const resetsSql = `
  select ${columnsAs<ResetRow>(...Object.values(Prisma.RateResetScalarFieldEnum))}
  from unnest($1::text[]) f(id) cross join lateral (
    select * from lending.rate_reset
    where facility_id = f.id and ($2::date is null or reset_on < $2) order by reset_on desc limit $3
  ) reset`

/**
 * Lists the resets of facilities that the caller may see, newest first: those before the reset date
 * `before`, unless it is null.
 */
export const listResets = listLoader(
  async ({ bank }, facilityIds, { before, take }: { before: LocalDate | null; take: number }) => {
    const rows = await readRows<ResetRow>(bank, resetsSql, [facilityIds, before, take])
    const resets = rows.map((row) => ({
      ...row,
      resetOn: dateOf(row.resetOn),
      effectiveFrom: dateOf(row.effectiveFrom),
      fixedOn: dateOf(row.fixedOn),
    }))
    return listsByKey(facilityIds, resets, ({ facilityId }) => facilityId)
  },
)
