import type { Bank } from '../environment/bank.ts'

/**
 * The maximum number of rounds. Without it, catching up might never end: each job may create work
 * for other jobs, and new work arrives all the time while the bank is under load.
 */
const maxRounds = 20

/**
 * Tracks whether the jobs of one process that follow the bank clock have caught up, after startup
 * and after each move of the clock. The jobs run in rounds: a job that did work starts the next
 * round for all of them. They have caught up when none of them finds work in a round.
 */
export class CatchUp {
  readonly #bank: Bank
  readonly #names: ReadonlySet<string>
  readonly #done: (caughtUpTo: Date) => void
  readonly #wakers = new Map<string, () => void>()
  /** The last round in which each job found no work, by job name. */
  readonly #idleSince = new Map<string, number>()
  readonly #remove: () => void
  #round = 0
  #lastRound = 0
  #isCatchingUp = false
  /** The bank's time at the start of the current round. */
  #asOf: Date

  /**
   * Calls `onCaughtUp` when all of `names` have caught up, with the bank time up to which they did.
   */
  constructor(bank: Bank, names: readonly string[], onCaughtUp: (caughtUpTo: Date) => void) {
    this.#bank = bank
    this.#names = new Set(names)
    this.#done = onCaughtUp
    this.#asOf = bank.now()
    this.#remove = bank.clock.onPosition(() => this.#start())
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

  /** Returns the number of the current round. A job calls this when it starts a pass. */
  begin(): number {
    return this.#round
  }

  /**
   * Records a pass of a job, which began in `round` and completed `done` items of work. Returns
   * whether the job must run again at once.
   */
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

  /** Registers a callback that wakes a resting job for another round. */
  onRound(name: string, wake: () => void): void {
    if (this.#names.has(name)) this.#wakers.set(name, wake)
  }

  stop(): void {
    this.#remove()
  }
}
