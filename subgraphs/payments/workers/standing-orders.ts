import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { isBlockedByDeath } from '../../../kernel/lifecycle/deceased.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { publicationOf, versioned } from '../../../kernel/writing/records.ts'
import { creationOf, executeOnRail, sharedEvents } from '../commands/booking.ts'
import { completionEvents } from '../commands/standing-order.ts'
import { scheduledPayment } from '../domain/payment.ts'
import { orderFrom, afterPayment, afterFailedAttempt } from '../domain/standing-order.ts'
import type { StandingOrderEvent } from '../events.ts'
import type { StandingOrder } from '../model/standing-order.ts'
import {
  areStandingOrdersDueSql,
  findDueForAttempt,
  standingOrderKind,
} from '../store/standing-order.ts'

const maxOrdersPerRun = 50

/**
 * Executes due standing orders. A run executes only one date of each order. If the bank clock is
 * moved forward by a year, a monthly order therefore makes twelve payments in successive runs. The
 * version of the order and a unique index both ensure that each date is paid only once.
 */
export const executeStandingOrders: Worker = {
  name: 'payments.execute-standing-orders',
  nightlyPhase: 'payments',
  followsClock: true,
  purpose: 'Executes the standing orders that are due.',
  everyMs: dueFallbackMs,
  isDueSql: areStandingOrdersDueSql,
  async run(context: Context): Promise<number> {
    const dueOrders = await findDueForAttempt(context, dateOf(context.now()), maxOrdersPerRun)
    let processedCount = 0
    for (const order of dueOrders) processedCount += await attemptPayment(context, order)
    return processedCount
  },
}

/**
 * Attempts the due payment of a standing order. Has no effect if the order was executed or paused
 * in the meantime, because each decision reads the order again.
 */
function attemptPayment(context: Context, { standingOrderId, nextOn, attemptOn }: StandingOrder) {
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
  const identity = { paymentId: id, ...versioned({ id, contentHash, now }) }
  const scheduled = scheduledPayment(orderFrom(order), identity, nextOn!, standingOrderId)
  const isBlocked = await isBlockedByDeath(context, order)
  const { payment, booked } = await executeOnRail(context, scheduled)
  const reason = isBlocked ? 'PARTY_DECEASED' : booked.violations[0]?.code
  if (reason) {
    const after = afterFailedAttempt(order, reason, now)
    const eventName = after.nextOn === nextOn ? 'postponed' : 'missed'
    return { result: 1, ...orderChange(order, after, `payments.standing-order.${eventName}`, now) }
  }
  const change = orderChange(order, afterPayment(order), 'payments.standing-order.executed', now)
  const creation = creationOf(payment)
  const created = await sharedEvents(context, payment, creation.events)
  return {
    result: 1,
    writes: [...change.writes, ...creation.writes, ...booked.writes],
    events: [...change.events, ...created, ...booked.events],
  }
}

function orderChange(
  before: StandingOrder,
  decided: StandingOrder,
  event: StandingOrderEvent,
  now: Date,
) {
  const after = { ...decided, version: before.version + 1, updatedAt: now }
  const { events } = publicationOf(standingOrderKind, after, event)
  return {
    writes: [standingOrderKind.update(before, after)],
    events: [...events, ...completionEvents(after)],
  }
}
