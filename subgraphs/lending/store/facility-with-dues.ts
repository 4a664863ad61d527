import { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../_kernel/context.ts'
import { columnsAs } from '../../_kernel/read-rows.ts'
import type { DueInstalment } from '../domain/due-instalment.ts'
import type { Facility } from '../domain/facility.ts'
import { facilityFromRow, type FacilityRow } from './facility.ts'

/** A facility and its installments as one statement saw them. */
export interface FacilityWithDues {
  facility: Facility
  dues: DueInstalment[]
}

/** An installment in JSON: its amounts are texts, because a number of JSON would round them. */
type DueInJson = {
  [Name in keyof DueInstalment]: DueInstalment[Name] extends bigint ? string : DueInstalment[Name]
}
type Row = FacilityRow & { dues: DueInJson[] }

const dueSql = `json_build_object('facilityId', d.facility_id, 'number', d.number,
    'dueDate', d.due_date, 'paidOn', d.paid_on,
    'interestMinor', d.interest_minor::text, 'principalMinor', d.principal_minor::text,
    'interestPaidMinor', d.interest_paid_minor::text, 'principalPaidMinor', d.principal_paid_minor::text)`

const sqlOf = (condition: string) =>
  `select ${columnsAs(...Object.values(Prisma.FacilityScalarFieldEnum))},
    coalesce((select json_agg(${dueSql} order by d.number) from lending.due_instalment d
      where d.facility_id = f.facility_id ${condition}), '[]') as dues
  from lending.facility f where f.facility_id = any($1) order by f.facility_id`

const allSql = sqlOf('')
const unpaidSql = sqlOf('and d.paid_on is null')

const dueFrom = ({ interestMinor, principalMinor, ...due }: DueInJson): DueInstalment => ({
  ...due,
  interestMinor: BigInt(interestMinor),
  principalMinor: BigInt(principalMinor),
  interestPaidMinor: BigInt(due.interestPaidMinor),
  principalPaidMinor: BigInt(due.principalPaidMinor),
})

/**
 * A facility with every installment that became due, the oldest first. One statement reads both, so
 * that what is decided on them, a refusal too, is decided on one state.
 */
export async function findFacilityWithDues(
  context: Context,
  facilityId: string,
): Promise<FacilityWithDues | null> {
  const [found] = await read(context, allSql, [facilityId])
  return found ?? null
}

/** Facilities with their unpaid installments, in the order of their ids. */
export function findFacilitiesWithUnpaid(
  context: Context,
  facilityIds: readonly string[],
): Promise<FacilityWithDues[]> {
  return read(context, unpaidSql, facilityIds)
}

async function read(
  { bank, keep }: Context,
  sql: string,
  facilityIds: readonly string[],
): Promise<FacilityWithDues[]> {
  const rows = await bank.db.$queryRawUnsafe<Row[]>(sql, [...facilityIds])
  const kept = await keep('facility', rows)
  return kept.map(({ dues, ...row }) => ({
    facility: facilityFromRow(row),
    dues: dues.map(dueFrom),
  }))
}
