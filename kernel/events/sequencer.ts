import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Heartbeat } from '../database/heartbeat.ts'
import { faultPoint } from '../environment/fault-point.ts'

const batchSize = 1000
/**
 * The pause after a batch that is not full, in which more events accumulate. A batch costs about as
 * much as a single event.
 */
const pauseMs = 20

/**
 * Moves events from the outbox to the event log and assigns gapless positions. Every process may
 * run a sequencer, because a lock on the head row lets only one of them work at a time. Commits of
 * this process wake the sequencer. The heartbeat finds the events of processes that crashed.
 */
export class Sequencer {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #onSequenced: () => void
  #running: Promise<void> | null = null
  #isPoked = false
  #isStarted = false
  #endWatch: () => void = () => undefined

  constructor(pool: pg.Pool, log: Logger, onSequenced: () => void) {
    this.#pool = pool
    this.#log = log
    this.#onSequenced = onSequenced
  }

  start(heartbeat: Heartbeat): void {
    this.#isStarted = true
    this.#endWatch = heartbeat.watch('select exists (select from kernel.outbox)', (isWaiting) => {
      if (isWaiting) this.poke()
    })
    this.poke()
  }

  async stop(): Promise<void> {
    this.#endWatch()
    this.#isStarted = false
    await this.#running
  }

  poke(): void {
    this.#isPoked = true
    if (!this.#isStarted) return
    this.#running ??= this.#drain()
      .catch((error: Error) =>
        this.#log.warn({ error: error.message }, 'failed to sequence events; retrying'),
      )
      .finally(() => (this.#running = null))
  }

  async #drain(): Promise<void> {
    while (this.#isPoked && this.#isStarted) {
      this.#isPoked = false
      const sequencedCount = await this.#sequenceBatch()
      if (sequencedCount > 0) this.#notify()
      if (sequencedCount >= batchSize) this.#isPoked = true
      else if (sequencedCount > 0) await sleep(pauseMs)
    }
  }

  /** Sequences one batch in one statement. Returns the number of events that received positions. */
  async #sequenceBatch(): Promise<number> {
    faultPoint('sequencer.begun')
    const request = this.#pool.query<{ updated: number }>({
      name: 'sequence_events',
      text: 'select kernel.sequence_events($1) as updated',
      values: [batchSize],
    })
    // From here on the database executes the statement even if this process dies.
    setImmediate(() => faultPoint('sequencer.sent'))
    const { rows } = await request
    return rows[0]!.updated
  }

  #notify(): void {
    faultPoint('sequencer.sequenced')
    this.#onSequenced()
    faultPoint('sequencer.notified')
  }
}
