import { readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { InterestPosition } from '../domain/position.ts'
import { overdraftPositions } from './position.ts'

/** Counting back from the day before, an overdrawn day belongs to the run if no day is missing. */
const runStartsSql =
  'select a.id, min(d.accrued_on) as since from unnest($1::text[], $2::date[]) a (id, before) ' +
  'cross join lateral (select accrued_on, ' +
  'accrued_on + (row_number() over (order by accrued_on desc))::int as next ' +
  'from interest.overdraft_accrual where arrangement_id = a.id and accrued_on < a.before ' +
  'and balance_minor > 0) d where d.next = a.before group by a.id'

/** An account, and a day before which it may have been overdrawn. */
interface RunRequest {
  arrangementId: string
  before: LocalDate
}

/**
 * Reads from the stored days since when accounts were overdrawn, without a break, at the end of the
 * day before a day. Accounts that were not overdrawn then are left out.
 */
export async function readRunStarts(
  { bank }: Context,
  requests: readonly RunRequest[],
): Promise<Map<string, LocalDate>> {
  if (requests.length === 0) return new Map()
  const values = [
    requests.map(({ arrangementId }) => arrangementId),
    requests.map(({ before }) => before),
  ]
  const rows = await readRows<{ id: string; since: Date }>(bank, runStartsSql, values)
  return new Map(rows.map(({ id, since }) => [id, dateOf(since)]))
}

/** Which exposures are listed. */
export interface ExposureFilter {
  arrangementId?: string | null
  minDaysPastDue?: number | null
}

// The conditions are those of the indexes.
const exposedSql = 'not is_ended and (overdrawn_since is not null or limit_minor > 0)'
const pastDueSql = 'not is_ended and days_beyond_limit > 0'

/** Lists the positions of accounts that are overdrawn or have a limit, in the order of their IDs. */
export async function listExposed(
  context: Context,
  { arrangementId, minDaysPastDue }: ExposureFilter,
  after: string | null,
  take: number,
): Promise<InterestPosition[]> {
  const minDays = minDaysPastDue ?? 0
  const sql =
    `select arrangement_id as id from interest.overdraft_position where ${minDays > 0 ? pastDueSql : exposedSql} ` +
    'and arrangement_id > $1 and ($2::text is null or arrangement_id = $2) ' +
    'and days_beyond_limit >= $3 order by arrangement_id limit $4'
  const values = [after ?? '', arrangementId ?? null, minDays, take]
  const ids = (await readRows<{ id: string }>(context.bank, sql, values)).map(({ id }) => id)
  const found = new Map(
    (await overdraftPositions.find(context, ids)).map((each) => [each.arrangementId, each]),
  )
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The last day through which every exposure is derived: the minimum of two indexes. */
export const exposedThroughSql =
  'select least((select min(accrued_through) from interest.overdraft_position where not is_ended), ' +
  '(select min(coalesce(exposure_through, opened_on - 1)) from interest.overdraft_position ' +
  'where not is_ended and exposure_through is distinct from accrued_through)) as through'

/** Reads the last day through which every exposure is derived; null if no account can be overdrawn. */
export async function readExposedThrough({ bank }: Context): Promise<LocalDate | null> {
  const [row] = await readRows<{ through: Date | null }>(bank, exposedThroughSql, [])
  return row!.through && dateOf(row!.through)
}
