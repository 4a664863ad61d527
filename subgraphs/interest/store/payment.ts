import { Prisma } from '../../../prisma/client/client.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import type { BookedAdjustment, BookedCapitalization } from '../domain/booked.ts'
import type { CapitalizationReason } from '../domain/capitalize.ts'
import type { OwnEntry } from './movement.ts'

type CapitalizationRow = Prisma.InterestCapitalizationGetPayload<object>
/** A row as SQL returns it: large numbers are text. */
type AdjustmentRow = Omit<Prisma.InterestAdjustmentGetPayload<object>, 'amountMinor' | 'units'> & {
  amountMinor: string
  units: string
}

const capitalizationColumns = columnsAs<CapitalizationRow>(
  ...Object.values(Prisma.InterestCapitalizationScalarFieldEnum),
)
const adjustmentColumns = columnsAs<AdjustmentRow>(
  ...Object.values(Prisma.InterestAdjustmentScalarFieldEnum),
)

/** The interest that was paid or charged in a calendar year, in minor units. */
export interface PaidInYear {
  grossMinor: bigint
  taxMinor: bigint
}

/** Two tables, of payments and of corrections, with the names of their policies. */
interface PaymentTables {
  payments: readonly [
    table:
      'interest.capitalization' | 'interest.overdraft_charge' | 'interest.commitment_fee_charge',
    policy: 'interestCapitalization' | 'interestOverdraftCharge' | 'interestCommitmentFeeCharge',
  ]
  adjustments: readonly [
    table:
      | 'interest.adjustment'
      | 'interest.overdraft_adjustment'
      | 'interest.commitment_fee_adjustment',
    policy:
      'interestAdjustment' | 'interestOverdraftAdjustment' | 'interestCommitmentFeeAdjustment',
  ]
}

function sqlOf(paymentTable: string, adjustmentTable: string) {
  const paymentsSql = `
    select ${capitalizationColumns}
    from unnest($1::text[]) a(id) cross join lateral (
      select * from ${paymentTable}
      where arrangement_id = a.id
        and ($2::date is null or (effective_on, capitalization_id) < ($2, $3::text))
      order by effective_on desc, capitalization_id desc limit $4
    ) capitalization`
  const adjustmentsSql = `
    select ${adjustmentColumns}
    from unnest($1::text[]) a(id) cross join lateral (
      select * from ${adjustmentTable}
      where arrangement_id = a.id
        and ($2::timestamptz is null or (created_at, adjustment_id) < ($2, $3::text))
      order by created_at desc, adjustment_id desc limit $4
    ) adjustment`
  const ownPaymentsSql =
    'select arrangement_id as "arrangementId", posting_instruction_id as "postingInstructionId" ' +
    `from ${paymentTable} ` +
    'where posting_instruction_id = any($1) and paid_to_arrangement_id = arrangement_id'
  const paidSql =
    'select arrangement_id as id, sum(gross_minor)::text as gross, sum(tax_minor)::text as tax ' +
    `from ${paymentTable} where arrangement_id = any($1) ` +
    "and effective_on >= date_trunc('year', $2::date) group by arrangement_id"
  const yearSql =
    'select coalesce(sum(gross_minor), 0)::text as gross, coalesce(sum(tax_minor), 0)::text as tax ' +
    `from ${paymentTable} where arrangement_id = $1 and effective_on between $2 and $3`
  return {
    payments: paymentsSql,
    adjustments: adjustmentsSql,
    own: ownPaymentsSql,
    paid: paidSql,
    year: yearSql,
  }
}

interface TotalRow {
  id: string
  gross: string
  tax: string
}

function totalsOf(ids: readonly string[], rows: readonly TotalRow[]): PaidInYear[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return { grossMinor: BigInt(row?.gross ?? 0), taxMinor: BigInt(row?.tax ?? 0) }
  })
}

/** Returns a function that reads what was paid to an account with an effective date in a period. */
function readPaidWith(sql: string) {
  return async (
    { bank }: Context,
    arrangementId: string,
    { from, to }: { from: LocalDate; to: LocalDate },
  ): Promise<PaidInYear> => {
    const rows = await readRows<Omit<TotalRow, 'id'>>(bank, sql, [arrangementId, from, to])
    return { grossMinor: BigInt(rows[0]!.gross), taxMinor: BigInt(rows[0]!.tax) }
  }
}

