import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { advance } from './domain/clock.ts'
import { tellAdvanced } from './events.ts'
import { moveClock } from './store/kernel.ts'

/**
 * Moves the bank's clock forward and returns the new time; a replayed request returns the same
 * time. This process uses the new time when the promise resolves, the others within a second. Of
 * two concurrent moves, the later one is rejected when its time has already passed.
 * Rejects with NOT_FOR_DELEGATED_USERS, CLOCK_NOT_MOVABLE and CLOCK_OUT_OF_RANGE.
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
