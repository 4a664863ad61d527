import type { FailedAttempts, LimitedKey, ThrottleLimit } from './failed-attempts.ts'

/** One name from one address: what a person mistypes costs nothing, a guesser waits up to 15 minutes. */
const pairLimit: ThrottleLimit = { free: 5, maxDelayMs: 15 * 60_000 }
/** All names from one address: many people may be behind it, so the delay stays short. */
const addressLimit: ThrottleLimit = { free: 100, maxDelayMs: 5000 }
/** Counted for the alert alone: a delay by name would lock its owner out. */
const nameLimit: ThrottleLimit = { free: 2_000_000_000, maxDelayMs: 0 }

export interface LogInAttempt {
  username: string
  address: string
  /** Whether this browser has logged in as this person before: only its own failures delay it. */
  isKnownDevice: boolean
}

/** An attempt that may be made. */
export interface BegunAttempt {
  /** The count of it as a failure; null while it is not counted. */
  counted: Promise<number> | null
  /** Keys with earlier failures, which its success clears. */
  remembered: ReadonlySet<string>
}

interface Uncounted {
  attempt: LogInAttempt
  begun: BegunAttempt
}

/**
 * Delays guesses of passwords by name and address together, never by name alone. An attempt is counted as
 * failed before its result is known, so that parallel ones see each other. The first from an address that
 * nothing is remembered of is counted only when it has failed or another joins it: most log-ins write nothing.
 */
export class LogInThrottle {
  readonly #attempts: FailedAttempts
  /** The uncounted attempt of each address that is being made in this process. */
  readonly #uncounted = new Map<string, Uncounted>()

  constructor(attempts: FailedAttempts) {
    this.#attempts = attempts
  }

  /** Begins an attempt; returns the delay instead when it comes too early. */
  async begin(attempt: LogInAttempt): Promise<{ delayMs: number; begun: BegunAttempt }> {
    const { address } = attempt
    const begun: BegunAttempt = { counted: null, remembered: new Set() }
    const other = this.#uncounted.get(address)
    // Reserved before anything is read: of those that come at once, one is not counted yet.
    if (!other) this.#uncounted.set(address, { attempt, begun })
    const result = await this.#decide(attempt, begun, other).catch((error: Error) => {
      this.#end(attempt, begun)
      throw error
    })
    if (result.delayMs > 0 || result.begun.counted) this.#end(attempt, begun)
    return result
  }

  async #decide(
    attempt: LogInAttempt,
    begun: BegunAttempt,
    other: Uncounted | undefined,
  ): Promise<{ delayMs: number; begun: BegunAttempt }> {
    const keys = keysOf(attempt)
    const { delayMs, remembered } = await this.#attempts.peek(keys.map(({ key }) => key))
    begun.remembered = remembered
    if (delayMs > 0) return { delayMs, begun }
    if (!other && !remembered.has(keys[0]!.key)) return { delayMs: 0, begun }
    if (other) await this.#countLate(other.attempt, other.begun)
    // Another attempt may have counted this one meanwhile.
    if (begun.counted) return { delayMs: 0, begun }
    const { delayMs: wait, counts } = await this.#attempts.count(keys)
    if (wait > 0) return { delayMs: wait, begun }
    begun.counted = Promise.resolve(counts.at(-1)!)
    return { delayMs: 0, begun }
  }

  /** The attempt failed. Returns how many failed for its name until now. */
  async failed(attempt: LogInAttempt, begun: BegunAttempt): Promise<number> {
    try {
      return await this.#countLate(attempt, begun)
    } finally {
      this.#end(attempt, begun)
    }
  }

  /** The attempt succeeded: failures of its name from its address, and the series of its name, are over. */
  async succeeded(attempt: LogInAttempt, begun: BegunAttempt): Promise<void> {
    this.#end(attempt, begun)
    const isCounted = begun.counted !== null
    await begun.counted
    const [pair, ...others] = keysOf(attempt).map(({ key }) => key)
    const own = [pair!, others.at(-1)!]
    if (isCounted || own.some((key) => begun.remembered.has(key))) await this.#attempts.clear(own)
    if (isCounted && !attempt.isKnownDevice) {
      await this.#attempts.discount(addressKey(attempt.address))
    }
  }

  #countLate(attempt: LogInAttempt, begun: BegunAttempt): Promise<number> {
    begun.counted ??= this.#attempts
      .count(keysOf(attempt), true)
      .then(({ counts }) => counts.at(-1)!)
    return begun.counted
  }

  #end({ address }: LogInAttempt, begun: BegunAttempt): void {
    if (this.#uncounted.get(address)?.begun === begun) this.#uncounted.delete(address)
  }
}

const addressKey = (address: string) => `a ${address}`

/** First what is the attempt's own, last the name, which delays nobody. */
function keysOf({ username, address, isKnownDevice }: LogInAttempt): LimitedKey[] {
  const name = { key: `n ${username}`, limit: nameLimit }
  if (isKnownDevice) return [{ key: `d ${address} ${username}`, limit: pairLimit }, name]
  return [
    { key: `p ${address} ${username}`, limit: pairLimit },
    { key: addressKey(address), limit: addressLimit },
    name,
  ]
}
