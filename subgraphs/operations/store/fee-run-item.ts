import type { Prisma } from '../../../prisma/client/client.ts'
import { insertRows } from '../../_kernel/composites.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { readRows } from '../../_kernel/read-rows.ts'
import type { Write } from '../../_kernel/writes.ts'
import type { FeeRun } from '../domain/fee-run.ts'
import type { FeeOutcome, FeeRunItem, Tried } from '../domain/fee-run-item.ts'

type ItemRow = Prisma.FeeRunItemGetPayload<object>

function fromRow({ amount, ...row }: ItemRow): FeeRunItem {
  return {
    ...row,
    outcome: row.outcome as FeeOutcome,
    periodStart: dateOf(row.periodStart),
    periodEnd: dateOf(row.periodEnd),
    amountMinor: amount,
  }
}

/** Inserts the outcomes for accounts. A second charge for one period raises SQLSTATE 23505. */
export function insertItems(items: readonly FeeRunItem[]): Write[] {
  if (items.length === 0) return []
  // In the order of the columns.
  const rows = items.map((item) => [
    item.feeRunId,
    item.arrangementId,
    item.partyId,
    item.feeCode,
    item.periodStart,
    item.periodEnd,
    item.outcome,
    item.reason,
    item.attempt,
    item.amountMinor,
    item.currency,
    item.postingInstructionId,
    item.reversedByPostingId,
    item.isDryRun,
    item.createdAt,
    item.feeReceivableId,
  ])
  return [insertRows('operations.fee_run_item', rows)]
}

/** Marks charges as reversed, each by the posting at the same index. */
export function markReversed(
  feeRunId: string,
  reversed: readonly { arrangementId: string; by: string | null }[],
): Write[] {
  if (reversed.length === 0) return []
  const ids = reversed.map(({ arrangementId }) => arrangementId)
  const postings = reversed.map(({ by }) => by)
  return [
    {
      sql:
        "update operations.fee_run_item i set outcome = 'reversed', reversed_by_posting_id = r.posting " +
        'from claim, unnest($2::text[], $3::text[]) r (id, posting) ' +
        "where i.fee_run_id = $1 and i.arrangement_id = r.id and i.outcome = 'charged' returning 1",
      values: [feeRunId, ids, postings],
      rows: reversed.length,
    },
  ]
}

const ofAsked =
  'from unnest($2::text[], $3::date[]) asked (id, start) join operations.fee_run_item ' +
  'on arrangement_id = asked.id and fee_code = $1 and period_start = asked.start'
// Each half of the union uses its own index.
const triedSql =
  `select id, true as charged, null::int as attempts ${ofAsked} where outcome = 'charged' and not is_dry_run union all ` +
  `select id, false, max(attempt) ${ofAsked} where outcome in ('failed', 'reversed') and not is_dry_run group by id union all ` +
  'select arrangement_id, null, null from operations.fee_run_item where fee_run_id = $4 and arrangement_id = any($2)'

/** The earlier attempts for one account and period. */
export interface TriedBefore extends Tried {
  /** Whether the run already has a result for the account. */
  isDone: boolean
}

/**
 * The earlier attempts for accounts and their periods, in the same order. A single statement reads
 * them together with the accounts already processed, so that a concurrent worker's first attempt is
 * not mistaken for an earlier one.
 */
export async function readTried(
  { bank }: Context,
  { feeRunId, feeCode }: Pick<FeeRun, 'feeRunId' | 'feeCode'>,
  asked: readonly { arrangementId: string; periodStart: string }[],
): Promise<TriedBefore[]> {
  interface TriedRow {
    id: string
    charged: boolean | null
    attempts: number | null
  }
  const ids = asked.map(({ arrangementId }) => arrangementId)
  const starts = asked.map(({ periodStart }) => periodStart)
  const rows = await readRows<TriedRow>(bank, triedSql, [feeCode, ids, starts, feeRunId])
  const tried = new Map(ids.map((id) => [id, { isCharged: false, attempts: 0, isDone: false }]))
  for (const { id, charged, attempts } of rows) {
    const one = tried.get(id)!
    if (charged === null) one.isDone = true
    else if (charged) one.isCharged = true
    else one.attempts = attempts!
  }
  return ids.map((id) => tried.get(id)!)
}

/** The items of a run in the order of the account ids, optionally with one outcome only. */
export async function listItems(
  context: Context,
  feeRunId: string,
  outcome: FeeOutcome | null,
  after: string | null,
  take: number,
): Promise<FeeRunItem[]> {
  const rows = await context.db.feeRunItem.findMany({
    where: {
      feeRunId,
      ...(outcome !== null && { outcome }),
      ...(after !== null && { arrangementId: { gt: after } }),
    },
    orderBy: { arrangementId: 'asc' },
    take,
  })
  return rows.map(fromRow)
}
