import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { advance } from './domain/clock.ts'
import { tellAdvanced } from './events.ts'
import { moveClock } from './store/kernel.ts'

/**
 * Moves the bank's clock forward and answers the time it was moved to; a replay answers the same,
 * although time went on. This process shows the new time when it resolves, the others within a
 * second. Of two who move it at once one goes first; the other is refused when its time has passed.
 * Refuses with NOT_FOR_DELEGATED_USERS, CLOCK_NOT_MOVABLE and CLOCK_OUT_OF_RANGE.
 */
export async function advanceClock(context: Context, to: Date): Promise<Date> {
  const { bank } = context
  const isMovable = bank.environment === 'sandbox'
  const shown = await command(context, 'advanceClock', { to }, async () => {
    requireBank(context)
    const { aheadMs, version } = await bank.clock.refresh()
    const from = context.now()
    const movedMs = advance({ isMovable, aheadMs, now: from }, to)
    return {
      result: to,
      resourceId: 'sandbox',
      writes: [moveClock(version, movedMs)],
      events: [tellAdvanced({ from, to, aheadMs: movedMs, version: version + 1 })],
    }
  })
  await bank.clock.refresh()
  return shown
}
