import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { chargeSnapshot, type ChargeEvent } from '../charge-events.ts'
import type { FeeChargeStatus, FeeChargeTrigger } from '../model/enumerations.ts'
import type { FeeCharge } from '../model/fee-charge.ts'
import { visibleWhere } from './visible.ts'

type ChargeRow = Prisma.FeeChargeGetPayload<object>

export const feeChargeTable = tableOf<FeeCharge, ChargeRow>(
  'operations.fee_charge',
  'feeChargeId',
  ({ db }) => db.feeCharge,
  (row) => ({
    ...row,
    status: row.status as FeeChargeStatus,
    trigger: row.trigger as FeeChargeTrigger | null,
  }),
)

export const feeChargeKind: RecordKind<FeeCharge, ChargeEvent> = {
  ...feeChargeTable,
  entity: 'fee-charge',
  id: 'feeCharge',
  notFound: 'FEE_CHARGE_NOT_FOUND',
  created: 'pricing.fee-charge.charged',
  ownersOf: ({ partyId }) => [partyId],
  snapshot: chargeSnapshot,
  isPublished: false,
}

/** Finds a charge by ID; null if it does not exist or is not visible to the caller. */
export async function findVisibleCharge(
  context: Context,
  feeChargeId: string,
): Promise<FeeCharge | null> {
  const where = { feeChargeId, ...(await visibleWhere(context)) }
  const [found] = await feeChargeTable.findMany(context, { where, take: 1 })
  return found ?? null
}

/** Lists the charges that are visible to the caller, in the order in which they were created. */
export async function listCharges(
  context: Context,
  { arrangementId, status }: { arrangementId: string | null; status: FeeChargeStatus | null },
  after: string[] | null,
  take: number,
): Promise<FeeCharge[]> {
  const where = { arrangementId, status, AND: [await visibleWhere(context)] }
  return feeChargeTable.list(context, where, after, take)
}

/** Whether there are charges that are due. */
export const areChargesDueSql = "exists (select from operations.fee_charge where status = 'due')"

const dueSql =
  "select fee_charge_id as id from operations.fee_charge where status = 'due' " +
  'order by created_at, fee_charge_id limit $1'

/** Reads the IDs of the charges that are due, oldest first, at most `max`. */
export async function readDueCharges({ bank }: Context, max: number): Promise<string[]> {
  const rows = await readRows<{ id: string }>(bank, dueSql, [max])
  return rows.map(({ id }) => id)
}
