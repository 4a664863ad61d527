import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Schedule } from '../domain/standing-order.ts'

/** The total of the open authorizations with one direction and day of expiry. */
export interface OpenAuthorizationTotal {
  direction: 'in' | 'out'
  /** The day of the expiry, in UTC; null if the authorizations do not expire. */
  expiresOn: LocalDate | null
  openMinor: bigint
}

// The projection counts payments separately, so the bank's authorizations for them are excluded.
const openAuthorizationsSql = `
  select direction, (expires_at at time zone 'UTC')::date::text as "expiresOn", sum(open)::text as open
  from ledger.authorization where currency = $1 and open > 0 and client_id <> $2
  group by direction, 2`

/**
 * Returns the totals of the open authorizations in a currency, except the authorizations that the
 * bank made for payments.
 */
export async function readOpenAuthorizations(
  { bank }: Context,
  currency: string,
): Promise<OpenAuthorizationTotal[]> {
  const rows = await readRows<Omit<OpenAuthorizationTotal, 'openMinor'> & { open: string }>(
    bank,
    openAuthorizationsSql,
    [currency, bankCaller.clientId],
  )
  return rows.map(({ open, ...total }) => ({ ...total, openMinor: BigInt(open) }))
}

/** The total of the payments on a rail with one day. */
export interface UnsettledTotal {
  rail: string
  /** The day of the cut-off, in UTC; the execution date of payments that have none yet. */
  date: LocalDate
  amountMinor: bigint
}

// The states are not a parameter, so that PostgreSQL can use the index of the unsettled payments.
const unsettledSql = `
  select rail, coalesce((cut_off_at at time zone 'UTC')::date, execution_date)::text as date,
    sum(amount_minor)::text as amount
  from payments.payment
  where currency = $1 and rail = any($2) and direction = 'out'
    and state in ('scheduled', 'accepted', 'submitted', 'acknowledged')
  group by rail, 2`

/** Returns the totals of the outgoing payments on `rails` that have not left the nostro yet. */
export async function readUnsettledTotals(
  { bank }: Context,
  currency: string,
  rails: readonly string[],
): Promise<UnsettledTotal[]> {
  const rows = await readRows<{ rail: string; date: LocalDate; amount: string }>(
    bank,
    unsettledSql,
    [currency, rails],
  )
  return rows.map(({ amount, ...total }) => ({ ...total, amountMinor: BigInt(amount) }))
}

/** The total of the active standing orders on a rail that have the same payment dates. */
export interface StandingOrderTotal {
  rail: string
  schedule: Schedule
  amountMinor: bigint
}

// An end of the order counts only if it comes before `$3`. There is at most one payment a week.
const standingOrdersSql = `
  select rail, frequency, starts_on::text as "startsOn", next_on::text as "nextOn", occurrence,
    case when ends_on < $3::date then ends_on::text end as "endsOn",
    case when max_executions - executions <= ($3::date - next_on) / 7 + 1
      then max_executions - executions end as "maxExecutions",
    sum(amount_minor)::text as amount
  from payments.standing_order
  where currency = $1 and rail = any($2) and state = 'active' and next_on <= $3::date
  group by 1, 2, starts_on, next_on, 5, 6, 7`

/** Returns the totals of the active standing orders on `rails` with a payment date up to `until`. */
export async function readStandingOrderTotals(
  { bank }: Context,
  currency: string,
  rails: readonly string[],
  until: LocalDate,
): Promise<StandingOrderTotal[]> {
  type Row = Pick<
    Schedule,
    'frequency' | 'startsOn' | 'endsOn' | 'maxExecutions' | 'occurrence'
  > & {
    rail: string
    nextOn: LocalDate
    amount: string
  }
  const rows = await readRows<Row>(bank, standingOrdersSql, [currency, rails, until])
  return rows.map(({ rail, amount, ...schedule }) => ({
    rail,
    schedule: {
      ...schedule,
      state: 'active',
      executions: 0,
      attemptOn: schedule.nextOn,
      reasonCode: null,
    },
    amountMinor: BigInt(amount),
  }))
}
