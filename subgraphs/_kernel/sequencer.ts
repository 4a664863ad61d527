import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { faultPoint } from './fault-point.ts'

const batchSize = 1000
const pollMs = 100
/** Under load, how long events gather for the next batch: a batch costs about as much as one event. */
const gatherMs = 20

/**
 * Moves told events from the outbox to the log and gives them dense positions. Every process may
 * run one: the head row's lock lets one work at a time. Commits of this process poke it; the poll
 * finds those of others and what a crash left.
 */
export class Sequencer {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #moved: () => void
  #running: Promise<void> | null = null
  #isPoked = false
  #timer: NodeJS.Timeout | null = null

  constructor(pool: pg.Pool, log: Logger, moved: () => void) {
    this.#pool = pool
    this.#log = log
    this.#moved = moved
  }

  start(): void {
    this.#timer = setInterval(() => this.poke(), pollMs)
    this.poke()
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await this.#running
  }

  poke(): void {
    this.#isPoked = true
    if (!this.#timer) return
    this.#running ??= this.#drain()
      .catch((error: Error) => this.#log.warn({ error: error.message }, 'sequencer waits'))
      .finally(() => (this.#running = null))
  }

  async #drain(): Promise<void> {
    while (this.#isPoked && this.#timer) {
      this.#isPoked = false
      const moved = await this.#move()
      if (moved > 0) this.#tell()
      if (moved >= batchSize) this.#isPoked = true
      else if (moved > 0) await sleep(gatherMs)
    }
  }

  /** One batch, in one statement. Answers how many events got their positions. */
  async #move(): Promise<number> {
    faultPoint('sequencer.begun')
    const asked = this.#pool.query<{ moved: number }>({
      name: 'sequence_events',
      text: 'select kernel.sequence_events($1) as moved',
      values: [batchSize],
    })
    // The database has it and goes on, whoever asked.
    setImmediate(() => faultPoint('sequencer.asked'))
    const { rows } = await asked
    return rows[0]!.moved
  }

  #tell(): void {
    faultPoint('sequencer.moved')
    this.#moved()
    faultPoint('sequencer.told')
  }
}
