import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { versioned } from '../_kernel/records.ts'
import { advance } from './domain/clock.ts'
import { newClockAdvance, type ClockAdvance } from './domain/clock-advance.ts'
import { tellAdvanced } from './events.ts'
import { clockAdvanceTable } from './store/clock-advance.ts'
import { moveClock } from './store/kernel.ts'

/**
 * Moves the bank's clock forward and returns the advance, which is followed until the bank has caught
 * up with it; a replayed request returns the same advance. This process uses the new time when the
 * promise resolves, the others within a second. Of two concurrent moves, the later one is rejected
 * when its time has already passed.
 * Rejects with NOT_FOR_DELEGATED_USERS, CLOCK_NOT_MOVABLE and CLOCK_OUT_OF_RANGE.
 */
export async function advanceClock(context: Context, to: Date): Promise<ClockAdvance> {
  const { bank } = context
  const isMovable = bank.environment === 'sandbox'
  const moved = await command(context, 'advanceClock', { to }, async () => {
    requireBank(context)
    const { aheadMs, version } = await bank.clock.refresh()
    const from = context.now()
    const movedMs = advance({ isMovable, aheadMs, now: from }, to)
    const id = context.newId('clockAdvance')
    const contentHash = fingerprint('advanceClock', { to })
    const { subject: requestedBy } = context.caller
    const head = { clockAdvanceId: id, fromAt: from, toAt: to, requestedBy }
    const record = newClockAdvance({ ...head, ...versioned({ id, contentHash, now: from }) })
    return {
      result: record,
      resourceId: id,
      writes: [moveClock(version, movedMs), clockAdvanceTable.insert(record)],
      events: [tellAdvanced({ from, to, aheadMs: movedMs, version: version + 1 })],
    }
  })
  await bank.clock.refresh()
  return moved
}
