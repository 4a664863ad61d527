import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { Bank } from '../kernel/environment/bank.ts'
import { maxLockWaits } from '../kernel/writing/attempts.ts'
import { PipelinedConnection } from '../kernel/database/pipelined-connection.ts'
import { isLockTimeout } from '../kernel/database/sql-errors.ts'
import { balanceKey } from './domain/books.ts'
import { defaultAddress } from './domain/balance.ts'
import { Draft } from './domain/draft.ts'
import {
  decideTogether,
  keyOf,
  needsOfAll,
  needsOfJob,
  readUsedKeys,
  takeGroup,
  type DecidedGroup,
  type Job,
  type JobResult,
  type WaitingJob,
} from './group.ts'
import * as answers from './group-answer.ts'
import { evictInternalAccounts, openInternalAccounts } from './own-accounts.ts'
import { readInto, StoredBooks } from './read.ts'
import { guardedAccounts, accountQueuesOf } from './turns.ts'

interface Group {
  members: readonly WaitingJob[]
  /** The keys of the balances that were cached when the group was decided. */
  cachedKeys: readonly string[]
  /** Resolves when the group was committed or has failed. */
  done: Promise<void>
  failure: unknown
}

/** While one group commits, one further group is decided and sent. Other jobs wait. */
const maxInFlight = 2
const maxCachedBalances = 50_000
/** The number of groups that are posted in locked mode after a collision with another process. */
const lockedGroupsAfterCollision = 16
/** The maximum number of attempts in locked mode. After the last one the jobs fail. */
const maxLockedAttempts = 4

/**
 * Posts instructions in groups. While a statement is in flight, new instructions accumulate for the
 * next group, which is decided in the order of arrival on cached balances and committed in one
 * statement. There is no timer.
 *
 * Each attempt writes a new stamp to every balance it changes, and commits only if the balances on
 * which it was decided still have the stamps with which they were read. The next group can
 * therefore be decided on balances that are not committed yet: if the earlier group fails, its
 * stamps are never written, and the next group fails as well. When a group fails, the groups behind
 * it are awaited, the balances of the failed groups are removed from the cache, and the failed groups
 * are posted again in order on locked balances. See `model/` for the protocol.
 */
export class PostingBatcher {
  readonly #bank: Bank
  /** Executes statements in order, so that a read sees the commits that were sent before it. */
  readonly #connection: PipelinedConnection
  readonly #books = new StoredBooks()
  readonly #keysInFlight = new Set<string>()
  /** Keys of cached balances that commands may have changed; removed before each group is read. */
  readonly #staleKeys = new Set<string>()
  #waiting: WaitingJob[] = []
  #inFlight: Group[] = []
  #isDraining = false
  #signalArrival: () => void = () => undefined
  #lockedGroups = 0

