import type { Context } from '../../../kernel/environment/context.ts'
import { requireCallerAlive } from '../../../kernel/lifecycle/deceased.ts'
import { requireSoleSignature } from '../../../kernel/authorization/signing.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import { newStandingOrder } from '../domain/standing-order.ts'
import type { StandingOrderEvent } from '../events.ts'
import type { CreateStandingOrderInput, StandingOrder } from '../model/standing-order.ts'
import { standingOrderKind } from '../store/standing-order.ts'
import { authenticatePayment } from './strong-authentication.ts'
import { readOrder } from './transfer.ts'

/**
 * Creates a standing order. A repeated request with the same ID and content returns the existing
 * standing order. Throws RESOURCE_EXISTS, SIGNATURES_REQUIRED,
 * APPROVAL_REQUIRED, and whatever `readOrder` and `newStandingOrder` throw.
 */
export function createStandingOrder(
  context: Context,
  request: CreateStandingOrderInput,
): Promise<StandingOrder> {
  const { standingOrderId: id } = request
  return createRecord(
    context,
    standingOrderKind,
    'createStandingOrder',
    request,
    id,
    async (creation) => {
      const order = await readOrder(context, request)
      const { debtorArrangementId: debtorId, amountMinor } = order
      await requireCallerAlive(context, order.partyId, '/debtorArrangementId')
      await requireSoleSignature(context, debtorId, amountMinor, '/debtorArrangementId')
      const identity = { standingOrderId: creation.id, ...versioned(creation) }
      const record = newStandingOrder(order, request, identity)
      const lines = seriesLines(record)
      const action = 'Standing order'
      const writes = await authenticatePayment(context, order, {
        action,
        lines,
        isSeries: true,
      })
      return { record, writes, retainsKey: true }
    },
  )
}

/** Returns what a customer approves besides the amount and the payee (RTS, article 14 (1)). */
function seriesLines({ frequency, startsOn, endsOn, maxExecutions }: StandingOrder) {
  return [
    ['How often', frequency],
    ['From', startsOn],
    ['Until', endsOn ?? (maxExecutions === null ? 'canceled' : `${maxExecutions} payments`)],
  ] as const
}

/**
 * Changes a standing order and emits the event, and a second event if the change completes the
 * order. Throws STANDING_ORDER_NOT_FOUND, and whatever `decide` throws.
 */
export const changeStandingOrder: Change<StandingOrder, StandingOrderEvent> = (
  context,
  operation,
  input,
  id,
  event,
  decide,
) =>
  changeRecord(context, standingOrderKind, operation, input, id, event, async (before, now) => {
    const record = await decide(before, now)
    return { record, events: completionEvents({ ...record, version: before.version + 1 }) }
  })

/** Returns the event of a standing order that is completed; empty in any other state. */
export function completionEvents(order: StandingOrder): readonly DomainEvent[] {
  if (order.state !== 'completed') return []
  return publicationOf(standingOrderKind, order, 'payments.standing-order.completed').events
}
