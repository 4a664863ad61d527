import type { Bank } from '../environment/bank.ts'
import { isConnectionLost } from './sql-errors.ts'

/**
 * The outage state of one environment's database, as observed by background work. During an outage
 * every worker fails at every poll, so the outage is logged only when it begins and when it ends.
 */
class Outage {
  #isOn = false
  #isProbing = false

  /**
   * Returns whether the failure is caused by a lost connection. Logs the first such failure of an
   * outage.
   */
  explains(bank: Bank, error: unknown, worker?: string): boolean {
    if (!isConnectionLost(error)) return false
    if (!this.#isOn) {
      bank.log.warn(
        { worker, error },
        'the database is unreachable; background work is paused until it is reachable again',
      )
    }
    this.#isOn = true
    return true
  }

  /**
   * Checks whether the outage is over. Called after a worker succeeded; a query is needed, because
   * the worker may not have used the database.
   */
  async checkWhetherOver({ pool, log }: Bank): Promise<void> {
    if (!this.#isOn || this.#isProbing) return
    this.#isProbing = true
    try {
      await pool.query('select 1')
      this.#isOn = false
      log.info('the database is reachable again')
    } catch {
      // The database is still unavailable. The outage is already in the log.
    } finally {
      this.#isProbing = false
    }
  }
}

const outages = new WeakMap<Bank['pool'], Outage>()

/** Returns the outage state of an environment, as observed by this process. */
export function outageOf({ pool }: Bank): Outage {
  let outage = outages.get(pool)
  if (!outage) outages.set(pool, (outage = new Outage()))
  return outage
}
