import type { Prisma } from '../../../../prisma/client/client.ts'
import { loader } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { columnsOf } from '../../../../kernel/writing/table.ts'
import { toJson, type Write } from '../../../../kernel/writing/writes.ts'
import {
  noCharges,
  type DueInstallment,
  type LateCharges,
} from '../../domain/repayments/due-installment.ts'

/** The columns of late charges. They are null if the former release made the installment due. */
type ChargeColumns = {
  [Name in keyof LateCharges]: (Name extends 'chargedThrough' ? LocalDate : bigint) | null
}
export const chargeNames = Object.keys(noCharges) as (keyof LateCharges)[]

/** Returns the late charges in columns. */
export function chargesFrom(columns: ChargeColumns): LateCharges {
  const known = chargeNames.filter((name) => columns[name] !== null)
  return { ...noCharges, ...Object.fromEntries(known.map((name) => [name, columns[name]])) }
}

function fromRow(row: Prisma.DueInstallmentGetPayload<object>): DueInstallment {
  const { facilityId, number, interestMinor, principalMinor } = row
  const { interestPaidMinor, principalPaidMinor, overdueMinorDays, chargedThrough, paidOn } = row
  return {
    facilityId,
    number,
    dueDate: dateOf(row.dueDate),
    interestMinor,
    principalMinor,
    interestPaidMinor,
    principalPaidMinor,
    charges: chargesFrom({
      ...row,
      overdueMinorDays: overdueMinorDays && BigInt(overdueMinorDays.toFixed(0)),
      chargedThrough: chargedThrough && dateOf(chargedThrough),
    }),
    paidOn: paidOn && dateOf(paidOn),
  }
}

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

const changingColumns = [
  'interest_paid_minor',
  'principal_paid_minor',
  ...Object.keys(columnsOf(noCharges)),
  'paid_on',
]
const putSql =
  'insert into lending.due_installment select r.* ' +
  'from claim, json_populate_recordset(null::lending.due_installment, $1::json) r ' +
  'on conflict (facility_id, number) do update set ' +
  `${changingColumns.map((name) => `${name} = excluded.${name}`).join(', ')} returning 1`

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
  const rows = changed.map(({ charges, ...due }) => columnsOf({ ...due, ...charges }))
  return [{ sql: putSql, values: [toJson(rows)], rows: rows.length }]
}
