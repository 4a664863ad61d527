import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import { offsetAfterMove } from '../domain/clock.ts'
import { newClockAdvance, type ClockAdvance } from '../domain/clock-advance.ts'
import { advanceEvent } from '../events.ts'
import { clockAdvanceTable } from '../store/clock-advance.ts'
import { setClock } from '../store/kernel.ts'

/**
 * Moves the bank's clock forward and returns the advance, whose progress is tracked until the bank
 * has caught up. A retry with the same idempotency key returns the same advance. This process uses
 * the new time as soon as the promise resolves; other processes follow within a second. If two
 * moves are concurrent, the later one is rejected if the clock has already passed its time.
 * Throws NOT_FOR_DELEGATED_USERS, CLOCK_NOT_MOVABLE, CLOCK_OUT_OF_RANGE.
 */
export async function advanceClock(context: Context, to: Date): Promise<ClockAdvance> {
  const { bank } = context
  const isMovable = bank.environment === 'sandbox'
  const clockAdvance = await command(context, 'advanceClock', { to }, async () => {
    requireBank(context)
    const { aheadMs, version } = await bank.clock.refresh()
    const from = context.now()
    const advancedMs = offsetAfterMove({ isMovable, aheadMs, now: from }, to)
    const id = context.newId('clockAdvance')
    const contentHash = fingerprint('advanceClock', { to })
    const { subject: requestedBy } = context.caller
    const head = { clockAdvanceId: id, fromAt: from, toAt: to, requestedBy }
    const record = newClockAdvance({ ...head, ...versioned({ id, contentHash, now: from }) })
    return {
      result: record,
      resourceId: id,
      writes: [setClock(version, advancedMs), clockAdvanceTable.insert(record)],
      events: [advanceEvent({ from, to, aheadMs: advancedMs, version: version + 1 })],
    }
  })
  await bank.clock.refresh()
  return clockAdvance
}
