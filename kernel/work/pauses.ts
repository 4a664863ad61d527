import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns a pause that is up to a quarter shorter. Otherwise, all workers would run in the same
 * moment, and each time open connections for it.
 */
export function spread(everyMs: number): number {
  return everyMs * (1 - Math.random() / 4)
}

/** Returns how long to rest after a pass, so that passes take no more than `maxShare` of the time. */
export function restAfter(passMs: number, maxShare = 1): number {
  return passMs * (1 / maxShare - 1)
}

/** Waits for a time in milliseconds, or until `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** Waits until `signal` aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
