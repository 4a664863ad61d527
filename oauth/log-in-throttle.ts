import type { FailedAttempts, LimitedKey, ThrottleLimit } from './failed-attempts.ts'

/**
 * The limit per user name and address: typing errors cause no delay; guessing causes delays of up
 * to 15 minutes.
 */
const pairLimit: ThrottleLimit = { free: 5, maxDelayMs: 15 * 60_000 }
/** The limit per address. Many users may share an address, so the delay stays short. */
const addressLimit: ThrottleLimit = { free: 100, maxDelayMs: 5000 }
/**
 * The counter per user name. It is used only to report the number of failures when a login fails.
 * It never causes a delay, because a delay would lock out the user.
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
  failedKeys: ReadonlySet<string>
}

interface UncountedAttempt {
  attempt: LogInAttempt
  state: AttemptState
}

/**
 * Delays password guessing per address, and per address and user name, but never per user name
 * alone. An attempt is counted as failed before its result is known, so that concurrent attempts
 * see each other. There is one exception: if no other attempt is in progress from the address, and
 * the user name has no recorded failures from it, the attempt is counted only when it fails or when
 * another attempt starts. Most logins therefore write nothing.
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
  async begin(attempt: LogInAttempt): Promise<{ delayMs: number; state: AttemptState }> {
    const { address } = attempt
    const state: AttemptState = { counted: null, failedKeys: new Set() }
    const otherAttempt = this.#uncounted.get(address)
    // The entry must be set before the first read, so that only one of several concurrent attempts
    // stays uncounted.
    if (!otherAttempt) this.#uncounted.set(address, { attempt, state })
    const result = await this.#decide(attempt, state, otherAttempt).catch((error: Error) => {
      this.#end(attempt, state)
      throw error
    })
    if (result.delayMs > 0 || result.state.counted) this.#end(attempt, state)
    return result
  }

  async #decide(
    attempt: LogInAttempt,
    state: AttemptState,
    otherAttempt: UncountedAttempt | undefined,
  ): Promise<{ delayMs: number; state: AttemptState }> {
    const keys = keysOf(attempt)
    const { delayMs, cached: keysWithFailures } = await this.#attempts.peek(
      keys.map(({ key }) => key),
    )
    state.failedKeys = keysWithFailures
    if (delayMs > 0) return { delayMs, state }
    if (!otherAttempt && !keysWithFailures.has(keys[0]!.key)) return { delayMs: 0, state }
    if (otherAttempt) await this.#countLate(otherAttempt.attempt, otherAttempt.state)
    // A concurrent attempt may have counted this one in the meantime.
    if (state.counted) return { delayMs: 0, state }
    const { delayMs: waitMs, counts } = await this.#attempts.count(keys)
    if (waitMs > 0) return { delayMs: waitMs, state }
    state.counted = Promise.resolve(counts.at(-1)!)
    return { delayMs: 0, state }
  }

  /** Records a failure. Returns the number of failures of the user name so far. */
  async recordFailure(attempt: LogInAttempt, state: AttemptState): Promise<number> {
    try {
      return await this.#countLate(attempt, state)
    } finally {
      this.#end(attempt, state)
    }
  }

  /**
   * Records a success. Clears the failures of the user name, both from this address and in total,
   * and no longer counts this attempt as a failure of the address.
   */
  async recordSuccess(attempt: LogInAttempt, state: AttemptState): Promise<void> {
    this.#end(attempt, state)
    const isCounted = state.counted !== null
    await state.counted
    const [pairKey, ...otherKeys] = keysOf(attempt).map(({ key }) => key)
    const clearedKeys = [pairKey!, otherKeys.at(-1)!]
    if (isCounted || clearedKeys.some((key) => state.failedKeys.has(key)))
      await this.#attempts.clear(clearedKeys)
    if (isCounted && !attempt.isKnownDevice) {
      await this.#attempts.discount(addressKey(attempt.address))
    }
  }

  #countLate(attempt: LogInAttempt, state: AttemptState): Promise<number> {
    state.counted ??= this.#attempts
      .count(keysOf(attempt), true)
      .then(({ counts }) => counts.at(-1)!)
    return state.counted
  }

  #end({ address }: LogInAttempt, state: AttemptState): void {
    if (this.#uncounted.get(address)?.state === state) this.#uncounted.delete(address)
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
