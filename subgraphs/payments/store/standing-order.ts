import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import type { StandingOrder } from '../domain/standing-order.ts'
import type { StandingOrderEvent } from '../events.ts'

const table = tableOf<StandingOrder, Prisma.StandingOrderGetPayload<object>>(
  'payments.standing_order',
  'standingOrderId',
  ({ db }) => db.standingOrder,
  (row) => ({
    ...row,
    state: row.state as StandingOrder['state'],
    rail: row.rail as StandingOrder['rail'],
    frequency: row.frequency as StandingOrder['frequency'],
    startsOn: dateOf(row.startsOn),
    endsOn: row.endsOn && dateOf(row.endsOn),
    nextOn: row.nextOn && dateOf(row.nextOn),
    attemptOn: row.attemptOn && dateOf(row.attemptOn),
  }),
)

export const standingOrderKind: Kind<StandingOrder, StandingOrderEvent> = {
  ...table,
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

/** Standing orders by id, each only if it is the caller's to see. */
export const loadStandingOrder = loader<string, StandingOrder>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => table.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, [each.partyId]) ? each : null))
})

/** Standing orders in the order they were created, as far as they are the caller's to see. */
export function listStandingOrders(
  context: Context,
  arrangementId: string | null,
  after: string[] | null,
  take: number,
): Promise<StandingOrder[]> {
  const { partyId } = context.caller
  const where = {
    ...(partyId !== null && { partyId }),
    ...(arrangementId !== null && { debtorArrangementId: arrangementId }),
  }
  return table.list(context, where, after, take)
}

/** Active standing orders with a date to pay, the longest waiting first. */
export function findToAttempt(
  context: Context,
  today: LocalDate,
  take: number,
): Promise<StandingOrder[]> {
  return table.findMany(context, {
    where: { state: 'active', attemptOn: { lte: new Date(`${today}T00:00:00Z`) } },
    orderBy: [{ attemptOn: 'asc' }, { standingOrderId: 'asc' }],
    take,
  })
}

/** Active standing orders of a currency over a rail that leaves the bank. */
export function findLeaving(context: Context, currency: string): Promise<StandingOrder[]> {
  return table.findMany(context, {
    where: { currency, state: 'active', rail: { not: 'internal' } },
  })
}
