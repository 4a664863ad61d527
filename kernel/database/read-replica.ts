import type { Bank, Replica } from '../environment/bank.ts'
import { areDifferent } from '../events/event-ring.ts'
import { openDatabase, type Database } from './db.ts'
import { identityOf } from './identity.ts'
import { statementName } from './statement-name.ts'

/** How far a server has come: in the event log, and in its write-ahead log (WAL), in bytes. */
interface Progress {
  position: bigint
  walPosition: bigint
}

/** The last write of a caller, and when it counts no longer, in milliseconds since the epoch. */
interface Write {
  walPosition: bigint
  endsAtMs: number
}

/** A position of the primary's event log, and when this process saw it. */
interface Sample {
  position: bigint
  seenAtMs: number
}

const quickMs = 50
const slowMs = 1000
/** The position of a write whose own position could not be read. No replica reaches it. */
const unknownWalPosition = 2n ** 64n

/**
 * Events of commits that are still in the outbox get the next positions, so a log that has come this
 * far contains them.
 */
const primarySql = `
  select position + coalesce((select sum(event_count) from kernel.outbox), 0) as position,
    pg_current_wal_flush_lsn() - '0/0' as "walPosition"
  from kernel.head`

/**
 * A server that is no longer a replica, because it was promoted, has what it has written. The ID is
 * that of its last event, or of the last one that this process has read.
 */
const replicaSql = `
  select position, kernel.event_id_at(least(position, $1)) as "eventId", (case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
    else pg_current_wal_flush_lsn() end) - '0/0' as "walPosition"
  from kernel.head`

/** Follows the replica of an environment. */
export class ReadReplica implements Replica {
  readonly bank: Bank
  readonly #primary: Bank
  readonly #database: Database
  readonly #maxLagMs: number
  readonly #lastWrites = new Map<string, Write>()
  /** The latest sample that is older than the limit, and the later ones. */
  #samples: Sample[] = []
  /** The last write while the replica was not followed. */
  #writtenMeanwhile = 0n
  #reached: Progress | null = null
  #checkedAtMs = 0
  #isUsed: boolean | null = null
  #checking: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #isOpen = true

  private constructor(primary: Bank, connectionString: string, maxLagMs: number) {
    this.#primary = primary
    this.#maxLagMs = maxLagMs
    this.#database = openDatabase(connectionString, primary.log, { cipher: primary.cipher })
    const { pool, db, reads } = this.#database
    this.bank = {
      ...primary,
      pool,
      db,
      reads,
      rowSecurity: primary.rowSecurity?.on(reads) ?? null,
      replica: null,
      isReplica: true,
      readPosition: () => this.#reached?.position ?? 0n,
    }
  }

  /**
   * Opens the replica of an environment; null if it has none. A replica that is not reachable is
   * used once it is.
   */
  static async open(bank: Bank): Promise<ReadReplica | null> {
    const { readDatabaseUrls, readMaxLagMs } = bank.config
    const url = readDatabaseUrls[bank.environment]
    if (!url) return null
    const replica = new ReadReplica(bank, url, readMaxLagMs)
    await replica.#check()
    replica.#schedule()
    return replica
  }

