import type { CreditAuthority, CreditDecision } from '../model/decision.ts'
import type { Reason, Score } from '../model/credit-policy.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { columnsOf } from '../../../kernel/writing/table.ts'
import { insert, type Write } from '../../../kernel/writing/writes.ts'
import { insertNotice } from './notice.ts'
import { conditionsFromJson, termsFromJson } from './json.ts'

function fromRow(row: Prisma.CreditDecisionGetPayload<object>): CreditDecision {
  return {
    ...row,
    outcome: row.outcome as CreditDecision['outcome'],
    decisionMode: row.decisionMode as CreditDecision['decisionMode'],
    applicationStatus: row.applicationStatus as CreditDecision['applicationStatus'],
    reasons: row.reasons as unknown as Reason[],
    conditions: conditionsFromJson(row.conditions),
    approvedTerms: termsFromJson(row.approvedTerms),
    score: row.score as unknown as Score | null,
    adverseActionNoticeDueBy: row.adverseActionNoticeDueBy && dateOf(row.adverseActionNoticeDueBy),
  }
}

/** Returns the writes that insert a decision and, if required, its adverse action notice. */
export function insertDecision(decision: CreditDecision): Write[] {
  const { decisionId, adverseActionNoticeDueBy: dueBy, recordedAt } = decision
  const decisionWrite = insert('origination.credit_decision', columnsOf(decision))
  if (dueBy === null) return [decisionWrite]
  return [decisionWrite, insertNotice(decisionId, dueBy, recordedAt)]
}

export async function findDecision(
  context: Context,
  decisionId: string,
): Promise<CreditDecision | null> {
  const row = await context.db.creditDecision.findUnique({ where: { decisionId } })
  return row && fromRow(row)
}

/** Loads decisions by ID, without a visibility check. */
export const loadDecision = loader<string, CreditDecision>(async (context, ids) => {
  const rows = await context.db.creditDecision.findMany({ where: { decisionId: { in: [...ids] } } })
  return inOrder(ids, rows.map(fromRow), ({ decisionId }) => decisionId)
})

/** Loads the decisions of applications, in the order in which they were recorded. */
export const loadDecisions = loader<string, CreditDecision[]>(async (context, ids) => {
  const rows = await context.db.creditDecision.findMany({
    where: { applicationId: { in: [...ids] } },
    orderBy: { number: 'asc' },
  })
  const decisions = rows.map(fromRow)
  return ids.map((id) => decisions.filter(({ applicationId }) => applicationId === id))
})

export function findAuthority(
  context: Context,
  decider: string,
  currency: string,
): Promise<CreditAuthority | null> {
  return context.db.creditAuthority.findUnique({
    where: { decider_currency: { decider, currency } },
  })
}

/**
 * Returns a write that makes the commit fail if the decider's credit authority has changed since it
 * was read. `authority` is the authority that was read; null if the decider had none.
 */
export function holdAuthority(
  decider: string,
  currency: string,
  authority: CreditAuthority | null,
): Write {
  const matchCondition = 'a.decider = $1::text and a.currency = $2::text'
  if (!authority) {
    return {
      sql:
        'select 1 from claim where not exists ' +
        `(select from origination.credit_authority a where ${matchCondition})`,
      values: [decider, currency],
      rows: 1,
    }
  }
  return {
    sql:
      `select 1 from claim, origination.credit_authority a where ${matchCondition} ` +
      'and a.limit_minor = $3::bigint for share of a',
    values: [decider, currency, authority.limitMinor.toString()],
    rows: 1,
  }
}

/**
 * Returns a write that sets the credit authority of a person in one currency, and replaces an
 * earlier one.
 */
export function writeAuthority(authority: CreditAuthority): Write {
  const { decider, currency, limitMinor, grantedBy, grantedAt } = authority
  return {
    sql:
      'insert into origination.credit_authority as a ' +
      '(decider, currency, limit_minor, granted_by, granted_at) ' +
      'select $1::text, $2::text, $3::bigint, $4::text, $5::timestamptz from claim ' +
      'on conflict (decider, currency) do update set limit_minor = excluded.limit_minor, ' +
      'granted_by = excluded.granted_by, granted_at = excluded.granted_at returning 1',
    values: [decider, currency, limitMinor.toString(), grantedBy, grantedAt.toISOString()],
    rows: 1,
  }
}
