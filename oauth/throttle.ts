/** When failures of one kind begin to cost waiting, and how long at most. */
export interface ThrottleLimit {
  /** Failures that cost nothing. */
  free: number
  /** Each failure after those doubles the delay, from one second up to this. */
  maxDelayMs: number
}

interface Failures {
  count: number
  /** Until then, nothing is tried. */
  waitUntil: number
  forgetAt: number
}

const forgetMs = 60 * 60_000
const maxRemembered = 50_000

/**
 * Slows down guessing with delays that grow with each failure. Nothing is ever locked: whoever waits may
 * try again, and failures are forgotten after an hour without one. Those forgotten first when memory
 * is full are the oldest.
 */
export class Throttle {
  readonly #now: () => number
  readonly #failures = new Map<string, Failures>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** How long to wait before the next attempt; 0 when it may be made now. */
  delayMs(key: string): number {
    return Math.max(0, (this.#find(key)?.waitUntil ?? 0) - this.#now())
  }

  /**
   * Counts an attempt as failed before its result is known, so that parallel ones see each other.
   * Returns how many failed until now.
   */
  countFailure(key: string, { free, maxDelayMs }: ThrottleLimit): number {
    const now = this.#now()
    const count = (this.#find(key)?.count ?? 0) + 1
    const delayMs = count < free ? 0 : Math.min(maxDelayMs, 1000 * 2 ** Math.min(count - free, 30))
    this.#failures.delete(key)
    this.#failures.set(key, { count, waitUntil: now + delayMs, forgetAt: now + forgetMs })
    if (this.#failures.size > maxRemembered) {
      this.#failures.delete(this.#failures.keys().next().value!)
    }
    return count
  }

  /** Forgets the failures: the attempt succeeded. */
  clear(key: string): void {
    this.#failures.delete(key)
  }

  /** Takes back one failure of many that share a key: this attempt succeeded, others did not. */
  discount(key: string): void {
    const found = this.#find(key)
    if (found) Object.assign(found, { count: Math.max(0, found.count - 1), waitUntil: 0 })
  }

  #find(key: string): Failures | undefined {
    const found = this.#failures.get(key)
    return found && found.forgetAt > this.#now() ? found : undefined
  }
}
