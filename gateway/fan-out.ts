import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { EventNews } from '../subgraphs/_kernel/events.ts'
import { eventsAfter, streamError } from './stream-retries.ts'
import { hears, type Subscription } from './subscriptions.ts'

const mostAtOnce = 50
/** What is written to one client at once; a single message may be larger. */
const mostBytesAtOnce = 64 * 1024

/** Where a listener's messages go. */
export interface Outlet {
  /** Whether the client's connection has taken everything that was sent. */
  readonly isDrained: boolean
  /** Sends messages in one write. `taken` is called when the connection has them, or is gone. */
  send(messages: readonly Buffer[], taken?: () => void): void
}

/** An event in the words of a subscription. */
interface Message {
  position: bigint
  body: Buffer
}

/**
 * One subscription of one client. As an iterator it yields nothing and is done when it ends: its
 * messages go to its outlet, without a promise for each. It begins when it is first asked.
 */
export class Listener implements AsyncIterableIterator<never> {
  readonly subscription: Subscription
  readonly outlet: Outlet
  /** Up to where it has heard. */
  position: bigint
  /** The room it is in, which it leaves when it ends. */
  room: Room | null = null
  readonly #begin: (listener: Listener) => void
  readonly #ending = new AbortController()
  #hasBegun = false
  #failure: unknown = undefined

  constructor(subscription: Subscription, outlet: Outlet, begin: (listener: Listener) => void) {
    this.subscription = subscription
    this.outlet = outlet
    this.position = subscription.after
    this.#begin = begin
  }

  /** Aborted when nothing is to be sent any more. */
  get ended(): AbortSignal {
    return this.#ending.signal
  }

  end(failure?: unknown): void {
    this.#failure ??= failure
    this.room?.leave(this)
    this.#ending.abort()
  }

