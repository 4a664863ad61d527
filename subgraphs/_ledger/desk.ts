import type pg from 'pg'
import type { Bank } from '../_kernel/bank.ts'
import { PipelinedConnection } from '../_kernel/pipelined-connection.ts'
import { sqlState } from '../_kernel/sql-errors.ts'
import { defaultAddress } from './domain/balance.ts'
import { Draft } from './domain/draft.ts'
import {
  decideTogether,
  needsOfAll,
  readUsedKeys,
  type Decided,
  type Job,
  type JobResult,
  type Waiting,
} from './group.ts'
import { openOwnAccounts } from './own-accounts.ts'
import { readInto, StoredBooks, type Queries } from './read.ts'

interface Group {
  members: readonly Waiting[]
  /** Never rejects. */
  done: Promise<void>
  failure: unknown
}

/** How many instructions are decided and committed in one statement. */
const mostTogether = 128
/** While one group is committed the next is decided, and no more: the rest gathers. */
const mostUnderWay = 2
const mostRemembered = 50_000
/** After a collision with another process, how many groups lock what they read before they decide. */
const cautiousGroups = 16

/**
 * Posts instructions together. While a call is under way, whatever arrives gathers, and goes with
 * the next: decided in the order of arrival on balances that this process remembers, and committed
 * in one statement that is held to the versions of those balances. When somebody else moved one of
 * them, or a key had been used before, the statement is undone as a whole and its jobs are decided
 * again on balances that are locked first. There is no timer.
 */
export class PostingDesk {
  readonly #bank: Bank
  readonly #connection: PipelinedConnection
  readonly #books = new StoredBooks()
  readonly #keys = new Set<string>()
  #waiting: Waiting[] = []
  #underWay: Group[] = []
  #isDraining = false
  #arrived: () => void = () => undefined
  #caution = 0

  constructor(bank: Bank) {
    this.#bank = bank
    this.#connection = new PipelinedConnection(bank.pool.options as pg.ClientConfig, bank.log)
    bank.onClose(() => this.#connection.close())
  }

  /** Rejects with the driver's error; whether the job was done is then for its key to tell. */
  submit(job: Job): Promise<JobResult> {
    const { claim } = job
    const key = claim && JSON.stringify([claim.owner, claim.operation, claim.key])
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, key, resolve, reject })
      if (this.#isDraining) this.#arrived()
      else void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    while (this.#waiting.length > 0 || this.#underWay.length > 0) {
      // What else arrives in this turn of the event loop goes along.
      await turn()
      const members = this.#underWay.length < mostUnderWay ? this.#take() : []
      if (members.length === 0) await this.#oldestOrArrival()
      else if (this.#caution > 0) await this.#postCautiously(members)
      else await this.#post(members)
      await this.#repeatFailed()
    }
    this.#isDraining = false
  }

  /** The next group, in order. A second use of a key that is under way waits until the first is done. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    const left: Waiting[] = []
    let size = 0
    for (const waiting of this.#waiting) {
      const { key, job } = waiting
      const fits = taken.length === 0 || size + job.postings.length <= mostTogether
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
    const oldest = this.#underWay[0]
    const isFull = this.#underWay.length >= mostUnderWay
    if (isFull || this.#waiting.length > 0) return oldest?.done
    const arrival = new Promise<void>((resolve) => (this.#arrived = resolve))
    await Promise.race([oldest?.done, arrival])
  }

  async #post(members: readonly Waiting[]): Promise<void> {
    try {
      await this.#remember(members)
    } catch (error) {
      return this.#refuse(members, error)
    }
    const draft = new Draft(this.#books)
    const decided = decideTogether(members, draft)
    // The next group is decided on what this one leaves, before it is known to be committed.
    for (const [at, balance] of draft.balances) {
      this.#books.balances.set(at, { ...balance, version: balance.version + 1 })
    }
    const group: Group = { members, failure: null, done: Promise.resolve() }
    group.done = this.#connection.send([decided.statement]).then(
      ([answer]) => {
        if (answer!.status === 'rejected') group.failure = answer!.reason
        else if (!isDone(answer!.value)) group.failure = keyWasUsed
        else this.#settle(members, decided, answer!.value)
      },
      (error: unknown) => void (group.failure = error),
    )
    this.#underWay.push(group)
    void group.done.then(() => {
      if (group.failure === null) this.#underWay = this.#underWay.filter((one) => one !== group)
    })
  }

  /** What this process remembers was wrong: groups that failed are posted again, in their order. */
  async #repeatFailed(): Promise<void> {
    if (this.#underWay.every(({ failure }) => failure === null)) return
    await Promise.all(this.#underWay.map(({ done }) => done))
    const failed = this.#underWay
    this.#underWay = []
    this.#books.balances.clear()
    for (const { members, failure } of failed) {
      const state = sqlState(failure)
      const isCollision = state === 'BG001' || state === '23505' || state === '40P01'
      if (isCollision) {
        const wasKeyUsed = await this.#postLocked(members)
        if (!wasKeyUsed) this.#caution = cautiousGroups
      } else if (failure !== null) this.#refuse(members, failure)
    }
  }

  async #postCautiously(members: readonly Waiting[]): Promise<void> {
    this.#caution--
    await Promise.all(this.#underWay.map(({ done }) => done))
    await this.#repeatFailed()
    this.#books.balances.clear()
    await this.#postLocked(members)
  }

  /**
   * Decides on balances that nobody else can move until the commit; a key that was used is left
   * alone. Answers whether there was one.
   */
  async #postLocked(members: readonly Waiting[]): Promise<boolean> {
    const client = await this.#bank.pool.connect().catch((error: unknown) => {
      this.#refuse(members, error)
      return null
    })
    if (!client) return false
    try {
      await client.query('begin')
      const books = new StoredBooks()
      const needs = needsOfAll(members)
      await openOwnAccounts(this.#bank, needs.accountIds)
      await readInto(books, client, needs, true)
      const used = await readUsedKeys(client, members)
      const fresh = members.filter(({ key }) => key === null || !used.has(key))
      const decided = decideTogether(fresh, new Draft(books))
      const answer = fresh.length > 0 ? await client.query(decided.statement) : null
      if (answer && !isDone(answer)) throw keyWasUsed
      await client.query('commit')
      const again = members.filter((member) => !fresh.includes(member))
      for (const { resolve } of again) resolve(null)
      this.#forgetKeys(again)
      if (answer) this.#settle(fresh, decided, answer)
      client.release()
      return used.size > 0
    } catch (error) {
      this.#refuse(members, error)
      // The connection goes with its transaction.
      client.release(error as Error)
      return false
    }
  }