/** Returns the reads and writes of payments and corrections. */
function paymentStore({ payments, adjustments }: PaymentTables) {
  const [paymentTable, paymentPolicy] = payments
  const [adjustmentTable, adjustmentPolicy] = adjustments
  const sql = sqlOf(paymentTable, adjustmentTable)
  return {
    insertPayments: (booked: readonly BookedCapitalization[]): Write[] =>
      booked.length === 0
        ? []
        : [insert(paymentTable, ...booked.map((payment) => columnsOf(payment)))],
    insertAdjustments: (booked: readonly BookedAdjustment[]): Write[] =>
      booked.length === 0
        ? []
        : [insert(adjustmentTable, ...booked.map((adjustment) => columnsOf(adjustment)))],
    /**
     * Lists the payments of an account, the latest first. `after` has the date and the ID of the
     * last payment on the previous page.
     */
    listPayments: listLoader(
      async (
        context,
        arrangementIds,
        { after, take }: { after: string[] | null; take: number },
      ) => {
        const [day = null, id = null] = after ?? []
        const values = [arrangementIds, day, id, take]
        const rows = await readRows<CapitalizationRow>(context.bank, sql.payments, values)
        const visibleRows = await context.keepVisible(paymentPolicy, rows)
        const lists = listsByKey(arrangementIds, visibleRows, ({ arrangementId }) => arrangementId)
        return lists.map((list) => list.map(capitalizationFrom))
      },
    ),
    /**
     * Lists the corrections of an account, the latest first. `after` has the time and the ID of the
     * last correction on the previous page.
     */
    listAdjustments: listLoader(
      async (
        context,
        arrangementIds,
        { after, take }: { after: string[] | null; take: number },
      ) => {
        const [time = null, id = null] = after ?? []
        const values = [arrangementIds, time, id, take]
        const rows = await readRows<AdjustmentRow>(context.bank, sql.adjustments, values)
        const visibleRows = await context.keepVisible(adjustmentPolicy, rows)
        const lists = listsByKey(arrangementIds, visibleRows, ({ arrangementId }) => arrangementId)
        return lists.map((list) => list.map(adjustmentFrom))
      },
    ),
    /** Returns the entries of these postings that were payments of an account into the account itself. */
    async readOwn(
      { bank }: Context,
      postingInstructionIds: readonly string[],
    ): Promise<OwnEntry[]> {
      if (postingInstructionIds.length === 0) return []
      return readRows<OwnEntry>(bank, sql.own, [postingInstructionIds])
    },
    readPaid: readPaidWith(sql.year),
    /** Loads what was paid in the current calendar year. */
    loadThisYear: loader<string, PaidInYear>(async (context, ids) => {
      const values = [ids, dateOf(context.now())]
      const rows = await readRows<TotalRow>(context.bank, sql.paid, values)
      return totalsOf(ids, rows)
    }),
  }
}

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

function adjustmentFrom(row: AdjustmentRow): BookedAdjustment {
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    firstDay: dateOf(row.firstDay),
    lastDay: dateOf(row.lastDay),
    units: BigInt(row.units),
  }
}

/** The interest that accounts earn. */
export const depositPayments = paymentStore({
  payments: ['interest.capitalization', 'interestCapitalization'],
  adjustments: ['interest.adjustment', 'interestAdjustment'],
})

/** The interest that is charged for overdrafts. */
export const overdraftPayments = paymentStore({
  payments: ['interest.overdraft_charge', 'interestOverdraftCharge'],
  adjustments: ['interest.overdraft_adjustment', 'interestOverdraftAdjustment'],
})

/** The fees that are charged for unused limits. */
export const commitmentFeePayments = paymentStore({
  payments: ['interest.commitment_fee_charge', 'interestCommitmentFeeCharge'],
  adjustments: ['interest.commitment_fee_adjustment', 'interestCommitmentFeeAdjustment'],
})
