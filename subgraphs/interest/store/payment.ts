import type { Prisma } from '../../../prisma/client/client.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
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

const capitalizationFrom = (
  row: Prisma.InterestCapitalizationGetPayload<object>,
): BookedCapitalization => ({
  ...row,
  reason: row.reason as CapitalizationReason,
  periodStart: dateOf(row.periodStart),
  periodEnd: dateOf(row.periodEnd),
  effectiveOn: dateOf(row.effectiveOn),
})

const adjustmentFrom = (row: Prisma.InterestAdjustmentGetPayload<object>): BookedAdjustment => ({
  ...row,
  firstDay: dateOf(row.firstDay),
  lastDay: dateOf(row.lastDay),
  units: BigInt(row.units.toFixed(0)),
})

/** Lists the payments of interest of an account, the latest first. */
export async function listCapitalizations(
  { db }: Context,
  arrangementId: string,
  after: string[] | null,
  take: number,
): Promise<BookedCapitalization[]> {
  const [day, id] = after ?? []
  const effectiveOn = day && new Date(`${day}T00:00:00Z`)
  const rows = await db.interestCapitalization.findMany({
    where: {
      arrangementId,
      ...(effectiveOn && {
        OR: [{ effectiveOn: { lt: effectiveOn } }, { effectiveOn, capitalizationId: { lt: id! } }],
      }),
    },
    orderBy: [{ effectiveOn: 'desc' }, { capitalizationId: 'desc' }],
    take,
  })
  return rows.map(capitalizationFrom)
}

/** Lists the corrections of interest of an account, the latest first. */
export async function listAdjustments(
  { db }: Context,
  arrangementId: string,
  after: string[] | null,
  take: number,
): Promise<BookedAdjustment[]> {
  const [time, id] = after ?? []
  const createdAt = time && new Date(time)
  const rows = await db.interestAdjustment.findMany({
    where: {
      arrangementId,
      ...(createdAt && {
        OR: [{ createdAt: { lt: createdAt } }, { createdAt, adjustmentId: { lt: id! } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { adjustmentId: 'desc' }],
    take,
  })
  return rows.map(adjustmentFrom)
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
