import type { FailedAttempts, LimitedKey, ThrottleLimit } from './failed-attempts.ts'

/**
 * The limit per user name and address: typing errors cause no delay; guessing causes delays of up
 * to 15 minutes.
 */
const pairLimit: ThrottleLimit = { free: 5, maxDelayMs: 15 * 60_000 }
/** The limit per address. Many users may share an address, so the delay stays short. */
const addressLimit: ThrottleLimit = { free: 100, maxDelayMs: 5000 }
/**
 * The counter per user name, which is only reported with a failed login. It never causes a delay,
 * because a delay would lock out the user.
 */
const nameLimit: ThrottleLimit = { free: 2_000_000_000, maxDelayMs: 0 }

export interface LogInAttempt {
  username: string
  address: string
  /**
   * Whether this user has logged in with this browser before. If so, only failed attempts from the
   * user's known browsers at the same address delay the attempt.
   */
  isKnownDevice: boolean
}

/** The state of an attempt in progress. */
export interface AttemptState {
  /**
   * Resolves to the number of failures of the user name once the attempt is counted as failed; null
   * while it is not counted.
   */
  counted: Promise<number> | null
  /** The keys with earlier failures, which a success clears. */
  cached: ReadonlySet<string>
}

interface UncountedAttempt {
  attempt: LogInAttempt
  begun: AttemptState
}

/**
 * Delays password guessing per address, and per address and user name, but never per user name
 * alone. An attempt is counted as failed before its result is known, so that concurrent attempts
 * see each other. An exception is the only attempt in progress from an address, if its user name
 * has no recorded failures from that address: it is counted only when it fails, or when a
 * concurrent attempt starts. Most logins therefore write nothing.
 */
export class LogInThrottle {
  readonly #attempts: FailedAttempts
  /** The uncounted attempt in progress per address, in this process. */
  readonly #uncounted = new Map<string, UncountedAttempt>()

  constructor(attempts: FailedAttempts) {
    this.#attempts = attempts
  }

  /**
   * Starts an attempt. `delayMs` is how long the caller must wait before it tries again; 0 if the
   * attempt is allowed.
   */
  async begin(attempt: LogInAttempt): Promise<{ delayMs: number; begun: AttemptState }> {
    const { address } = attempt
    const begun: AttemptState = { counted: null, cached: new Set() }
    const otherAttempt = this.#uncounted.get(address)
    // The entry must be set before the first read, so that only one of several concurrent attempts
    // stays uncounted.
    if (!otherAttempt) this.#uncounted.set(address, { attempt, begun })
    const result = await this.#decide(attempt, begun, otherAttempt).catch((error: Error) => {
      this.#end(attempt, begun)
      throw error
    })
    if (result.delayMs > 0 || result.begun.counted) this.#end(attempt, begun)
    return result
  }

  async #decide(
    attempt: LogInAttempt,
    begun: AttemptState,
    otherAttempt: UncountedAttempt | undefined,
  ): Promise<{ delayMs: number; begun: AttemptState }> {
    const keys = keysOf(attempt)
    const { delayMs, cached: keysWithFailures } = await this.#attempts.peek(
      keys.map(({ key }) => key),
    )
    begun.cached = keysWithFailures
    if (delayMs > 0) return { delayMs, begun }
    if (!otherAttempt && !keysWithFailures.has(keys[0]!.key)) return { delayMs: 0, begun }
    if (otherAttempt) await this.#countLate(otherAttempt.attempt, otherAttempt.begun)
    // A concurrent attempt may have counted this one in the meantime.
    if (begun.counted) return { delayMs: 0, begun }
    const { delayMs: waitMs, counts } = await this.#attempts.count(keys)
    if (waitMs > 0) return { delayMs: waitMs, begun }
    begun.counted = Promise.resolve(counts.at(-1)!)
    return { delayMs: 0, begun }
  }

  /** Records a failure. Returns the number of failures of the user name so far. */
  async recordFailure(attempt: LogInAttempt, begun: AttemptState): Promise<number> {
    try {
      return await this.#countLate(attempt, begun)
    } finally {
      this.#end(attempt, begun)
    }
  }

  /**
   * Records a success. Clears the failures of the user name, both from this address and in total,
   * and no longer counts this attempt as a failure of the address.
   */
  async recordSuccess(attempt: LogInAttempt, begun: AttemptState): Promise<void> {
    this.#end(attempt, begun)
    const isCounted = begun.counted !== null
    await begun.counted
    const [pairKey, ...otherKeys] = keysOf(attempt).map(({ key }) => key)
    const clearedKeys = [pairKey!, otherKeys.at(-1)!]
    if (isCounted || clearedKeys.some((key) => begun.cached.has(key)))
      await this.#attempts.clear(clearedKeys)
    if (isCounted && !attempt.isKnownDevice) {
      await this.#attempts.discount(addressKey(attempt.address))
    }
  }

  #countLate(attempt: LogInAttempt, begun: AttemptState): Promise<number> {
    begun.counted ??= this.#attempts
      .count(keysOf(attempt), true)
      .then(({ counts }) => counts.at(-1)!)
    return begun.counted
  }

  #end({ address }: LogInAttempt, begun: AttemptState): void {
    if (this.#uncounted.get(address)?.begun === begun) this.#uncounted.delete(address)
  }
}

const addressKey = (address: string) => `a ${address}`

/**
 * Returns the keys of an attempt. The first one is the most specific; the last one is the user
 * name, which never causes a delay.
 */
function keysOf({ username, address, isKnownDevice }: LogInAttempt): LimitedKey[] {
  const name = { key: `n ${username}`, limit: nameLimit }
  if (isKnownDevice) return [{ key: `d ${address} ${username}`, limit: pairLimit }, name]
  return [
    { key: `p ${address} ${username}`, limit: pairLimit },
    { key: addressKey(address), limit: addressLimit },
    name,
  ]
}