  next(): Promise<IteratorResult<never>> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        if (this.#failure === undefined) resolve({ done: true, value: undefined })
        else reject(this.#failure as Error)
      }
      if (this.ended.aborted) return finish()
      this.ended.addEventListener('abort', finish, { once: true })
      if (!this.#hasBegun) this.#begin(this)
      this.#hasBegun = true
    })
  }

  return(): Promise<IteratorResult<never>> {
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  throw(): Promise<IteratorResult<never>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/**
 * Sends each event to everybody who listens in the same words: it is read, filtered, run and
 * written as JSON once for them, and is one write for each. Who has not taken what came before
 * leaves the others, goes on by position at their own pace, and comes back when they have caught up;
 * between two writes nobody has a queue.
 */
export class FanOut {
  readonly #bank: Bank
  readonly #rooms = new Map<string, Room>()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** A listener that hears into the outlet once it is asked for its first result. */
  listen(subscription: Subscription, outlet: Outlet): Listener {
    return new Listener(subscription, outlet, (listener) => void this.#follow(listener))
  }

  /** Takes a listener to where the others are, and in; who is behind them first takes what there is. */
  async #follow(listener: Listener, isBehind = false): Promise<void> {
    const { events } = this.#bank
    try {
      if (isBehind) await this.#catchUp(listener)
      while (!listener.ended.aborted && events.isOpen) {
        if (this.#enter(listener)) return
        await this.#catchUp(listener)
      }
      listener.end()
    } catch (error) {
      listener.end(streamError(this.#bank, error))
    }
  }

  #enter(listener: Listener): boolean {
    const { key } = listener.subscription
    const { head } = this.#bank.events
    let room = this.#rooms.get(key)
    if (listener.position < (room?.position ?? head)) return false
    if (!room) {
      // Who names a position that is not there yet waits for it alone.
      if (listener.position > head) return false
      room = new Room(this.#bank, head, {
        behind: (one) => void this.#follow(one, true),
        empty: () => this.#rooms.delete(key),
      })
      this.#rooms.set(key, room)
    }
    room.enter(listener)
    return true
  }

  async #catchUp(listener: Listener): Promise<void> {
    const { events } = this.#bank
    const { subscription, ended, outlet } = listener
    const news = await eventsAfter(this.#bank, listener.position)
    if (news.length === 0) return events.moreThan(listener.position, ended)
    for (let from = 0; from < news.length; from += mostAtOnce) {
      const some = news.slice(from, from + mostAtOnce)
      for (const messages of portions(await tellAll(subscription, subscription.caller, some))) {
        if (ended.aborted) return
        await new Promise<void>((resolve) => {
          const isGone = () => resolve()
          ended.addEventListener('abort', isGone, { once: true })
          outlet.send(bodies(messages), () => {
            ended.removeEventListener('abort', isGone)
            resolve()
          })
        })
        listener.position = messages.at(-1)!.position
      }
      listener.position = some.at(-1)!.position
    }
  }
}

/** Whom a room tells of itself. */
interface Around {
  /** Somebody did not take what came before, and goes on alone. */
  behind(listener: Listener): void
  /** Nobody is inside, and nobody may enter any more. */
  empty(): void
}

/** Those who listen in the same words, and are where the log is. */
class Room {
  /** Everybody inside has heard up to here. */
  position: bigint
  readonly #bank: Bank
  readonly #around: Around
  readonly #listeners = new Set<Listener>()
  #isServed = false
  #left = new AbortController()

  constructor(bank: Bank, position: bigint, around: Around) {
    this.#bank = bank
    this.position = position
    this.#around = around
  }

  enter(listener: Listener): void {
    this.#listeners.add(listener)
    listener.room = this
    if (!this.#isServed) void this.#serve()
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
    listener.room = null
    if (this.#listeners.size === 0) this.#left.abort()
  }

  /** Tells what happens until everybody has gone, or the log stops. */
  async #serve(): Promise<void> {
    const { events } = this.#bank
    this.#isServed = true
    let failure: unknown
    try {
      while (this.#listeners.size > 0 && events.isOpen) {
        if (this.#left.signal.aborted) this.#left = new AbortController()
        const news = await eventsAfter(this.#bank, this.position)
        if (news.length === 0) await events.moreThan(this.position, this.#left.signal)
        for (let from = 0; from < news.length && this.#listeners.size > 0; from += mostAtOnce) {
          await this.#tell(news.slice(from, from + mostAtOnce))
        }
      }
    } catch (error) {
      failure = streamError(this.#bank, error)
    }
    this.#around.empty()
    for (const listener of this.#listeners) listener.end(failure)
  }

  async #tell(news: readonly EventNews[]): Promise<void> {
    const [{ subscription }] = this.#listeners as unknown as [Listener]
    const all = await tellAll(subscription, this.#longestCaller(), news)
    for (const messages of portions(all)) {
      const sent = bodies(messages)
      for (const listener of this.#listeners) this.#send(listener, messages, sent)
      this.position = messages.at(-1)!.position
    }
    this.position = news.at(-1)!.position
  }

  #send(listener: Listener, messages: readonly Message[], sent: readonly Buffer[]): void {
    const { outlet } = listener
    if (listener.position < this.position) listener.position = this.position
    if (!outlet.isDrained) {
      this.leave(listener)
      return this.#around.behind(listener)
    }
    const { position } = listener
    // Who came while these were on their way may have heard the first of them.
    const isNew = position < messages[0]!.position
    const own = isNew ? sent : bodies(messages.filter((each) => each.position > position))
    if (own.length === 0) return
    listener.position = messages.at(-1)!.position
    outlet.send(own)
  }

  /** All have the same rights; who speaks for them must not expire meanwhile. */
  #longestCaller(): Caller {
    let longest: Caller | null = null
    for (const { subscription } of this.#listeners) {
      const { caller } = subscription
      if (!longest || caller.expiresAt > longest.expiresAt) longest = caller
    }
    return longest!
  }
}

/** What of these events the subscription hears, in its words. */
function tellAll(
  subscription: Subscription,
  caller: Caller,
  news: readonly EventNews[],
): Promise<Message[]> {
  const heard = news.filter((event) => hears(subscription, caller, event))
  return Promise.all(
    heard.map(async (event) => ({
      position: event.position,
      body: await subscription.tell(event, caller),
    })),
  )
}

/** Messages in their order, as many as are written at once. */
function portions(messages: readonly Message[]): Message[][] {
  const all: Message[][] = []
  let bytes = Infinity
  for (const message of messages) {
    if (bytes + message.body.length > mostBytesAtOnce) {
      all.push([])
      bytes = 0
    }
    all.at(-1)!.push(message)
    bytes += message.body.length
  }
  return all
}

function bodies(messages: readonly Message[]): Buffer[] {
  return messages.map(({ body }) => body)
}
