import { listLoader, listsByKey } from '../../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
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

const resetFromRow = (row: ResetRow) => ({
  ...row,
  resetOn: dateOf(row.resetOn),
  effectiveFrom: dateOf(row.effectiveFrom),
  fixedOn: dateOf(row.fixedOn),
})

/** A stored reset. */
export type StoredReset = RateReset & Pick<ResetRow, 'createdAt'>

/** Reads a reset by its date; null if there is none. Does not check the caller's permissions. */
export async function findReset(
  { bank }: Context,
  facilityId: string,
  resetOn: LocalDate,
): Promise<StoredReset | null> {
  const key = { facilityId, resetOn: new Date(resetOn) }
  const row = await bank.db.rateReset.findUnique({ where: { facilityId_resetOn: key } })
  return row && resetFromRow(row)
}

/**
 * Reads the first reset that changed the rate on the same day as a reset and in the same commit: both
 * had waited for their fixings. It is the reset itself if it was the only one. Does not check the
 * caller's permissions.
 */
export async function findFirstChange({ bank }: Context, reset: StoredReset): Promise<StoredReset> {
  const { facilityId, resetOn, effectiveFrom, createdAt } = reset
  const row = await bank.db.rateReset.findFirst({
    where: {
      facilityId,
      resetOn: { lte: new Date(resetOn) },
      effectiveFrom: new Date(effectiveFrom),
      createdAt,
      scheduleVersion: { not: null },
    },
    orderBy: { resetOn: 'asc' },
  })
  return row ? resetFromRow(row) : reset
}

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
    const resets = rows.map(resetFromRow)
    return listsByKey(facilityIds, resets, ({ facilityId }) => facilityId)
  },
)
