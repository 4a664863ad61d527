import { Prisma } from '../../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../../kernel/environment/context.ts'
import { columnNameOf } from '../../../../kernel/writing/column-name.ts'
import { columnsAs } from '../../../../kernel/database/read-rows.ts'
import type { DueInstallment, LateCharges } from '../../domain/repayments/due-installment.ts'
import { chargeNames, chargesFrom } from './due-installment.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import { facilityFromRow, type FacilityRow } from '../facilities/facility.ts'

/**
 * A facility and the installments that have become due: all of them, or only the unpaid ones. One
 * statement reads the facility and the installments.
 */
export interface FacilityWithDues {
  facility: Facility
  dues: DueInstallment[]
}

/** The row of an installment as JSON. Amounts are strings, because JSON numbers would be rounded. */
type DueInJson = Omit<DueInstallment, 'charges' | AmountName> &
  Record<AmountName, string> &
  Record<keyof LateCharges, string | null>
type AmountName = (typeof amountNames)[number]
type Row = FacilityRow & { dues: DueInJson[] }

const amountNames = [
  'interestMinor',
  'principalMinor',
  'interestPaidMinor',
  'principalPaidMinor',
] as const
const asTexts = [...amountNames, ...chargeNames].map(
  (name) => `'${name}', d.${columnNameOf(name)}::text`,
)
const dueSql = `json_build_object('facilityId', d.facility_id, 'number', d.number,
    'dueDate', d.due_date, 'paidOn', d.paid_on, ${asTexts.join(', ')})`

const sqlOf = (condition: string) =>
  `select ${columnsAs(...Object.values(Prisma.FacilityScalarFieldEnum))},
    coalesce((select json_agg(${dueSql} order by d.number) from lending.due_installment d
      where d.facility_id = f.facility_id ${condition}), '[]') as dues
  from lending.facility f where f.facility_id = any($1) order by f.facility_id`

const allSql = sqlOf('')
const unpaidSql = sqlOf('and d.paid_on is null')

const amount = (text: string | null) => (text === null ? null : BigInt(text))

const dueFrom = ({ facilityId, number, dueDate, paidOn, ...row }: DueInJson): DueInstallment => ({
  facilityId,
  number,
  dueDate,
  interestMinor: BigInt(row.interestMinor),
  principalMinor: BigInt(row.principalMinor),
  interestPaidMinor: BigInt(row.interestPaidMinor),
  principalPaidMinor: BigInt(row.principalPaidMinor),
  charges: chargesFrom({
    feesMinor: amount(row.feesMinor),
    feesPaidMinor: amount(row.feesPaidMinor),
    feesWaivedMinor: amount(row.feesWaivedMinor),
    penaltiesMinor: amount(row.penaltiesMinor),
    penaltiesPaidMinor: amount(row.penaltiesPaidMinor),
    penaltiesWaivedMinor: amount(row.penaltiesWaivedMinor),
    overdueMinorDays: amount(row.overdueMinorDays),
    paidInGraceMinor: amount(row.paidInGraceMinor),
    chargedThrough: row.chargedThrough,
  }),
  paidOn,
})

/**
 * Finds a facility with all installments that have become due, oldest first; null if the facility
 * does not exist. One statement reads the facility and the installments, so that decisions and
 * rejections are based on a consistent state.
 */
export async function findFacilityWithDues(
  context: Context,
  facilityId: string,
): Promise<FacilityWithDues | null> {
  const [found] = await read(context, allSql, [facilityId])
  return found ?? null
}

/** Loads facilities with all installments that have become due, like `findFacilityWithDues`. */
export const loadFacilityWithDues = loader<string, FacilityWithDues>(async (context, facilityIds) =>
  inOrder(
    facilityIds,
    await read(context, allSql, facilityIds),
    ({ facility }) => facility.facilityId,
  ),
)

/** Finds facilities with their unpaid installments, in the order of their IDs. */
export function findFacilitiesWithUnpaid(
  context: Context,
  facilityIds: readonly string[],
): Promise<FacilityWithDues[]> {
  return read(context, unpaidSql, facilityIds)
}

async function read(
  { bank, keepVisible }: Context,
  sql: string,
  facilityIds: readonly string[],
): Promise<FacilityWithDues[]> {
  const rows = await bank.db.$queryRawUnsafe<Row[]>(sql, [...facilityIds])
  const visibleRows = await keepVisible('facility', rows)
  return visibleRows.map(({ dues, ...row }) => ({
    facility: facilityFromRow(row),
    dues: dues.map(dueFrom),
  }))
}
