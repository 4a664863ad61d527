import type { Bank } from '../../_kernel/bank.ts'

/**
 * The wake-up signal for the deliverer of one environment in this process. A signal without a
 * waiter is kept.
 */
interface Bell {
  isRung: boolean
  listener: (() => void) | null
}

const bells = new WeakMap<Bank, Bell>()

function bellOf(bank: Bank): Bell {
  let bell = bells.get(bank)
  if (!bell) bells.set(bank, (bell = { isRung: false, listener: null }))
  return bell
}

/** Wakes the deliverer of this process, because a delivery may be due. */
export function wake(bank: Bank): void {
  const bell = bellOf(bank)
  bell.isRung = true
  bell.listener?.()
}

/** Resolves on a wake-up signal since the last call, after `mostMs`, or when `ending` aborts. */
export async function woken(bank: Bank, mostMs: number, ending: AbortSignal): Promise<void> {
  const bell = bellOf(bank)
  const forget = bank.clock.onMove(() => wake(bank))
  if (!bell.isRung && !ending.aborted) {
    const over = new AbortController()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs)
      bell.listener = resolve
      ending.addEventListener('abort', () => resolve(), { once: true, signal: over.signal })
      over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    })
    over.abort()
  }
  bell.isRung = false
  bell.listener = null
  forget()
}
