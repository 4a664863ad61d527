import type { Bank } from './bank.ts'

/** Work of one job may make work due for another. A bank under load is never idle, so rounds end. */
const maxRounds = 20

/**
 * Follows the jobs of one process that depend on the bank's time, after the process started and
 * whenever the clock was moved: in rounds, until a round in which none of them found anything to do. One
 * that does something begins the next round for all.
 */
export class CatchUp {
  readonly #bank: Bank
  readonly #names: ReadonlySet<string>
  readonly #done: (caughtUpTo: Date) => void
  readonly #wakers = new Map<string, () => void>()
  /** The round in which each job last looked and found nothing. */
  readonly #idleSince = new Map<string, number>()
  readonly #forget: () => void
  #round = 0
  #lastRound = 0
  #isCatchingUp = false
  /** The bank's time when the round began. */
  #asOf: Date

  /** `done` is called with the time of the bank up to which all of `names` have caught up. */
  constructor(bank: Bank, names: readonly string[], done: (caughtUpTo: Date) => void) {
    this.#bank = bank
    this.#names = new Set(names)
    this.#done = done
    this.#asOf = bank.now()
    this.#forget = bank.clock.onMove(() => this.#start())
    this.#start()
  }

  #start(): void {
    this.#lastRound = this.#round + maxRounds
    this.#isCatchingUp = this.#names.size > 0
    this.#next()
  }

  #next(): void {
    this.#round++
    this.#asOf = this.#bank.now()
    for (const wake of this.#wakers.values()) wake()
  }

  /** The round in which a job begins to look. */
  begin(): number {
    return this.#round
  }

  /** A job looked and did so much. Returns whether it has to look again in another round. */
  end(name: string, round: number, done: number): boolean {
    if (!this.#isCatchingUp || !this.#names.has(name)) return false
    if (done > 0 && this.#round < this.#lastRound) this.#next()
    else if (round === this.#round) this.#idleSince.set(name, round)
    if ([...this.#names].every((each) => this.#idleSince.get(each) === this.#round)) {
      this.#isCatchingUp = false
      this.#done(this.#asOf)
    }
    return this.#isCatchingUp && this.#idleSince.get(name) !== this.#round
  }

  /** Calls back when a job that rests has to look again. */
  onRound(name: string, wake: () => void): void {
    if (this.#names.has(name)) this.#wakers.set(name, wake)
  }

  stop(): void {
    this.#forget()
  }
}
