import { Throttle, type ThrottleLimit } from './throttle.ts'

/** One name from one address: what a person mistypes costs nothing, a guesser waits up to 15 minutes. */
const pairLimit: ThrottleLimit = { free: 5, maxDelayMs: 15 * 60_000 }
/** All names from one address: many people may be behind it, so the delay stays short. */
const addressLimit: ThrottleLimit = { free: 100, maxDelayMs: 5000 }
/** Counted for the alert alone: a delay by name would lock its owner out. */
const nameLimit: ThrottleLimit = { free: Number.MAX_SAFE_INTEGER, maxDelayMs: 0 }

export interface LogInAttempt {
  username: string
  address: string
  /** Whether this browser has logged in as this person before: only its own failures delay it. */
  isKnownDevice: boolean
}

/** Delays guesses of passwords by name and address together, never by name alone. */
export class LogInThrottle {
  readonly #throttle: Throttle

  constructor(now: () => number) {
    this.#throttle = new Throttle(now)
  }

  /** Counts an attempt as failed until it succeeds. Returns the delay instead when it comes too early. */
  begin(attempt: LogInAttempt): { delayMs: number; failures: number } {
    const keys = this.#keysOf(attempt)
    const delayMs = Math.max(...keys.map(([key]) => this.#throttle.delayMs(key)))
    if (delayMs > 0) return { delayMs, failures: 0 }
    for (const [key, limit] of keys) this.#throttle.countFailure(key, limit)
    return { delayMs: 0, failures: this.#throttle.countFailure(`n ${attempt.username}`, nameLimit) }
  }

  succeeded(attempt: LogInAttempt): void {
    const [[pair]] = this.#keysOf(attempt)
    this.#throttle.clear(pair)
    this.#throttle.clear(`n ${attempt.username}`)
    if (!attempt.isKnownDevice) this.#throttle.discount(`a ${attempt.address}`)
  }

  #keysOf({
    username,
    address,
    isKnownDevice,
  }: LogInAttempt): [[string, ThrottleLimit], ...[string, ThrottleLimit][]] {
    if (isKnownDevice) return [[`d ${address} ${username}`, pairLimit]]
    return [
      [`p ${address} ${username}`, pairLimit],
      [`a ${address}`, addressLimit],
    ]
  }
}
