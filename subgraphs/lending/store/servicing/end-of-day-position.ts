import type { EndOfDayPosition, EndOfDayFailure } from '../../model/servicing/end-of-day.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { readRows } from '../../../../kernel/database/read-rows.ts'
import { isServiced } from '../../domain/facilities/facility.ts'
import { sqlWhere } from '../facilities/facility.ts'

const maxFailures = 100
const servicedSql = sqlWhere(isServiced)
// Each part reads only the end of an index, or the facilities that are behind.
const positionSql =
  `select least((select min(f.closed_through) from lending.facility f where ${servicedSql}), $1) as "closedThrough", ` +
  '(select count(*) from lending.facility f ' +
  `where ${servicedSql} and f.closed_through < $1)::int as behind`
const failuresSql =
  'select f.facility_id as "facilityId", f.closed_through + 1 as "businessDate", e.code, e.detail, ' +
  'e.failed_at as "failedAt" from lending.end_of_day_failure e join lending.facility f using (facility_id) ' +
  `where ${servicedSql} and f.closed_through < e.through order by f.facility_id limit $1`

/**
 * Reads the progress of the end of day up to a business date, with at most 100 failures. A failure
 * is left out once its facility has been closed through the date up to which the failed attempt was
 * to close it, or no longer has to be closed.
 */
export async function readPosition(
  { bank }: Context,
  through: LocalDate,
): Promise<EndOfDayPosition> {
  const [[position], failures] = await Promise.all([
    readRows<{ closedThrough: Date; behind: number }>(bank, positionSql, [through]),
    readRows<Omit<EndOfDayFailure, 'businessDate'> & { businessDate: Date }>(bank, failuresSql, [
      maxFailures,
    ]),
  ])
  return {
    closedThrough: dateOf(position!.closedThrough),
    behind: position!.behind,
    failures: failures.map((each) => ({ ...each, businessDate: dateOf(each.businessDate) })),
  }
}

const recordSql =
  'insert into lending.end_of_day_failure as e (facility_id, through, code, detail, failed_at) ' +
  'select $1::text, $2::date, $3::text, $4::text, $5::timestamptz from claim ' +
  'on conflict (facility_id) do update set through = excluded.through, code = excluded.code, ' +
  'detail = excluded.detail, failed_at = excluded.failed_at returning 1'

/**
 * Records that the end of day of a facility failed. An earlier failure of the same facility is
 * replaced.
 */
export function recordFailure(
  context: Context,
  facilityId: string,
  through: LocalDate,
  { code, detail }: { code: string; detail: string },
): Promise<void> {
  return command<void>(context, 'lending.end-of-day-failed', { facilityId }, () => {
    const values = [facilityId, through, code, detail, context.now().toISOString()]
    return Promise.resolve({ result: undefined, writes: [{ sql: recordSql, values, rows: 1 }] })
  })
}
