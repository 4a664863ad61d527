import { isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, toJson, type Write } from '../../../kernel/writing/writes.ts'
import type { DecisionNotice } from '../model/decision.ts'

const table = 'origination.decision_notice'

function fromRow(row: Prisma.DecisionNoticeGetPayload<object>): DecisionNotice {
  return { ...row, dueBy: dateOf(row.dueBy) }
}

/**
 * Returns the write that inserts an adverse action notice in the commit of its decision. The first
 * attempt to send it is due immediately.
 */
export function insertNotice(decisionId: string, dueBy: LocalDate, now: Date): Write {
  const notice: DecisionNotice = {
    decisionId,
    dueBy,
    nextAt: now,
    refusal: null,
    notificationId: null,
    notifiedAt: null,
  }
  return insert(table, columnsOf(notice))
}

/** Returns the write that updates a notice. The commit fails if the notice was already sent. */
export function updateNotice(notice: DecisionNotice): Write {
  return {
    sql:
      `update ${table} n set next_at = r.next_at, refusal = r.refusal, ` +
      'notification_id = r.notification_id, notified_at = r.notified_at ' +
      `from claim, json_populate_record(null::${table}, $1::json) r ` +
      'where n.decision_id = r.decision_id and n.notified_at is null returning 1',
    values: [toJson(columnsOf(notice))],
    rows: 1,
  }
}

/** Loads the notices of decisions by decision ID; null for a decision that needs none. */
export const loadNotice = loader<string, DecisionNotice>(async (context, ids) => {
  const rows = await context.db.decisionNotice.findMany({ where: { decisionId: { in: [...ids] } } })
  return inOrder(ids, rows.map(fromRow), ({ decisionId }) => decisionId)
})

/** Reads the current notice of a decision; null if the decision needs none. */
export async function findNotice(
  context: Context,
  decisionId: string,
): Promise<DecisionNotice | null> {
  const row = await context.db.decisionNotice.findUnique({ where: { decisionId } })
  return row && fromRow(row)
}

/** Whether there are notices to send. */
export const areNoticesDueSql = isAnyDueSql(
  'origination.decision_notice',
  'next_at',
  'next_at <= $1',
)

/** Finds notices that are due to be sent. */
export async function findDueNotices(
  context: Context,
  now: Date,
  take: number,
): Promise<DecisionNotice[]> {
  const rows = await context.db.decisionNotice.findMany({
    where: { nextAt: { lte: now } },
    orderBy: [{ nextAt: 'asc' }, { decisionId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

/** Lists notices that have not been sent, the earliest legal due date first. */
export async function listUnsentNotices(
  context: Context,
  after: string[] | null,
  take: number,
): Promise<DecisionNotice[]> {
  const rows = await context.db.decisionNotice.findMany({
    where: { nextAt: { not: null }, ...afterTimeAndId('dueBy', 'decisionId', after) },
    orderBy: [{ dueBy: 'asc' }, { decisionId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}
