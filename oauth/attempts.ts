const windowMs = 10 * 60_000
const mostByName = 10
const mostByAddress = 100

/** Counts log-ins that failed, so that passwords cannot be tried one after the other, or all at once. */
export class Attempts {
  readonly #now: () => number
  readonly #failures = new Map<string, { count: number; until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts a try as failed before anybody knows: those under way at the same time see each other.
   * Answers false, and counts nothing, when this name or this address failed too often within ten minutes.
   */
  begin(username: string, address: string): boolean {
    const counts = { [`n ${username}`]: mostByName, [`a ${address}`]: mostByAddress }
    for (const [key, most] of Object.entries(counts)) if (this.#count(key) >= most) return false
    this.#forgetOld()
    const until = this.#now() + windowMs
    for (const key of Object.keys(counts)) {
      this.#failures.set(key, { count: this.#count(key) + 1, until })
    }
    return true
  }

  /** It was the right password: the name has failed never, and the address once less. */
  succeeded(username: string, address: string): void {
    this.#failures.delete(`n ${username}`)
    const found = this.#failures.get(`a ${address}`)
    if (found) found.count--
  }

  #count(key: string): number {
    const found = this.#failures.get(key)
    return found && found.until > this.#now() ? found.count : 0
  }

  #forgetOld(): void {
    if (this.#failures.size < 10_000) return
    for (const [key, { until }] of this.#failures) {
      if (until <= this.#now()) this.#failures.delete(key)
    }
  }
}
