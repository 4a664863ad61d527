import { Prisma } from '../../../prisma/client/client.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { composites } from '../../../kernel/writing/composites.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { AccruedDay } from '../domain/accrued-day.ts'

const putSql =
  'insert into interest.daily_accrual as d select r.* from claim, ' +
  'unnest($1::interest.daily_accrual[]) r on conflict (arrangement_id, accrued_on) do update set ' +
  'balance_minor = excluded.balance_minor, units = excluded.units, ' +
  'product_version = excluded.product_version, rate_override_id = excluded.rate_override_id ' +
  'returning 1'

/** The days of one account. */
export interface DaysOfAccount {
  arrangementId: string
  days: readonly AccruedDay[]
}

/** Returns the writes that store accrued days, and replace those that were stored before. */
export function putDays(accounts: readonly DaysOfAccount[]): Write[] {
  // The values must have the order of the table's columns.
  const rows = accounts.flatMap(({ arrangementId, days }) =>
    [...new Map(days.map((day) => [day.accruedOn, day])).values()].map((day) => [
      arrangementId,
      day.accruedOn,
      day.balanceMinor,
      day.units,
      day.productVersion,
      day.rateOverrideId,
    ]),
  )
  return rows.length === 0 ? [] : [{ sql: putSql, values: [composites(rows)], rows: rows.length }]
}

/** A row as SQL returns it: large numbers are text. */
type AccrualRow = Omit<Prisma.InterestAccrualGetPayload<object>, 'balanceMinor' | 'units'> & {
  balanceMinor: string
  units: string
}
const columns = columnsAs<AccrualRow>(...Object.values(Prisma.InterestAccrualScalarFieldEnum))

const daysFromSql = `select ${columns} from interest.daily_accrual
  where arrangement_id = $1 and accrued_on >= $2::date`

/** Reads the stored days of an account from a day on. */
export async function readDays(
  { bank }: Context,
  arrangementId: string,
  from: LocalDate,
): Promise<Map<LocalDate, AccruedDay>> {
  const rows = await readRows<AccrualRow>(bank, daysFromSql, [arrangementId, from])
  return new Map(rows.map((row) => [dateOf(row.accruedOn), dayFrom(row)]))
}

const daysSql = `
  select ${columns}
  from unnest($1::text[]) a(id) cross join lateral (
    select * from interest.daily_accrual
    where arrangement_id = a.id and ($2::date is null or accrued_on < $2)
    order by accrued_on desc limit $3
  ) daily_accrual`

/** Lists the days of an account, the latest first. `after` is the last day of the previous page. */
export const listDays = listLoader(
  async (context, arrangementIds, { after, take }: { after: string | null; take: number }) => {
    const rows = await readRows<AccrualRow>(context.bank, daysSql, [arrangementIds, after, take])
    const lists = listsByKey(arrangementIds, rows, ({ arrangementId }) => arrangementId)
    return lists.map((list) => list.map(dayFrom))
  },
)

function dayFrom(row: AccrualRow): AccruedDay {
  const { accruedOn, balanceMinor, units, productVersion, rateOverrideId } = row
  return {
    accruedOn: dateOf(accruedOn),
    balanceMinor: BigInt(balanceMinor),
    units: BigInt(units),
    productVersion,
    rateOverrideId,
  }
}
