import { Prisma } from '../../../prisma/client/client.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { BookedAdjustment, BookedCapitalization } from '../domain/booked.ts'
import type { CapitalizationReason } from '../domain/capitalize.ts'

export function insertCapitalizations(payments: readonly BookedCapitalization[]): Write[] {
  if (payments.length === 0) return []
  return [insert('interest.capitalization', ...payments.map((payment) => columnsOf(payment)))]
}

export function insertAdjustments(adjustments: readonly BookedAdjustment[]): Write[] {
  if (adjustments.length === 0) return []
  return [insert('interest.adjustment', ...adjustments.map((adjustment) => columnsOf(adjustment)))]
}

type CapitalizationRow = Prisma.InterestCapitalizationGetPayload<object>
/** A row as SQL returns it: large numbers are text. */
type AdjustmentRow = Omit<Prisma.InterestAdjustmentGetPayload<object>, 'amountMinor' | 'units'> & {
  amountMinor: string
  units: string
}

const capitalizationsSql = `
  select ${columnsAs<CapitalizationRow>(...Object.values(Prisma.InterestCapitalizationScalarFieldEnum))}
  from unnest($1::text[]) a(id) cross join lateral (
    select * from interest.capitalization
    where arrangement_id = a.id
      and ($2::date is null or (effective_on, capitalization_id) < ($2, $3::text))
    order by effective_on desc, capitalization_id desc limit $4
  ) capitalization`

/**
 * Lists the payments of interest of an account, the latest first. `after` has the date and the ID of
 * the last payment on the previous page.
 */
export const listCapitalizations = listLoader(
  async (context, arrangementIds, { after, take }: { after: string[] | null; take: number }) => {
    const [day = null, id = null] = after ?? []
    const values = [arrangementIds, day, id, take]
    const rows = await readRows<CapitalizationRow>(context.bank, capitalizationsSql, values)
    const visibleRows = await context.keepVisible('interestCapitalization', rows)
    const lists = listsByKey(arrangementIds, visibleRows, ({ arrangementId }) => arrangementId)
    return lists.map((list) => list.map(capitalizationFrom))
  },
)

function capitalizationFrom(row: CapitalizationRow): BookedCapitalization {
  return {
    ...row,
    grossMinor: BigInt(row.grossMinor),
    taxMinor: BigInt(row.taxMinor),
    reason: row.reason as CapitalizationReason,
    periodStart: dateOf(row.periodStart),
    periodEnd: dateOf(row.periodEnd),
    effectiveOn: dateOf(row.effectiveOn),
  }
}

const adjustmentsSql = `
  select ${columnsAs<AdjustmentRow>(...Object.values(Prisma.InterestAdjustmentScalarFieldEnum))}
  from unnest($1::text[]) a(id) cross join lateral (
    select * from interest.adjustment
    where arrangement_id = a.id
      and ($2::timestamptz is null or (created_at, adjustment_id) < ($2, $3::text))
    order by created_at desc, adjustment_id desc limit $4
  ) adjustment`

/**
 * Lists the corrections of interest of an account, the latest first. `after` has the time and the ID
 * of the last correction on the previous page.
 */
export const listAdjustments = listLoader(
  async (context, arrangementIds, { after, take }: { after: string[] | null; take: number }) => {
    const [time = null, id = null] = after ?? []
    const values = [arrangementIds, time, id, take]
    const rows = await readRows<AdjustmentRow>(context.bank, adjustmentsSql, values)
    const visibleRows = await context.keepVisible('interestAdjustment', rows)
    const lists = listsByKey(arrangementIds, visibleRows, ({ arrangementId }) => arrangementId)
    return lists.map((list) => list.map(adjustmentFrom))
  },
)

function adjustmentFrom(row: AdjustmentRow): BookedAdjustment {
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    firstDay: dateOf(row.firstDay),
    lastDay: dateOf(row.lastDay),
    units: BigInt(row.units),
  }
}

const ownPaymentsSql =
  'select posting_instruction_id as id from interest.capitalization ' +
  'where posting_instruction_id = any($1) and paid_to_arrangement_id = arrangement_id'

/** Returns which of the postings paid the interest of an account into the account itself. */
export async function readOwnPayments(
  { bank }: Context,
  postingInstructionIds: readonly string[],
): Promise<Set<string>> {
  if (postingInstructionIds.length === 0) return new Set()
  const rows = await readRows<{ id: string }>(bank, ownPaymentsSql, [postingInstructionIds])
  return new Set(rows.map(({ id }) => id))
}

/** The interest that was paid in a calendar year, in minor units. */
export interface PaidInYear {
  grossMinor: bigint
  taxMinor: bigint
}

const paidSql =
  'select arrangement_id as id, sum(gross_minor)::text as gross, sum(tax_minor)::text as tax ' +
  'from interest.capitalization where arrangement_id = any($1) ' +
  "and effective_on >= date_trunc('year', $2::date) group by arrangement_id"

/** Loads what was paid to accounts in the current calendar year. */
export const loadPaidThisYear = loader<string, PaidInYear>(async (context, ids) => {
  const values = [ids, dateOf(context.now())]
  const rows = await readRows<{ id: string; gross: string; tax: string }>(
    context.bank,
    paidSql,
    values,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return { grossMinor: BigInt(row?.gross ?? 0), taxMinor: BigInt(row?.tax ?? 0) }
  })
})
