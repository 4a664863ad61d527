import { fingerprint } from '../_kernel/answer.ts'
import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { isHeldByDeath } from '../_kernel/deceased.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import type { Told } from '../_kernel/events.ts'
import { changeRecord, createRecord, publish, versioned } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import { created, take } from './booking.ts'
import type { OrderAsked } from './domain/order.ts'
import { scheduledPayment } from './domain/payment.ts'
import {
  moveStandingOrder,
  newStandingOrder,
  orderFrom,
  paid,
  unpaid,
  type StandingOrder,
  type Terms,
} from './domain/standing-order.ts'
import type { StandingOrderEvent } from './events.ts'
import { findToAttempt, standingOrderKind } from './store/standing-order.ts'
import { readOrder } from './transfers.ts'

export interface StandingOrderAsked extends OrderAsked, Terms {
  standingOrderId?: string | null
}

/**
 * Pays again and again from its start. The same id with the same content is the same order.
 * Refuses with RESOURCE_EXISTS, as `readOrder` and as `newStandingOrder`.
 */
export function createStandingOrder(
  context: Context,
  asked: StandingOrderAsked,
): Promise<StandingOrder> {
  const { standingOrderId: id } = asked
  return createRecord(
    context,
    standingOrderKind,
    'createStandingOrder',
    asked,
    id,
    async (made) => {
      const order = await readOrder(context, asked)
      const head = { standingOrderId: made.id, ...versioned(made) }
      return { record: newStandingOrder(order, asked, head), isKeyKept: true }
    },
  )
}

const acts = {
  pauseStandingOrder: { to: 'paused', fact: 'paused' },
  resumeStandingOrder: { to: 'active', fact: 'resumed' },
  cancelStandingOrder: { to: 'cancelled', fact: 'cancelled' },
} as const

/** Pauses, resumes or cancels one. Refuses with STANDING_ORDER_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function changeStandingOrder(
  context: Context,
  act: keyof typeof acts,
  standingOrderId: string,
): Promise<StandingOrder> {
  const { to, fact } = acts[act]
  return changeRecord(
    context,
    standingOrderKind,
    act,
    { standingOrderId },
    standingOrderId,
    `payments.standing-order.${fact}`,
    (before, now) => {
      const record = moveStandingOrder(before, to, now)
      return { record, events: completion({ ...record, version: before.version + 1 }) }
    },
  )
}

const mostTogether = 50

/**
 * Pays what fell due, one date of each order at a time: after a clock that was moved by a year a
 * monthly order pays twelve times. The order's version and a unique pair of columns each see to it
 * that a date is paid once.
 */
export const executeStandingOrders: Worker = {
  name: 'payments.execute-standing-orders',
  followsClock: true,
  purpose: 'Pays the standing orders that fell due.',
  everyMs: 10_000,
  async run(context: Context): Promise<number> {
    const due = await findToAttempt(context, dateOf(context.now()), mostTogether)
    let done = 0
    for (const order of due) done += await attempt(context, order)
    return done
  },
}

/** Pays a date unless it was paid, moved or paused since it was found: the order is read again for each decision. */
function attempt(context: Context, { standingOrderId, nextOn, attemptOn }: StandingOrder) {
  const input = { standingOrderId, nextOn, attemptOn }
  return command(context, 'executeStandingOrder', input, async (): Promise<Decision<number>> => {
    const order = await standingOrderKind.find(context, standingOrderId)
    const isDue = order?.state === 'active' && order.nextOn === nextOn
    if (!isDue || order.attemptOn !== attemptOn) return { result: 0 }
    return execute(context, order)
  })
}

async function execute(context: Context, order: StandingOrder): Promise<Decision<number>> {
  const now = context.now()
  const { standingOrderId, nextOn } = order
  const id = context.newId('payment')
  const contentHash = fingerprint('executeStandingOrder', { standingOrderId, nextOn })
  const head = { paymentId: id, ...versioned({ id, contentHash, now }) }
  const scheduled = scheduledPayment(orderFrom(order), head, nextOn!, standingOrderId)
  const isHeld = await isHeldByDeath(context, order)
  const { payment, booked } = await take(context, scheduled)
  const reason = isHeld ? 'PARTY_DECEASED' : booked.violations[0]?.code
  if (reason) {
    const after = unpaid(order, reason, now)
    const fact = after.nextOn === nextOn ? 'postponed' : 'missed'
    return { result: 1, ...advanced(order, after, `payments.standing-order.${fact}`, now) }
  }
  const done = advanced(order, paid(order), 'payments.standing-order.executed', now)
  const made = created(payment)
  return {
    result: 1,
    writes: [...done.writes, ...made.writes, ...booked.writes],
    events: [...done.events, ...made.events, ...booked.events],
  }
}

function advanced(
  before: StandingOrder,
  decided: StandingOrder,
  event: StandingOrderEvent,
  now: Date,
) {
  const after = { ...decided, version: before.version + 1, updatedAt: now }
  const { events } = publish(standingOrderKind, after, event)
  return {
    writes: [standingOrderKind.update(before, after)],
    events: [...events, ...completion(after)],
  }
}

function completion(order: StandingOrder): readonly Told[] {
  if (order.state !== 'completed') return []
  return publish(standingOrderKind, order, 'payments.standing-order.completed').events
}
