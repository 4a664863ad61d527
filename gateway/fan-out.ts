import type { Bank } from '../kernel/environment/bank.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import { cursorOf, type LogCursor } from '../kernel/events/event-ring.ts'
import type { EventHeader } from '../kernel/events/events.ts'
import { batchesOf, bodiesOf, createMessages, type Message } from './event-messages.ts'
import { eventsAfter, streamError } from './stream-retries.ts'
import type { Subscription } from './subscriptions.ts'

const maxConcurrent = 50

/** The connection to which a listener's messages are written. */
export interface EventSink {
  /** Whether all data sent so far has been flushed. */
  readonly isDrained: boolean
  /** Sends messages in one write. Calls `onFlushed` when they are flushed or cannot be sent. */
  send(messages: readonly Buffer[], onFlushed?: () => void): void
}

/**
 * A subscription of one client, which starts with the first `next()`. Messages are written to the
 * sink. The iterator yields no values, which saves a promise per message. It completes when the
 * subscription ends, or throws the failure that ended the subscription.
 */
export class Listener implements AsyncIterableIterator<never> {
  readonly subscription: Subscription
  readonly sink: EventSink
  /** The place after the last event that was sent or skipped. */
  place: LogCursor
  /** The listener's group; null before it starts, while it catches up, and after it has ended. */
  group: SubscriberGroup | null = null
  readonly #begin: (listener: Listener) => void
  readonly #ending = new AbortController()
  #hasBegun = false
  #failure: unknown = undefined

  constructor(subscription: Subscription, sink: EventSink, begin: (listener: Listener) => void) {
    this.subscription = subscription
    this.sink = sink
    this.place = subscription.start
    this.#begin = begin
  }

  /** A signal that aborts when the listener ends. */
  get ended(): AbortSignal {
    return this.#ending.signal
  }

