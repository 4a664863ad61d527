import { bankDateSql, isAnyDueSql } from '../../../kernel/database/heartbeat.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { accountsHeld } from '../../../kernel/authorization/entitlements.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { StandingOrder } from '../model/standing-order.ts'
import type { StandingOrderEvent } from '../events.ts'

export const standingOrderTable = tableOf<StandingOrder, Prisma.StandingOrderGetPayload<object>>(
  'payments.standing_order',
  'standingOrderId',
  ({ db }) => db.standingOrder,
  (row) => ({
    ...row,
    state: row.state as StandingOrder['state'],
    frequency: row.frequency as StandingOrder['frequency'],
    startsOn: dateOf(row.startsOn),
    endsOn: row.endsOn && dateOf(row.endsOn),
    nextOn: row.nextOn && dateOf(row.nextOn),
    attemptOn: row.attemptOn && dateOf(row.attemptOn),
  }),
)

export const standingOrderKind: RecordKind<StandingOrder, StandingOrderEvent> = {
  ...standingOrderTable,
  entity: 'standing-order',
  id: 'standingOrder',
  notFound: 'STANDING_ORDER_NOT_FOUND',
  created: 'payments.standing-order.created',
  ownersOf: ({ partyId }) => [partyId],
  snapshot: ({ standingOrderId, state, debtorArrangementId, rail, ...order }) => ({
    standingOrderId,
    state,
    debtorArrangementId,
    rail,
    amountMinor: order.amountMinor,
    currency: order.currency,
    frequency: order.frequency,
    executions: order.executions,
    nextOn: order.nextOn,
    attemptOn: order.attemptOn,
    reasonCode: order.reasonCode,
  }),
  isPublished: false,
}

/** Loads standing orders by ID; null if one does not exist or is not visible to the caller. */
export const loadStandingOrder = loader<string, StandingOrder>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => standingOrderTable.load(context, id)))
  const heldIds = new Set(await accountsHeld(context))
  return found.map((each) => {
    if (!each) return null
    const isVisible =
      maySee(context.caller, [each.partyId]) || heldIds.has(each.debtorArrangementId)
    return isVisible ? each : null
  })
})

/**
 * Returns the standing orders visible to the caller, in the order in which they were created: those of
 * the party, and those that debit an account that the party holds jointly.
 */
export async function listStandingOrders(
  context: Context,
  { arrangementId }: { arrangementId: string | null },
  after: string[] | null,
  take: number,
): Promise<StandingOrder[]> {
  const { partyId } = context.caller
  const account = { debtorArrangementId: arrangementId }
  const heldIds = await accountsHeld(context)
  if (heldIds.length === 0) {
    return standingOrderTable.list(context, { partyId, ...account }, after, take)
  }
  const isVisible = { OR: [{ partyId }, { debtorArrangementId: { in: heldIds } }] }
  return standingOrderTable.list(context, { ...account, AND: [isVisible] }, after, take)
}

/** Whether there are standing orders to execute. */
export const areStandingOrdersDueSql = isAnyDueSql(
  'payments.standing_order',
  'attempt_on',
  `state = 'active' and attempt_on <= ${bankDateSql}`,
)

/** Returns the active standing orders whose next attempt is due, longest overdue first. */
export function findDueForAttempt(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<StandingOrder[]> {
  return standingOrderTable.findMany(context, {
    where: { state: 'active', attemptOn: { lte: new Date(`${today}T00:00:00Z`) } },
    orderBy: [{ attemptOn: 'asc' }, { standingOrderId: 'asc' }],
    take,
  })
}
