import type { Prisma } from '../../../../prisma/client/client.ts'
import { loader } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { columnsOf } from '../../../../kernel/writing/table.ts'
import { toJson, type Write } from '../../../../kernel/writing/writes.ts'
import type { DueInstallment } from '../../domain/repayments/due-installment.ts'

const fromRow = (row: Prisma.DueInstallmentGetPayload<object>): DueInstallment => ({
  ...row,
  dueDate: dateOf(row.dueDate),
  paidOn: row.paidOn && dateOf(row.paidOn),
})

/**
 * Loads all installments of a facility that have become due, ordered by number. One query reads the
 * installments of all facilities in a request.
 */
export const loadDues = loader<string, DueInstallment[]>(async ({ db }, facilityIds) => {
  const rows = await db.dueInstallment.findMany({
    where: { facilityId: { in: [...facilityIds] } },
    orderBy: { number: 'asc' },
  })
  const byFacility = new Map<string, DueInstallment[]>(facilityIds.map((id) => [id, []]))
  for (const row of rows) byFacility.get(row.facilityId)!.push(fromRow(row))
  return facilityIds.map((id) => byFacility.get(id)!)
})

const putSql =
  'insert into lending.due_installment select r.* ' +
  'from claim, json_populate_recordset(null::lending.due_installment, $1::json) r ' +
  'on conflict (facility_id, number) do update set ' +
  'interest_paid_minor = excluded.interest_paid_minor, ' +
  'principal_paid_minor = excluded.principal_paid_minor, paid_on = excluded.paid_on returning 1'

/**
 * Returns the write for installments that are new or have changed; empty if there are none.
 * Installments have no version. The version check of the facility in the same commit protects them
 * from concurrent changes.
 */
export function putInstallments(
  before: readonly DueInstallment[],
  after: readonly DueInstallment[],
): Write[] {
  const knownInstallments = new Set(before)
  const changed = after.filter((due) => !knownInstallments.has(due))
  if (changed.length === 0) return []
  return [{ sql: putSql, values: [toJson(changed.map(columnsOf))], rows: changed.length }]
}
