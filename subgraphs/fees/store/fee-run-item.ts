import type { FeeOutcome } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { insertRows } from '../../../kernel/writing/composites.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import type { EarlierAttempts } from '../domain/fee-run-item.ts'
import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'

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

/**
 * Returns the writes that insert the outcomes of a run. At commit, a second charge for the same
 * account, fee and period raises SQLSTATE 23505 (unique violation).
 */
export function insertItems(items: readonly FeeRunItem[]): Write[] {
  if (items.length === 0) return []
  // The values must have the order of the table's columns.
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

/**
 * Returns the writes that mark charges as reversed. `reversalId` is the ID of the posting of the
 * reversal; null if the charge was already reversed before, or was never posted.
 */
export function markReversed(
  feeRunId: string,
  reversals: readonly { arrangementId: string; reversalId: string | null }[],
): Write[] {
  if (reversals.length === 0) return []
  const ids = reversals.map(({ arrangementId }) => arrangementId)
  const postings = reversals.map(({ reversalId }) => reversalId)
  return [
    {
      sql:
        "update operations.fee_run_item i set outcome = 'reversed', reversed_by_posting_id = r.posting " +
        'from claim, unnest($2::text[], $3::text[]) r (id, posting) ' +
        "where i.fee_run_id = $1 and i.arrangement_id = r.id and i.outcome = 'charged' returning 1",
      values: [feeRunId, ids, postings],
      rows: reversals.length,
    },
  ]
}

const requestedItemsSql =
  'from unnest($2::text[], $3::date[]) requested (id, start) join operations.fee_run_item ' +
  'on arrangement_id = requested.id and fee_code = $1 and period_start = requested.start'
// Each part of the union uses its own index.
const earlierAttemptsSql =
  `select id, true as charged, null::int as attempts ${requestedItemsSql} where outcome = 'charged' and not is_dry_run union all ` +
  `select id, false, max(attempt) ${requestedItemsSql} where outcome in ('failed', 'reversed') and not is_dry_run group by id union all ` +
  'select arrangement_id, null, null from operations.fee_run_item where fee_run_id = $4 and arrangement_id = any($2)'

/** The earlier attempts to charge one account for a period, and whether the run is done with it. */
export interface AccountAttempts extends EarlierAttempts {
  /** Whether the run already has a result for the account. */
  isDone: boolean
}

/**
 * Reads the earlier attempts for accounts and their periods, in the order of `request`. The same
 * statement reads which accounts the run has already processed. Otherwise, an attempt that a
 * concurrent worker makes in the same run could be mistaken for an earlier one.
 */
export async function readEarlierAttempts(
  { bank }: Context,
  { feeRunId, feeCode }: Pick<FeeRun, 'feeRunId' | 'feeCode'>,
  request: readonly { arrangementId: string; periodStart: string }[],
): Promise<AccountAttempts[]> {
  interface AttemptRow {
    id: string
    charged: boolean | null
    attempts: number | null
  }
  const ids = request.map(({ arrangementId }) => arrangementId)
  const starts = request.map(({ periodStart }) => periodStart)
  const rows = await readRows<AttemptRow>(bank, earlierAttemptsSql, [
    feeCode,
    ids,
    starts,
    feeRunId,
  ])
  const attemptsById = new Map(
    ids.map((id) => [id, { isCharged: false, attempts: 0, isDone: false }]),
  )
  for (const { id, charged, attempts } of rows) {
    const accountAttempts = attemptsById.get(id)!
    if (charged === null) accountAttempts.isDone = true
    else if (charged) accountAttempts.isCharged = true
    else accountAttempts.attempts = attempts!
  }
  return ids.map((id) => attemptsById.get(id)!)
}

/**
 * Lists the items of a run by account ID. If `outcome` is null, items of any outcome are listed.
 */
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
