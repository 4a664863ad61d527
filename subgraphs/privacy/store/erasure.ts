import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { quotedTable } from '../domain/columns.ts'
import { namesOf, subjectOf, type DataSubject } from '../domain/data-subject.ts'
import type { ErasureStep, verdictOf } from '../domain/erasure-plan.ts'
import { erasureEvents, type ErasureEvent } from '../events.ts'
import type { ErasureLine, ErasureRequest } from '../model/erasure.ts'

export const erasureRequests = tableOf<ErasureRequest>(
  'privacy.erasure_request',
  'erasureRequestId',
  ({ db }) => db.erasureRequest,
)

export const erasureKind: RecordKind<ErasureRequest, ErasureEvent> = {
  ...erasureRequests,
  ...erasureEvents,
  id: 'erasureRequest',
  notFound: 'ERASURE_REQUEST_NOT_FOUND',
  created: 'privacy.erasure-request.proposed',
  // The bank answers the person; the work on the request is its own.
  ownersOf: () => [],
  isPublished: false,
}

/** Finds the erasure of a person that is not completed or rejected; null if there is none. */
export async function findOpenErasure(
  context: Context,
  subject: DataSubject,
): Promise<ErasureRequest | null> {
  const where = { ...namesOf(subject), state: { in: ['proposed', 'approved'] } }
  const [found] = await erasureRequests.findMany(context, { where, take: 1 })
  return found ?? null
}

const approvedSql = `
  select e.erasure_request_id as "erasureRequestId" from privacy.erasure_request e
  where e.state = 'approved' and e.erasure_request_id > $1
    and not exists (select from kernel.fact f
      where f.subject = 'party/' || e.party_id and (f.data ->> 'isRestricted')::boolean)
  order by e.erasure_request_id limit $2`

/**
 * Reads the IDs of approved erasures after an ID, in the order of the IDs. Parties whose data is
 * restricted are left out.
 */
export function readApprovedErasures(
  { bank }: Context,
  after: string,
  take: number,
): Promise<Pick<ErasureRequest, 'erasureRequestId'>[]> {
  return readRows(bank, approvedSql, [after, take])
}

/** Reads the lines of the reports of erasures, in their order. */
export async function listErasureLines(
  { db }: Context,
  erasureRequestId: string,
): Promise<ErasureLine[]> {
  const rows = await db.erasureLine.findMany({
    where: { erasureRequestId },
    orderBy: { number: 'asc' },
  })
  return rows.map((row) => ({ ...row, action: row.action as ErasureLine['action'] }))
}

const insertSql =
  'insert into privacy.erasure_line (erasure_request_id, number, area, table_name, columns, ' +
  'action, row_count, kept_count, reason, kept_until) '
const eraseSql =
  `${insertSql}select $1, $2::integer, $3, $4, $5::text[], $6, ` +
  'kernel.erase($7::regclass, $8, $9, $10), ' +
  'case when $11::text is null then 0 else kernel.count_rows($7::regclass, $11, $10) end, ' +
  '$12, null from claim returning 1'
const keepSql =
  `${insertSql}select $1, $2::integer, $3, $4, $5::text[], 'kept', 0, ` +
  'kernel.count_rows($6::regclass, $7, $8), $9, $10::timestamptz from claim returning 1'

/** Returns the write that performs a step of an erasure and adds its line to the report. */
export function performStep(
  { erasureRequestId, ...request }: ErasureRequest,
  number: number,
  step: ErasureStep,
  verdict: ReturnType<typeof verdictOf>,
): Write {
  const { area, table, columns, assignments, condition, erasable, exception } = step
  const { id } = subjectOf(request)
  const line = [erasureRequestId, number, area, table, columns]
  const target = quotedTable(table)
  if (!verdict.isDue) {
    const { reason, keptUntil } = verdict
    return {
      sql: keepSql,
      values: [...line, target, condition, id, reason, keptUntil],
      rows: 1,
    }
  }
  const action = assignments === null ? 'deleted' : 'erased'
  const kept = [exception?.condition ?? null, exception?.reason ?? null]
  const values = [...line, action, target, assignments, erasable, id, ...kept]
  return { sql: eraseSql, values, rows: 1 }
}
