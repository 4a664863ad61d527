import type { OrderRequest } from '../model/payment-inputs.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import {
  transitionStandingOrder,
  newStandingOrder,
  type StandingOrder,
  type StandingOrderTerms,
} from '../domain/standing-order.ts'
import { standingOrderKind } from '../store/standing-order.ts'
import { readOrder } from './transfer.ts'

export interface StandingOrderRequest extends OrderRequest, StandingOrderTerms {
  standingOrderId?: string | null
}

/**
 * Creates a standing order. A repeated request with the same ID and content returns the existing
 * standing order. Throws RESOURCE_EXISTS and whatever `readOrder` and `newStandingOrder` throw.
 */
export function createStandingOrder(
  context: Context,
  request: StandingOrderRequest,
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
      const identity = { standingOrderId: creation.id, ...versioned(creation) }
      return { record: newStandingOrder(order, request, identity), retainsKey: true }
    },
  )
}

const actions = {
  pauseStandingOrder: { to: 'paused', eventName: 'paused' },
  resumeStandingOrder: { to: 'active', eventName: 'resumed' },
  cancelStandingOrder: { to: 'cancelled', eventName: 'cancelled' },
} as const

/**
 * Pauses, resumes or cancels a standing order. Throws STANDING_ORDER_NOT_FOUND,
 * INVALID_STATE_TRANSITION.
 */
export function changeStandingOrder(
  context: Context,
  operation: keyof typeof actions,
  standingOrderId: string,
): Promise<StandingOrder> {
  const { to, eventName } = actions[operation]
  return changeRecord(
    context,
    standingOrderKind,
    operation,
    { standingOrderId },
    standingOrderId,
    `payments.standing-order.${eventName}`,
    (before, now) => {
      const record = transitionStandingOrder(before, to, now)
      return { record, events: completionEvents({ ...record, version: before.version + 1 }) }
    },
  )
}

/** Returns the event of a standing order that is completed; empty in any other state. */
export function completionEvents(order: StandingOrder): readonly DomainEvent[] {
  if (order.state !== 'completed') return []
  return publicationOf(standingOrderKind, order, 'payments.standing-order.completed').events
}
