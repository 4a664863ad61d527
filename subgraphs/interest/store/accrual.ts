import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { composites } from '../../../kernel/writing/composites.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { AccruedDay } from '../domain/accrued-day.ts'

/** The days of one account. */
export interface DaysOfAccount {
  arrangementId: string
  days: readonly AccruedDay[]
}

/** A row as SQL returns it: large numbers are text. */
interface DayRow {
  arrangementId: string
  accruedOn: Date
  balanceMinor: string
  units: string
  productVersion: string
  rateId: string | null
  daysBeyondLimit: number
  isSuspended: boolean
}

/** A table of accrued days. */
interface DayTable {
  table: 'interest.daily_accrual' | 'interest.overdraft_accrual' | 'interest.commitment_fee_accrual'
  rateColumn: 'rate_override_id' | 'overdraft_id'
  /** Whether the table has the days beyond the overdraft limit, in its last two columns. */
  hasLimit: boolean
  /** Whether only the overdrawn days are listed. */
  isOverdrawnOnly: boolean
}

function sqlOf({ table, rateColumn, hasLimit, isOverdrawnOnly }: DayTable) {
  const putSql =
    `insert into ${table} as d select r.* from claim, ` +
    `unnest($1::${table}[]) r on conflict (arrangement_id, accrued_on) do update set ` +
    'balance_minor = excluded.balance_minor, units = excluded.units, ' +
    `product_version = excluded.product_version, ${rateColumn} = excluded.${rateColumn} ` +
    `${hasLimit ? ', days_beyond_limit = excluded.days_beyond_limit, is_suspended = excluded.is_suspended ' : ''}returning 1`
  const columns =
    'arrangement_id as "arrangementId", accrued_on as "accruedOn", ' +
    'balance_minor::text as "balanceMinor", units::text as units, ' +
    `product_version as "productVersion", ${rateColumn} as "rateId", ` +
    `${hasLimit ? 'days_beyond_limit' : '0'} as "daysBeyondLimit", ` +
    `${hasLimit ? 'is_suspended' : 'false'} as "isSuspended"`
  const fromSql = `select ${columns} from ${table} where arrangement_id = $1 and accrued_on >= $2::date`
  const listSql = `
    select ${columns}
    from unnest($1::text[]) a(id) cross join lateral (
      select * from ${table}
      where arrangement_id = a.id and ($2::date is null or accrued_on < $2)
        ${isOverdrawnOnly ? 'and balance_minor > 0' : ''}
      order by accrued_on desc limit $3
    ) day`
  return { putSql, fromSql, listSql }
}

/** Returns the reads and writes of a table of accrued days. */
function dayStore(declared: DayTable) {
  const { hasLimit } = declared
  const { putSql, fromSql, listSql } = sqlOf(declared)
  return {
    /** Returns the writes that store accrued days, and replace those that were stored before. */
    put(accounts: readonly DaysOfAccount[]): Write[] {
      // The values must have the order of the table's columns.
      const rows = accounts.flatMap(({ arrangementId, days }) =>
        [...new Map(days.map((day) => [day.accruedOn, day])).values()].map((day) => [
          arrangementId,
          day.accruedOn,
          day.balanceMinor,
          day.units,
          day.productVersion,
          day.rateId,
          ...(hasLimit ? [day.daysBeyondLimit, day.isSuspended] : []),
        ]),
      )
      if (rows.length === 0) return []
      return [{ sql: putSql, values: [composites(rows)], rows: rows.length }]
    },
    /** Reads the stored days of an account from a day on. */
    async readFrom(
      { bank }: Context,
      arrangementId: string,
      from: LocalDate,
    ): Promise<Map<LocalDate, AccruedDay>> {
      const rows = await readRows<DayRow>(bank, fromSql, [arrangementId, from])
      return new Map(rows.map((row) => [dateOf(row.accruedOn), dayFrom(row)]))
    },
    /**
     * Lists the days of an account, the latest first; of an overdraft, only the overdrawn ones.
     * `after` is the last day of the previous page.
     */
    list: listLoader(
      async (context, arrangementIds, { after, take }: { after: string | null; take: number }) => {
        const values = [arrangementIds, after, take]
        const rows = await readRows<DayRow>(context.bank, listSql, values)
        const lists = listsByKey(arrangementIds, rows, ({ arrangementId }) => arrangementId)
        return lists.map((list) => list.map(dayFrom))
      },
    ),
  }
}

function dayFrom({ arrangementId: _, accruedOn, balanceMinor, units, ...row }: DayRow): AccruedDay {
  return {
    ...row,
    accruedOn: dateOf(accruedOn),
    balanceMinor: BigInt(balanceMinor),
    units: BigInt(units),
  }
}

/** The days on which accounts earn interest. */
export const depositDays = dayStore({
  table: 'interest.daily_accrual',
  rateColumn: 'rate_override_id',
  hasLimit: false,
  isOverdrawnOnly: false,
})

/** The days of accounts that can be overdrawn. */
export const overdraftDays = dayStore({
  table: 'interest.overdraft_accrual',
  rateColumn: 'overdraft_id',
  hasLimit: true,
  isOverdrawnOnly: true,
})

/** The days on which accounts are charged for the unused part of their limit. */
export const commitmentFeeDays = dayStore({
  table: 'interest.commitment_fee_accrual',
  rateColumn: 'overdraft_id',
  hasLimit: true,
  isOverdrawnOnly: false,
})
