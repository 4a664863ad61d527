import type { Bank } from '../../../kernel/environment/bank.ts'

/**
 * The wake-up signal for the deliverer of one environment in this process. If the deliverer is not
 * waiting when the signal arrives, its next wait returns immediately.
 */
interface WakeSignal {
  isPending: boolean
  listener: (() => void) | null
}

const wakeSignals = new WeakMap<Bank, WakeSignal>()

function wakeSignalOf(bank: Bank): WakeSignal {
  let wakeSignal = wakeSignals.get(bank)
  if (!wakeSignal) wakeSignals.set(bank, (wakeSignal = { isPending: false, listener: null }))
  return wakeSignal
}

/** Wakes the deliverer of this process, because a delivery may be due. */
export function wake(bank: Bank): void {
  const wakeSignal = wakeSignalOf(bank)
  wakeSignal.isPending = true
  wakeSignal.listener?.()
}

/**
 * Resolves when a wake-up signal arrives, at once if one has arrived since the last call; also
 * after `maxMs`, and when `stopSignal` aborts.
 */
export async function waitForWakeSignal(
  bank: Bank,
  maxMs: number,
  stopSignal: AbortSignal,
): Promise<void> {
  const wakeSignal = wakeSignalOf(bank)
  // A move of the bank clock can make deliveries due.
  const removeClockListener = bank.clock.onMove(() => wake(bank))
  if (!wakeSignal.isPending && !stopSignal.aborted) {
    const cleanup = new AbortController()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs)
      wakeSignal.listener = resolve
      stopSignal.addEventListener('abort', () => resolve(), { once: true, signal: cleanup.signal })
      cleanup.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    })
    cleanup.abort()
  }
  wakeSignal.isPending = false
  wakeSignal.listener = null
  removeClockListener()
}
