import { command, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { isHeldByDeath } from '../_kernel/deceased.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import type { Worker } from '../_kernel/worker.ts'
import { moved, take } from './booking.ts'
import { movePayment } from './domain/payment.ts'
import { findDue, paymentKind } from './store/payment.ts'

const mostTogether = 50
const everyMs = 10_000

/** Gives scheduled payments to their rails when their day has come; what the books do not allow is rejected. */
export const executeScheduled: Worker = {
  name: 'payments.execute-scheduled',
  followsClock: true,
  purpose: 'Gives scheduled payments to their rails when their day has come.',
  everyMs,
  async run(context: Context): Promise<number> {
    const due = await findDue(context, dateOf(context.now()), mostTogether)
    let done = 0
    for (const { paymentId } of due) done += await execute(context, paymentId)
    return done
  },
}

/** Whoever comes second finds it executed: it is read again for each decision, and held to its version. */
function execute(context: Context, paymentId: string): Promise<number> {
  const decide = async (): Promise<Decision<number>> => {
    const scheduled = await paymentKind.find(context, paymentId)
    if (scheduled?.state !== 'scheduled') return { result: 0 }
    const now = context.now()
    if (await isHeldByDeath(context, scheduled)) {
      const held = movePayment(scheduled, 'rejected', { reasonCode: 'PARTY_DECEASED' })
      const { writes, events } = moved(scheduled, held, now)
      return { result: 1, writes, events }
    }
    const { payment, booked } = await take(context, scheduled)
    const [violation] = booked.violations
    const after = violation
      ? movePayment(scheduled, 'rejected', { reasonCode: violation.code })
      : payment
    const { writes, events } = moved(scheduled, after, now)
    return {
      result: 1,
      writes: [...writes, ...booked.writes],
      events: [...events, ...booked.events],
    }
  }
  return command(context, 'executePayment', { paymentId }, decide)
}
