import type { Bank } from '../environment/bank.ts'

/**
 * The maximum number of rounds. Without it, catching up might never end: each job may create work
 * for other jobs, and new work arrives all the time while the bank is under load.
 */
const maxRounds = 20

/**
 * Tracks whether the jobs of one process, as far as they follow the bank clock, have caught up
 * after startup and after each move of the clock. The jobs run in rounds: a job that did work
 * starts the next round for all of them. The jobs have caught up when none of them finds work in a
 * round, or after the maximum number of rounds.
 */
export class CatchUp {
  readonly #bank: Bank
  readonly #names: ReadonlySet<string>
  readonly #onCaughtUp: (caughtUpTo: Date) => void
  readonly #wakers = new Map<string, () => void>()
  /** The last round that each job completed without starting another round, by job name. */
  readonly #idleSince = new Map<string, number>()
  readonly #removeClockListener: () => void
  #round = 0
  #lastRound = 0
  #isCatchingUp = false
  /** The bank's time at the start of the current round. */
  #asOf: Date

  /**
   * Calls `onCaughtUp` when all jobs in `names` have caught up. `caughtUpTo` is the bank's time at
   * the start of the last round.
   */
  constructor(bank: Bank, names: readonly string[], onCaughtUp: (caughtUpTo: Date) => void) {
    this.#bank = bank
    this.#names = new Set(names)
    this.#onCaughtUp = onCaughtUp
    this.#asOf = bank.now()
    this.#removeClockListener = bank.clock.onMove(() => this.#start())
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

  /** Returns the number of the current round. It is called when a job starts a pass. */
  currentRound(): number {
    return this.#round
  }

  /**
   * Records a pass of a job. The pass began in `round` and completed `doneCount` items of work.
   * Returns whether the job must run again at once.
   */
  recordPass(name: string, round: number, doneCount: number): boolean {
    if (!this.#isCatchingUp || !this.#names.has(name)) return false
    if (doneCount > 0 && this.#round < this.#lastRound) this.#next()
    else if (round === this.#round) this.#idleSince.set(name, round)
    if ([...this.#names].every((each) => this.#idleSince.get(each) === this.#round)) {
      this.#isCatchingUp = false
      this.#onCaughtUp(this.#asOf)
    }
    return this.#isCatchingUp && this.#idleSince.get(name) !== this.#round
  }

  /** Registers a callback that wakes a resting job for another round. */
  onRound(name: string, wake: () => void): void {
    if (this.#names.has(name)) this.#wakers.set(name, wake)
  }

  stop(): void {
    this.#removeClockListener()
  }
}