  end(failure?: unknown): void {
    this.#failure ??= failure
    this.group?.leave(this)
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
 * Sends events to listeners in groups of equal subscriptions. Each event is read, filtered,
 * resolved and serialized once per group, and written once to each listener. A listener whose
 * connection has not flushed the previous write leaves its group, reads by position at its own
 * pace, and rejoins the group when it has caught up. No listener therefore needs a queue.
 */
export class FanOut {
  readonly #bank: Bank
  readonly #groups = new Map<string, SubscriberGroup>()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  /** Creates a listener that writes to the sink. It starts with the first call of `next()`. */
  listen(subscription: Subscription, sink: EventSink): Listener {
    return new Listener(subscription, sink, (listener) => void this.#follow(listener))
  }

  /** Lets a listener catch up with the position of its group, and then adds it to the group. */
  async #follow(listener: Listener, isBehind = false): Promise<void> {
    const { events } = this.#bank
    try {
      const { mustCheckStart } = listener.subscription
      if (mustCheckStart && !isBehind) await events.requireInLog(listener.place)
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
    const { events } = this.#bank
    const { end } = events
    let group = this.#groups.get(key)
    const reached = group ? events.current(group.place) : end
    const { position } = events.current(listener.place)
    if (position < reached.position) return false
    if (!group) {
      // A listener whose position is beyond the end of the log waits outside a group.
      if (position > end.position) return false
      group = new SubscriberGroup(this.#bank, end, {
        onLagging: (slow) => void this.#follow(slow, true),
        onEnd: () => this.#groups.delete(key),
      })
      this.#groups.set(key, group)
    }
    group.enter(listener)
    return true
  }

  async #catchUp(listener: Listener): Promise<void> {
    const { events } = this.#bank
    const { subscription, ended, sink } = listener
    listener.place = events.current(listener.place)
    const newEvents = await eventsAfter(this.#bank, listener.place)
    if (newEvents.length === 0) return events.waitForEvents(listener.place, ended)
    for (let from = 0; from < newEvents.length; from += maxConcurrent) {
      const batch = newEvents.slice(from, from + maxConcurrent)
      for (const messages of batchesOf(
        await createMessages(events, subscription, subscription.caller, batch),
      )) {
        if (ended.aborted) return
        await new Promise<void>((resolve) => {
          const onEnd = () => resolve()
          ended.addEventListener('abort', onEnd, { once: true })
          sink.send(bodiesOf(messages), () => {
            ended.removeEventListener('abort', onEnd)
            resolve()
          })
        })
        listener.place = messages.at(-1)!.place
      }
      listener.place = cursorOf(batch.at(-1)!)
    }
  }
}

/** The callbacks of a subscriber group. */
interface GroupCallbacks {
  /** Called when a listener has left the group because its connection is too slow. */
  onLagging(listener: Listener): void
  /** Called when the group has ended and accepts no further listeners. */
  onEnd(): void
}

/** A group of listeners with equal subscriptions that have caught up with the event log. */
class SubscriberGroup {
  /** The place that all listeners of the group have reached. */
  place: LogCursor
  readonly #bank: Bank
  readonly #callbacks: GroupCallbacks
  readonly #listeners = new Set<Listener>()
  #isServed = false
  #emptyController = new AbortController()

  constructor(bank: Bank, place: LogCursor, callbacks: GroupCallbacks) {
    this.#bank = bank
    this.place = place
    this.#callbacks = callbacks
  }

  enter(listener: Listener): void {
    this.#listeners.add(listener)
    listener.group = this
    if (!this.#isServed) void this.#serve()
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
    listener.group = null
    if (this.#listeners.size === 0) this.#emptyController.abort()
  }

  /** Sends events until the last listener has left or the event log is closed. */
  async #serve(): Promise<void> {
    const { events } = this.#bank
    this.#isServed = true
    let failure: unknown
    try {
      while (this.#listeners.size > 0 && events.isOpen) {
        if (this.#emptyController.signal.aborted) this.#emptyController = new AbortController()
        this.#goBackIfLost()
        const newEvents = await eventsAfter(this.#bank, this.place)
        if (newEvents.length === 0) {
          await events.waitForEvents(this.place, this.#emptyController.signal)
        }
        for (
          let from = 0;
          from < newEvents.length && this.#listeners.size > 0;
          from += maxConcurrent
        ) {
          await this.#emit(newEvents.slice(from, from + maxConcurrent))
        }
      }
    } catch (error) {
      failure = streamError(this.#bank, error)
    }
    this.#callbacks.onEnd()
    for (const listener of this.#listeners) listener.end(failure)
  }

  /** After a failover that lost events, all listeners continue after the last common event. */
  #goBackIfLost(): void {
    const { events } = this.#bank
    this.place = events.current(this.place)
    for (const listener of this.#listeners) listener.place = events.current(listener.place)
  }

  async #emit(newEvents: readonly EventHeader[]): Promise<void> {
    const [{ subscription }] = this.#listeners as unknown as [Listener]
    const caller = this.#callerWithLatestExpiry()
    const allMessages = await createMessages(this.#bank.events, subscription, caller, newEvents)
    for (const messages of batchesOf(allMessages)) {
      const allBodies = bodiesOf(messages)
      for (const listener of this.#listeners) this.#send(listener, messages, allBodies)
      this.place = messages.at(-1)!.place
    }
    this.place = cursorOf(newEvents.at(-1)!)
  }

  #send(listener: Listener, messages: readonly Message[], allBodies: readonly Buffer[]): void {
    const { sink } = listener
    if (listener.place.position < this.place.position) listener.place = this.place
    if (!sink.isDrained) {
      this.leave(listener)
      return this.#callbacks.onLagging(listener)
    }
    const { position } = listener.place
    // A listener that has just joined may already have received the first messages.
    const isNew = position < messages[0]!.place.position
    const isUnsent = ({ place }: Message) => place.position > position
    const unsent = isNew ? allBodies : bodiesOf(messages.filter(isUnsent))
    if (unsent.length === 0) return
    listener.place = messages.at(-1)!.place
    sink.send(unsent)
  }

  /** Returns the caller whose token expires last. All callers of a group have equal permissions. */
  #callerWithLatestExpiry(): Caller {
    let latest: Caller | null = null
    for (const { subscription } of this.#listeners) {
      const { caller } = subscription
      if (!latest || caller.expiresAt > latest.expiresAt) latest = caller
    }
    return latest!
  }
}
