const windowMs = 10 * 60_000
const mostByName = 10
const mostByAddress = 100

/** Counts log-ins that failed, so that passwords cannot be tried one after the other. */
export class Attempts {
  readonly #now: () => number
  readonly #failures = new Map<string, { count: number; until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether this name, or this address, failed too often within ten minutes. */
  isTooMany(username: string, address: string): boolean {
    return (
      this.#count(`n ${username}`) >= mostByName || this.#count(`a ${address}`) >= mostByAddress
    )
  }

  failed(username: string, address: string): void {
    this.#forgetOld()
    for (const key of [`n ${username}`, `a ${address}`]) {
      const until = this.#now() + windowMs
      this.#failures.set(key, { count: this.#count(key) + 1, until })
    }
  }

  succeeded(username: string): void {
    this.#failures.delete(`n ${username}`)
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