  constructor(bank: Bank) {
    this.#bank = bank
    this.#connection = new PipelinedConnection(bank.pool.options as pg.ClientConfig, bank.log)
    bank.onClose(() => this.#connection.close())
    accountQueuesOf(bank).onChanged((accountIds) => {
      for (const accountId of accountIds) this.#staleKeys.add(balanceKey(accountId, defaultAddress))
    })
  }

  /**
   * Posts a job after earlier commands on its accounts. Throws the driver's error; the outcome can
   * then be looked up by the idempotency key.
   */
  submit(job: Job): Promise<JobResult> {
    const needs = needsOfJob(job)
    const turn = accountQueuesOf(this.#bank).turns.take(guardedAccounts(needs.accountIds), 'shared')
    return new Promise((resolve, reject) => {
      const waiting = { job, needs, turn, key: keyOf(job), resolve, reject }
      if (turn.ready) void turn.ready.then(() => this.#enqueue(waiting))
      else this.#enqueue(waiting)
    })
  }

  #enqueue(waiting: WaitingJob): void {
    this.#waiting.push(waiting)
    if (this.#isDraining) this.#signalArrival()
    else void this.#drain()
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    while (this.#waiting.length > 0 || this.#inFlight.length > 0) {
      // Jobs that arrive in the same turn of the event loop join this group.
      await setImmediate()
      const members = this.#inFlight.length < maxInFlight ? this.#take() : []
      if (members.length === 0) await this.#waitForOldestOrArrival()
      else if (this.#lockedGroups > 0) await this.#postInLockedMode(members)
      else await this.#post(members)
      await this.#repostFailed()
    }
    this.#isDraining = false
  }

  #take(): WaitingJob[] {
    const { group, remaining } = takeGroup(this.#waiting, this.#keysInFlight)
    for (const { key } of group) if (key !== null) this.#keysInFlight.add(key)
    this.#waiting = remaining
    return group
  }

  async #waitForOldestOrArrival(): Promise<void> {
    const oldest = this.#inFlight[0]
    const isFull = this.#inFlight.length >= maxInFlight
    if (isFull || this.#waiting.length > 0) return oldest?.done
    const arrival = new Promise<void>((resolve) => (this.#signalArrival = resolve))
    await Promise.race([oldest?.done, arrival])
  }

  async #post(members: readonly WaitingJob[]): Promise<void> {
    try {
      await this.#readMissing(members)
    } catch (error) {
      return this.#fail(members, error)
    }
    const decided = this.#decide(members, this.#books)
    const { cachedKeys } = decided
    const group: Group = { members, cachedKeys, failure: null, done: Promise.resolve() }
    group.done = this.#connection.send([decided.statement]).then(
      ([outcome]) => {
        if (outcome!.status === 'rejected') group.failure = outcome!.reason
        else if (!answers.areKeysClaimed(outcome!.value)) group.failure = answers.keyUsedError
        else this.#settle(members, decided, outcome!.value)
      },
      (error: unknown) => void (group.failure = error),
    )
    this.#inFlight.push(group)
    void group.done.then(() => {
      if (group.failure === null) this.#inFlight = this.#inFlight.filter((other) => other !== group)
    })
  }

  /** Decides a group, and caches its balances with the stamp that only its commit will write. */
  #decide(members: readonly WaitingJob[], books: StoredBooks) {
    const stamp = randomUUID()
    const draft = new Draft(books)
    const decided = decideTogether(members, draft, stamp, this.#bank.cipher)
    for (const [key, balance] of draft.balances) {
      this.#books.balances.set(key, { ...balance, stamp })
    }
    // The balances that were only read may be those that another process has changed.
    return { ...decided, cachedKeys: [...draft.balances.keys(), ...draft.readBalances.keys()] }
  }

  /** Posts failed groups again in order. Uncommitted and outdated balances leave the cache. */
  async #repostFailed(): Promise<void> {
    if (this.#inFlight.every(({ failure }) => failure === null)) return
    await Promise.all(this.#inFlight.map(({ done }) => done))
    const failedGroups = this.#inFlight.filter(({ failure }) => failure !== null)
    this.#inFlight = []
    const { balances } = this.#books
    if (!failedGroups.every(({ failure }) => answers.isCollision(failure))) balances.clear()
    for (const { cachedKeys } of failedGroups) for (const key of cachedKeys) balances.delete(key)
    for (const { members, failure } of failedGroups) {
      if (!answers.isCollision(failure)) {
        this.#fail(members, failure)
        continue
      }
      const wasKeyUsed = await this.#postLocked(members, answers.isKeyUsed(failure))
      if (!wasKeyUsed) this.#lockedGroups = lockedGroupsAfterCollision
    }
  }

  async #postInLockedMode(members: readonly WaitingJob[]): Promise<void> {
    this.#lockedGroups--
    await Promise.all(this.#inFlight.map(({ done }) => done))
    await this.#repostFailed()
    await this.#postLocked(members)
  }

  /**
   * Posts a group on locked balances. Returns whether some idempotency keys were already used. They
   * are read only after a key was found in use, because other processes wait for the balances.
   */
  async #postLocked(members: readonly WaitingJob[], mayUseKeys = false): Promise<boolean> {
    let isReadingKeys = mayUseKeys
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryLocked(members, isReadingKeys)
      } catch (error) {
        isReadingKeys ||= answers.isKeyUsed(error)
        this.#books.balances.clear()
        evictInternalAccounts(this.#bank)
        await this.#connection.send(['rollback']).catch(() => undefined)
        const maxAttempts = isLockTimeout(error) ? maxLockWaits : maxLockedAttempts
        if (answers.isCollision(error) && attempt < maxAttempts) continue
        this.#fail(members, error)
        return false
      }
    }
  }

  async #tryLocked(members: readonly WaitingJob[], isReadingKeys: boolean): Promise<boolean> {
    const needs = needsOfAll(members)
    await openInternalAccounts(this.#bank, needs.accountIds)
    const books = new StoredBooks()
    // The connection keeps the order, so the balances are locked after the transaction has begun.
    await Promise.all([
      this.#connection.query({ text: 'begin' }),
      readInto(books, this.#connection, needs, true),
    ])
    this.#detectOtherWriters(books)
    const usedKeys = isReadingKeys
      ? await readUsedKeys(this.#connection, members)
      : new Set<string>()
    const newMembers = members.filter(({ key }) => key === null || !usedKeys.has(key))
    const replayedMembers = members.filter((member) => !newMembers.includes(member))
    const decided = this.#decide(newMembers, books)
    const statements = newMembers.length > 0 ? [decided.statement, 'commit'] : ['commit']
    // Both are sent at once, because the statement locks the end of the event log until the commit.
    const results = answers.requireCommitted(await this.#connection.send(statements))
    if (newMembers.length > 0) {
      answers.requireKeysClaimed(results[0]!)
      this.#settle(newMembers, decided, results[0]!)
    }
    this.#finish(replayedMembers)
    for (const { resolve } of replayedMembers) resolve(null)
    return usedKeys.size > 0
  }

  /** Extends locked mode if another process has changed cached balances, and removes these. */
  #detectOtherWriters({ balances }: StoredBooks): void {
    for (const [key, { stamp }] of balances) {
      const cached = this.#books.balances.get(key)
      if (!cached || cached.stamp === stamp) continue
      this.#lockedGroups = lockedGroupsAfterCollision
      // A balance that is only read would otherwise be found changed again by each group.
      this.#books.balances.delete(key)
    }
  }

  /** Reads the records of a group that are not cached, after all statements in flight. */
  async #readMissing(members: readonly WaitingJob[]): Promise<void> {
    const needs = needsOfAll(members)
    await openInternalAccounts(this.#bank, needs.accountIds)
    const { balances, authorizations, posts } = this.#books
    authorizations.clear()
    posts.clear()
    if (balances.size > maxCachedBalances) balances.clear()
    for (const key of this.#staleKeys) balances.delete(key)
    this.#staleKeys.clear()
    for (const accountId of needs.accountIds) {
      if (this.#books.balance(accountId, defaultAddress)) needs.accountIds.delete(accountId)
    }
    await readInto(this.#books, this.#connection, needs)
  }

  #settle(
    members: readonly WaitingJob[],
    { results, events }: DecidedGroup,
    answer: pg.QueryResult,
  ): void {
    this.#bank.events.addOwnEvents(events.batchAfter(answers.placeBefore(answer)))
    this.#finish(members)
    members.forEach(({ resolve }, index) => resolve(results[index]!))
  }

  #fail(members: readonly WaitingJob[], error: unknown): void {
    this.#finish(members)
    for (const { reject } of members) reject(error)
  }

  #finish(members: readonly WaitingJob[]): void {
    for (const { key, turn } of members) {
      if (key !== null) this.#keysInFlight.delete(key)
      turn.end()
    }
  }
}

const batchers = new WeakMap<Bank, PostingBatcher>()

/** Returns the batcher of an environment in this process, and creates it on first use. */
export function batcherOf(bank: Bank): PostingBatcher {
  let batcher = batchers.get(bank)
  if (!batcher) {
    batcher = new PostingBatcher(bank)
    batchers.set(bank, batcher)
  }
  return batcher
}