  async close(): Promise<void> {
    this.#isOpen = false
    clearTimeout(this.#timer)
    await this.#checking
    await this.#database.close()
  }

  async recordWrite(callerKey: string): Promise<bigint | null> {
    const endsAtMs = Date.now() + this.#maxLagMs
    try {
      const written = progressOf(await readProgress(this.#primary, primarySql))
      if (this.#reached) this.#lastWrites.set(callerKey, { ...written, endsAtMs: Infinity })
      else this.#writtenMeanwhile = written.walPosition
      if (this.#isOpen) this.#schedule(quickMs)
      return written.position
    } catch {
      this.#lastWrites.set(callerKey, { walPosition: unknownWalPosition, endsAtMs })
      return null
    }
  }

  isCurrentFor(callerKey: string, position: bigint | null): boolean {
    if (!this.#isUsable()) return false
    const { position: reachedPosition, walPosition } = this.#reached!
    if (position !== null && position > reachedPosition) return false
    if (walPosition < this.#writtenMeanwhile) return false
    const write = this.#lastWrites.get(callerKey)
    return !write || write.walPosition <= walPosition || write.endsAtMs <= Date.now()
  }

  async hasReached(position: bigint): Promise<boolean> {
    const isReached = () => this.#isUsable() && this.#reached!.position >= position
    // A replica that is away is found by the timer: the query need not wait for it.
    if (!isReached() && this.#reached) await this.#check()
    return isReached()
  }

  /** Whether the replica answers, and is at most as far behind as the limit. */
  #isUsable(): boolean {
    if (!this.#reached) return false
    const now = Date.now()
    const [oldest] = this.#samples
    const isTooFarBehind =
      oldest !== undefined &&
      now - oldest.seenAtMs >= this.#maxLagMs &&
      oldest.position > this.#reached.position
    return !isTooFarBehind && now - this.#checkedAtMs <= this.#maxLagMs + slowMs
  }

  #schedule(delayMs = this.#isBehind() ? quickMs : slowMs): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      void this.#check().finally(() => {
        if (this.#isOpen) this.#schedule()
      })
    }, delayMs)
    this.#timer.unref()
  }

  #isBehind(): boolean {
    if (!this.#reached) return false
    const latest = this.#samples.at(-1)
    const isMissingEvents = latest !== undefined && latest.position > this.#reached.position
    return this.#lastWrites.size > 0 || isMissingEvents
  }

  /** Reads how far the replica is. Concurrent calls share the next read. */
  #check(): Promise<void> {
    this.#checking ??= this.#read().finally(() => (this.#checking = null))
    return this.#checking
  }

  async #read(): Promise<void> {
    const now = Date.now()
    this.#sample(now)
    try {
      if (!this.#reached) await this.#requireSameDatabase()
      const reached = await this.#readReached()
      this.#reached = reached
      this.#checkedAtMs = now
      this.#evictWrites(reached, now)
    } catch (error) {
      this.#reached = null
      this.#keepLastWrite(now)
      this.#report(false, (error as Error).message)
      return
    }
    this.#report(this.#isUsable(), 'it is too far behind')
  }

  /**
   * Returns how far the replica is. Throws an Error if it has events that a failover lost: its
   * positions say nothing about the log of the primary.
   */
  async #readReached(): Promise<Progress> {
    const { events } = this.#primary
    const { head } = events
    const row = await readProgress(this.bank, replicaSql, [head.toString()])
    const reached = progressOf(row)
    const compared = reached.position < head ? reached.position : head
    if (areDifferent(row.eventId ?? null, events.cursorAt(compared).eventId)) {
      throw new Error('It has events that the primary database lost.')
    }
    return reached
  }

  #sample(now: number): void {
    const samples = this.#samples
    const latest = samples.at(-1)
    const { head } = this.#primary.events
    const isNew = latest?.position !== head && now - (latest?.seenAtMs ?? 0) >= slowMs
    if (isNew) samples.push({ position: head, seenAtMs: now })
    while (samples.length > 1 && now - samples[1]!.seenAtMs >= this.#maxLagMs) samples.shift()
  }

  /** Keeps one position instead of one for each caller, because the replica can be away for long. */
  #keepLastWrite(now: number): void {
    for (const [key, { walPosition, endsAtMs }] of this.#lastWrites) {
      const isKnown = walPosition < unknownWalPosition
      if (isKnown && walPosition > this.#writtenMeanwhile) this.#writtenMeanwhile = walPosition
      if (isKnown || endsAtMs <= now) this.#lastWrites.delete(key)
    }
  }

  #evictWrites({ walPosition }: Progress, now: number): void {
    for (const [key, write] of this.#lastWrites) {
      if (write.walPosition <= walPosition || write.endsAtMs <= now) this.#lastWrites.delete(key)
    }
  }

  #report(isUsed: boolean, reason: string): void {
    if (this.#isUsed === isUsed) return
    this.#isUsed = isUsed
    const { log } = this.#primary
    if (isUsed) log.info('queries read from the replica')
    else log.warn({ reason }, 'queries read from the primary database, not from the replica')
  }

  /** Throws an Error if the replica is a copy of another database. */
  async #requireSameDatabase(): Promise<void> {
    const [ours, theirs] = await Promise.all(
      [this.#primary.pool, this.#database.pool].map((pool) => identityOf(pool)),
    )
    if (ours !== theirs) throw new Error('It is not a replica of the database of this environment.')
  }
}

/** How far a server is, as it is read. */
interface ProgressRow extends Record<keyof Progress, string> {
  eventId?: string | null
}

async function readProgress(
  { reads }: Bank,
  text: string,
  values: readonly string[] = [],
): Promise<ProgressRow> {
  const query = { name: statementName(text), text, values: [...values] }
  return (await reads.query<ProgressRow & Record<string, unknown>>(query)).rows[0]!
}

const progressOf = ({ position, walPosition }: ProgressRow): Progress => ({
  position: BigInt(position),
  walPosition: BigInt(walPosition),
})
