import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { Bank } from '../_kernel/bank.ts'
import { maxLockWaits } from '../_kernel/command.ts'
import { PipelinedConnection } from '../_kernel/pipelined-connection.ts'
import { isLockTimeout } from '../_kernel/sql-errors.ts'
import { balanceKey } from './domain/books.ts'
import { defaultAddress } from './domain/balance.ts'
import { Draft } from './domain/draft.ts'
import {
  decideTogether,
  keyOf,
  needsOfAll,
  needsOfJob,
  readUsedKeys,
  type Decided,
  type Job,
  type JobResult,
  type Waiting,
} from './group.ts'
import { isCollision, isDone, keyWasUsed, positionBefore, wasUndone } from './group-answer.ts'
import { forgetOwnAccounts, openOwnAccounts } from './own-accounts.ts'
import { readInto, StoredBooks } from './read.ts'
import { guardedAccounts, linesOf } from './turns.ts'

interface Group {
  members: readonly Waiting[]
  /** Never rejects. */
  done: Promise<void>
  failure: unknown
}

/** How many instructions are decided and committed in one statement. */
const maxGroupSize = 128
/** While one group is committed the next is decided, and no more: the rest gathers. */
const maxInFlight = 2
const maxCachedBalances = 50_000
/** After another process moved one of our balances, how many groups lock what they read before they decide. */
const lockedGroupsAfterCollision = 16
/** How often a group is decided in locked mode before its members are refused. */
const maxLockedAttempts = 4

/**
 * Posts instructions in groups. While a statement is in flight, what arrives gathers and goes with
 * the next: decided in the order of arrival on balances that this process caches, and committed in
 * one statement. There is no timer.
 *
 * Each attempt leaves a stamp of its own on every balance it moves, and stands only while the
 * balances it was decided on carry the stamps they were read with. So the next group may be decided
 * on what this one will leave before it is committed: no other commit can leave that stamp. When a
 * group fails, those behind it are awaited, the cache is dropped, and the failed ones are posted
 * again in their order on balances that are locked first. See `model/` for the protocol.
 */
export class PostingBatcher {
  readonly #bank: Bank
  /** Its reads come after the commits that were sent before. */
  readonly #connection: PipelinedConnection
  readonly #books = new StoredBooks()
  readonly #keys = new Set<string>()
  /** Balances that commands moved past the cache. They are dropped before a group is read, never while. */
  readonly #stale = new Set<string>()
  #waiting: Waiting[] = []
  #inFlight: Group[] = []
  #isDraining = false
  #arrived: () => void = () => undefined
  #lockedGroups = 0

