import type { Prisma } from '../../../prisma/client/client.ts'
import { loader } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { columnsOf } from '../../_kernel/table.ts'
import { toJson, type Write } from '../../_kernel/writes.ts'
import type { DueInstalment } from '../domain/due-instalment.ts'

const fromRow = (row: Prisma.DueInstalmentGetPayload<object>): DueInstalment => ({
  ...row,
  dueDate: dateOf(row.dueDate),
  paidOn: row.paidOn && dateOf(row.paidOn),
})

/** Every installment of a facility that became due, in order; of many facilities of one request. */
export const loadDues = loader<string, DueInstalment[]>(async ({ db }, facilityIds) => {
  const rows = await db.dueInstalment.findMany({
    where: { facilityId: { in: [...facilityIds] } },
    orderBy: { number: 'asc' },
  })
  const byFacility = new Map<string, DueInstalment[]>(facilityIds.map((id) => [id, []]))
  for (const row of rows) byFacility.get(row.facilityId)!.push(fromRow(row))
  return facilityIds.map((id) => byFacility.get(id)!)
})

const putSql =
  'insert into lending.due_instalment select r.* ' +
  'from claim, json_populate_recordset(null::lending.due_instalment, $1::json) r ' +
  'on conflict (facility_id, number) do update set ' +
  'interest_paid_minor = excluded.interest_paid_minor, ' +
  'principal_paid_minor = excluded.principal_paid_minor, paid_on = excluded.paid_on returning 1'

/** Writes what changed of instalments, new ones among them. Their facilities' rows hold the versions. */
export function putInstalments(
  before: readonly DueInstalment[],
  after: readonly DueInstalment[],
): Write[] {
  const known = new Set(before)
  const changed = after.filter((due) => !known.has(due))
  if (changed.length === 0) return []
  return [{ sql: putSql, values: [toJson(changed.map(columnsOf))], rows: changed.length }]
}