  /** Reads what the group needs and this process does not know, after whatever is under way. */
  async #remember(members: readonly Waiting[]): Promise<void> {
    const needs = needsOfAll(members)
    await openOwnAccounts(this.#bank, needs.accountIds)
    const { balances, authorisations, posts } = this.#books
    authorisations.clear()
    posts.clear()
    if (balances.size > mostRemembered) balances.clear()
    for (const accountId of needs.accountIds) {
      if (this.#books.balance(accountId, defaultAddress)) needs.accountIds.delete(accountId)
    }
    await readInto(this.#books, this.#queries, needs)
  }

  #settle(
    members: readonly Waiting[],
    { results, events }: Decided,
    { rows }: pg.QueryResult,
  ): void {
    this.#bank.events.appended(events.after(BigInt((rows[0] as Answer).before)))
    this.#forgetKeys(members)
    members.forEach(({ resolve }, at) => resolve(results[at]!))
  }

  #refuse(members: readonly Waiting[], error: unknown): void {
    this.#forgetKeys(members)
    for (const { reject } of members) reject(error)
  }

  #forgetKeys(members: readonly Waiting[]): void {
    for (const { key } of members) if (key !== null) this.#keys.delete(key)
  }

  /** Reads in the order of the commits: after those that were sent before. */
  readonly #queries: Queries = {
    query: async <R extends pg.QueryResultRow>(query: pg.QueryConfig) => {
      const [answer] = await this.#connection.send([query])
      if (answer!.status === 'rejected') throw answer!.reason
      return answer!.value as pg.QueryResult<R>
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** What the statement of a group answers; `before` is the position before its first event. */
interface Answer {
  claimed: number
  before: string
}

/** Like any other collision: what was decided does not stand. */
const keyWasUsed = Object.assign(new Error('A key had been used before.'), { code: 'BG001' })

function isDone({ rows }: pg.QueryResult): boolean {
  return (rows[0] as Answer).claimed === 1
}

const desks = new WeakMap<Bank, PostingDesk>()

/** The desk of an environment in this process. */
export function deskOf(bank: Bank): PostingDesk {
  let desk = desks.get(bank)
  if (!desk) {
    desk = new PostingDesk(bank)
    desks.set(bank, desk)
  }
  return desk
}