  constructor(bank: Bank) {
    this.#bank = bank
    this.#connection = new PipelinedConnection(bank.pool.options as pg.ClientConfig, bank.log)
    bank.onClose(() => this.#connection.close())
    linesOf(bank).onMoved((accountIds) => {
      for (const accountId of accountIds) this.#stale.add(balanceKey(accountId, defaultAddress))
    })
  }

  /**
   * Resolves with what became of the job. It waits for commands that asked earlier for one of its
   * accounts. Rejects with the driver's error; whether the job was done is then for its key to say.
   */
  submit(job: Job): Promise<JobResult> {
    const needs = needsOfJob(job)
    const turn = linesOf(this.#bank).turns.take(guardedAccounts(needs.accountIds), 'shared')
    return new Promise((resolve, reject) => {
      const waiting = { job, needs, turn, key: keyOf(job), resolve, reject }
      const { ready } = turn
      if (ready) void ready.then(() => this.#enqueue(waiting))
      else this.#enqueue(waiting)
    })
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#isDraining) this.#arrived()
    else void this.#drain()
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    while (this.#waiting.length > 0 || this.#inFlight.length > 0) {
      // What else arrives in this turn of the event loop goes along.
      await setImmediate()
      const members = this.#inFlight.length < maxInFlight ? this.#take() : []
      if (members.length === 0) await this.#oldestOrArrival()
      else if (this.#lockedGroups > 0) await this.#postInLockedMode(members)
      else await this.#post(members)
      await this.#repeatFailed()
    }
    this.#isDraining = false
  }

  /** The next group, in order. A second use of a key that is in flight waits until the first is done. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    const left: Waiting[] = []
    let size = 0
    for (const waiting of this.#waiting) {
      const { key, job } = waiting
      const fits = taken.length === 0 || size + job.postings.length <= maxGroupSize
      if (!fits || (key !== null && this.#keys.has(key))) {
        left.push(waiting)
        continue
      }
      size += job.postings.length
      if (key !== null) this.#keys.add(key)
      taken.push(waiting)
    }
    this.#waiting = left
    return taken
  }

  async #oldestOrArrival(): Promise<void> {
    const oldest = this.#inFlight[0]
    const isFull = this.#inFlight.length >= maxInFlight
    if (isFull || this.#waiting.length > 0) return oldest?.done
    const arrival = new Promise<void>((resolve) => (this.#arrived = resolve))
    await Promise.race([oldest?.done, arrival])
  }

  async #post(members: readonly Waiting[]): Promise<void> {
    try {
      await this.#readMissing(members)
    } catch (error) {
      return this.#refuse(members, error)
    }
    const decided = this.#decide(members, this.#books)
    const group: Group = { members, failure: null, done: Promise.resolve() }
    group.done = this.#connection.send([decided.statement]).then(
      ([answer]) => {
        if (answer!.status === 'rejected') group.failure = answer!.reason
        else if (!isDone(answer!.value)) group.failure = keyWasUsed
        else this.#settle(members, decided, answer!.value)
      },
      (error: unknown) => void (group.failure = error),
    )
    this.#inFlight.push(group)
    void group.done.then(() => {
      if (group.failure === null) this.#inFlight = this.#inFlight.filter((one) => one !== group)
    })
  }

  /** Decides a group and caches the balances it will leave, with the stamp that only its commit leaves. */
  #decide(members: readonly Waiting[], books: StoredBooks): Decided {
    const stamp = randomUUID()
    const draft = new Draft(books)
    const decided = decideTogether(members, draft, stamp)
    for (const [key, balance] of draft.balances) {
      this.#books.balances.set(key, { ...balance, stamp })
    }
    return decided
  }

  /** Posts groups that failed again, in their order; what this process had cached is not so any more. */
  async #repeatFailed(): Promise<void> {
    if (this.#inFlight.every(({ failure }) => failure === null)) return
    await Promise.all(this.#inFlight.map(({ done }) => done))
    const failed = this.#inFlight.filter(({ failure }) => failure !== null)
    this.#inFlight = []
    this.#books.balances.clear()
    for (const { members, failure } of failed) {
      if (!isCollision(failure)) {
        this.#refuse(members, failure)
        continue
      }
      const wasKeyUsed = await this.#postLocked(members)
      if (!wasKeyUsed) this.#lockedGroups = lockedGroupsAfterCollision
    }
  }

  async #postInLockedMode(members: readonly Waiting[]): Promise<void> {
    this.#lockedGroups--
    await Promise.all(this.#inFlight.map(({ done }) => done))
    await this.#repeatFailed()
    await this.#postLocked(members)
  }

  /**
   * Decides on balances that nobody else can move until the commit; a key that was used before is
   * left alone. Resolves to whether there was one.
   */
  async #postLocked(members: readonly Waiting[]): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryLocked(members)
      } catch (error) {
        this.#books.balances.clear()
        forgetOwnAccounts(this.#bank)
        await this.#connection.send(['rollback']).catch(() => undefined)
        const maxAttempts = isLockTimeout(error) ? maxLockWaits : maxLockedAttempts
        if (isCollision(error) && attempt < maxAttempts) continue
        this.#refuse(members, error)
        return false
      }
    }
  }

  async #tryLocked(members: readonly Waiting[]): Promise<boolean> {
    const needs = needsOfAll(members)
    await openOwnAccounts(this.#bank, needs.accountIds)
    await this.#connection.query({ text: 'begin' })
    const books = new StoredBooks()
    await readInto(books, this.#connection, needs, true)
    this.#lookForOtherWriters(books)
    const used = await readUsedKeys(this.#connection, members)
    const fresh = members.filter(({ key }) => key === null || !used.has(key))
    const again = members.filter((member) => !fresh.includes(member))
    const decided = this.#decide(fresh, books)
    const statements = fresh.length > 0 ? [decided.statement, 'commit'] : ['commit']
    // The end of the event log is locked from the statement on: the commit follows at once.
    const answers = await this.#connection.send(statements)
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
    const results = answers.map(
      (answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value,
    )
    if (results.at(-1)!.command !== 'COMMIT') throw wasUndone
    if (fresh.length > 0) {
      if (!isDone(results[0]!)) throw keyWasUsed
      this.#settle(fresh, decided, results[0]!)
    }
    this.#finish(again)
    for (const { resolve } of again) resolve(null)
    return used.size > 0
  }

  /** As long as other processes move the balances that we cached, groups go on in locked mode. */
  #lookForOtherWriters({ balances }: StoredBooks): void {
    for (const [key, { stamp }] of balances) {
      const cached = this.#books.balances.get(key)
      if (cached && cached.stamp !== stamp) this.#lockedGroups = lockedGroupsAfterCollision
    }
  }

  /** Reads what the group needs and is not cached, after whatever is in flight. */
  async #readMissing(members: readonly Waiting[]): Promise<void> {
    const needs = needsOfAll(members)
    await openOwnAccounts(this.#bank, needs.accountIds)
    const { balances, authorisations, posts } = this.#books
    authorisations.clear()
    posts.clear()
    if (balances.size > maxCachedBalances) balances.clear()
    for (const key of this.#stale) balances.delete(key)
    this.#stale.clear()
    for (const accountId of needs.accountIds) {
      if (this.#books.balance(accountId, defaultAddress)) needs.accountIds.delete(accountId)
    }
    await readInto(this.#books, this.#connection, needs)
  }

  #settle(members: readonly Waiting[], { results, events }: Decided, answer: pg.QueryResult): void {
    this.#bank.events.appended(events.after(positionBefore(answer)))
    this.#finish(members)
    members.forEach(({ resolve }, at) => resolve(results[at]!))
  }

  #refuse(members: readonly Waiting[], error: unknown): void {
    this.#finish(members)
    for (const { reject } of members) reject(error)
  }

  #finish(members: readonly Waiting[]): void {
    for (const { key, turn } of members) {
      if (key !== null) this.#keys.delete(key)
      turn.end()
    }
  }
}

const batchers = new WeakMap<Bank, PostingBatcher>()

/** The batcher of an environment in this process. */
export function batcherOf(bank: Bank): PostingBatcher {
  let batcher = batchers.get(bank)
  if (!batcher) {
    batcher = new PostingBatcher(bank)
    batchers.set(bank, batcher)
  }
  return batcher
}
