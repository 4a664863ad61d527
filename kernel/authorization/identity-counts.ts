import type { Logger } from 'pino'
import type { IdentityEntry } from './identity-record.ts'
import { realNow } from '../work/clock.ts'

/** The maximum number of groups per kind, outcome and hour. Further occurrences share a group. */
const maxGroups = 200
const hourMs = 3_600_000

/** Equal occurrences within one window. */
interface Group {
  /** What the record at the end of the window reports. */
  entry: IdentityEntry
  /** The number of occurrences that are not written yet. */
  count: number
  timer: NodeJS.Timeout
  /** Settles when the first occurrence is written. */
  written: Promise<unknown>
}

type Write = (entry: IdentityEntry, count: number) => Promise<unknown>

/**
 * Counts occurrences that an attacker can repeat, so that a flood does not fill the database: of
 * equal ones, the first of a window is written immediately, and the others in one record at its end.
 * If the process is killed, only the counts of the current windows are lost.
 */
export class IdentityCounts {
  readonly #write: Write
  readonly #log: Logger
  readonly #groups = new Map<string, Group>()
  /** The keys of the current hour, by kind and outcome. */
  readonly #keysByKind = new Map<string, Set<string>>()
  #hour = 0

  constructor(write: Write, log: Logger) {
    this.#write = write
    this.#log = log
  }

  /** Counts one occurrence. Throws if the first one of its window cannot be written. */
  async count(entry: IdentityEntry, windowMs: number): Promise<void> {
    const { key, entry: counted } = this.#groupOf(entry)
    const existing = this.#groups.get(key)
    if (existing) {
      existing.count++
      await existing.written
      return
    }
    const timer = setTimeout(() => void this.#endWindow(key), windowMs).unref()
    const written = this.#write(counted, 1)
    this.#groups.set(key, { entry: { ...counted, requestId: null }, count: 0, timer, written })
    try {
      await written
    } catch (error) {
      // The next occurrence is written immediately again.
      this.#remove(key)
      throw error
    }
  }

  /** Writes the counts of all open windows. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups.keys()].map((key) => this.#endWindow(key)))
  }

  async #endWindow(key: string): Promise<void> {
    const group = this.#remove(key)
    if (!group || group.count === 0) return
    await this.#write(group.entry, group.count).catch((error: Error) => {
      const { kind, outcome } = group.entry
      this.#log.error(
        { error: error.message, kind, outcome, count: group.count },
        'failed to write a count to the audit of identity',
      )
    })
  }

  #remove(key: string): Group | undefined {
    const group = this.#groups.get(key)
    clearTimeout(group?.timer)
    this.#groups.delete(key)
    return group
  }

  /** Returns the group of an entry; a less specific one if the maximum number is reached. */
  #groupOf(entry: IdentityEntry): { key: string; entry: IdentityEntry } {
    const hour = Math.floor(realNow().getTime() / hourMs)
    if (hour !== this.#hour) this.#keysByKind.clear()
    this.#hour = hour
    const { kind, outcome, person, clientId, address, detail } = entry
    const kindKey = `${kind} ${outcome}`
    const keys = this.#keysByKind.get(kindKey) ?? new Set()
    const key = JSON.stringify([kind, outcome, person, clientId, address, detail])
    this.#keysByKind.set(kindKey, keys)
    if (!keys.has(key) && keys.size >= maxGroups) return { key: kindKey, entry: { kind, outcome } }
    keys.add(key)
    return { key, entry }
  }
}
