import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { FanOut, type EventSink } from '../../../gateway/fan-out.ts'
import type { Subscription } from '../../../gateway/subscriptions.ts'
import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import type { LogCursor } from '../../../kernel/events/event-ring.ts'
import { LogLosses } from '../../../kernel/events/log-losses.ts'
import type { EventHeader } from '../../../kernel/events/events.ts'
import { eventually } from '../../kit/eventually.ts'
import { random } from '../../kit/random.ts'

/** An event log in memory that returns few events per read, and asynchronously. */
class MemoryLog {
  isOpen = true
  readonly #events: EventHeader[] = []
  #generation = 0
  readonly #waiting = new Set<() => void>()

  get head(): bigint {
    return BigInt(this.#events.length)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  append(count: number): void {
    for (let at = 0; at < count; at++) {
      const position = this.head + 1n
      const type = position % 3n === 0n ? 'lending.loan.created' : 'parties.party.created'
      const [eventId, subject] = [`evt_${this.#generation}_${position}`, `party/${position}`]
      this.#events.push({ position, eventId, type, subject, parties: [], correlationId: 'test' })
    }
    for (const wake of this.#waiting) wake()
  }

  stop(): void {
    this.isOpen = false
    for (const wake of this.#waiting) wake()
  }

  readonly losses = new LogLosses()

  get end(): LogCursor {
    return { position: this.head, eventId: this.#events.at(-1)?.eventId ?? null }
  }

  current(cursor: LogCursor): LogCursor {
    return this.losses.current(cursor)
  }

  /** Replaces the last events by others at their positions, as a failover does. */
  lose(count: number, replacements: number): void {
    const lost = this.#events.splice(-count)
    this.losses.record(this.end, lost)
    this.#generation++
    this.append(replacements)
  }

  async after(cursor: LogCursor): Promise<EventHeader[]> {
    const { position } = this.current(cursor)
    await turn()
    return this.#events.slice(Number(position), Number(position) + 70)
  }

  async waitForEvents(cursor: LogCursor, signal?: AbortSignal): Promise<void> {
    if (this.head > this.current(cursor).position || !this.isOpen || signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', done)
    })
  }
}

/** A client that drains what is sent at once, or only when told to. */
class Client implements EventSink {
  readonly received: string[] = []
  isDrained = true
  isSlow: boolean
  maxHeldBytes = 0
  #taken: (() => void)[] = []

  constructor(isSlow: boolean) {
    this.isSlow = isSlow
  }

  send(messages: readonly Buffer[], taken: () => void = () => undefined): void {
    this.received.push(...messages.map(String))
    this.#taken.push(taken)
    this.maxHeldBytes = Math.max(this.maxHeldBytes, this.#taken.length)
    this.isDrained = false
    if (!this.isSlow) this.drain()
  }

  drain(): void {
    this.isDrained = true
    for (const taken of this.#taken.splice(0)) taken()
  }
}

function aLog() {
  const log = new MemoryLog()
  const silent = pino({ level: 'silent' })
  const fanOut = new FanOut({ events: log, log: silent } as unknown as Bank)
  const runs = new Map<string, number>()
  const subscription = (after: bigint, types: string[] | null = null): Subscription => ({
    filter: { types, subject: null },
    caller: bankCaller,
    start: { position: after, eventId: after === log.head ? log.end.eventId : null },
    key: JSON.stringify(types),
    serializeEvent({ position }) {
      runs.set(String(position), (runs.get(String(position)) ?? 0) + 1)
      return Promise.resolve(Buffer.from(String(position)))
    },
  })
  return { log, fanOut, runs, subscription }
}

const positions = (after: number, until: number) =>
  Array.from({ length: until - after }, (_, at) => String(after + at + 1))

describe('fan-out of events to subscriptions', () => {
  test('delivers each event once and in order, whenever clients subscribe and however slow they are', async () => {
    const next = random(7)
    const { log, fanOut, subscription } = aLog()
    log.append(200)
    const clients: { client: Client; after: number; isPart: boolean }[] = []
    const ended: Promise<unknown>[] = []
    for (let at = 0; at < 60; at++) {
      const isLate = next() < 0.4
      const after = isLate ? Math.floor(next() * 200) : Number(log.head)
      const isPart = next() < 0.3
      const client = new Client(next() < 0.5)
      const types = isPart ? ['lending.*'] : null
      ended.push(fanOut.listen(subscription(BigInt(after), types), client).next())
      clients.push({ client, after, isPart })
      log.append(Math.floor(next() * 5))
      for (const each of clients) if (next() < 0.2) each.client.drain()
      if (next() < 0.3) await turn()
    }
    for (let round = 0; round < 200; round++) {
      log.append(Math.floor(next() * 4))
      for (const { client } of clients) {
        if (next() < 0.1) client.isSlow = !client.isSlow
        if (next() < 0.3) client.drain()
      }
      await turn()
    }
    const until = Number(log.head)
    for (const { client, after, isPart } of clients) {
      client.isSlow = false
      const expected = positions(after, until).filter((each) => !isPart || Number(each) % 3 === 0)
      await eventually(() => {
        client.drain()
        return client.received.length >= expected.length
      })
      expect(client.received).toEqual(expected)
      // One write in progress and one that waits for it.
      expect(client.maxHeldBytes).toBeLessThanOrEqual(2)
    }
    log.stop()
    expect(await Promise.all(ended)).toEqual(ended.map(() => ({ done: true, value: undefined })))
  })

  test('serializes an event once for all subscriptions with the same key', async () => {
    const { log, fanOut, runs, subscription } = aLog()
    const clients = Array.from({ length: 50 }, () => new Client(false))
    const ended = clients.map((client) => fanOut.listen(subscription(0n), client).next())
    log.append(120)
    await eventually(() => clients.every(({ received }) => received.length === 120))
    expect([...runs.values()]).toEqual(Array(120).fill(1))
    // One reader waits for all of them, once it has read to the end of the log.
    await eventually(() => log.waiting > 0)
    expect(log.waiting).toBe(1)
    log.stop()
    await Promise.all(ended)
  })

  test('releases a subscription that ends, without effect on later ones', async () => {
    const { log, fanOut, subscription } = aLog()
    for (let at = 0; at < 5; at++) {
      const client = new Client(false)
      const listener = fanOut.listen(subscription(log.head), client)
      const over = listener.next()
      log.append(3)
      await eventually(() => client.received.length === 3)
      await listener.return()
      expect(await over).toEqual({ done: true, value: undefined })
      await eventually(() => log.waiting === 0)
      log.append(1)
      await turn()
      expect(client.received).toHaveLength(3)
    }
  })

  test('continues after the last common event when a failover replaces events', async () => {
    const { log, fanOut, subscription } = aLog()
    log.append(10)
    const [quick, slow, resumed] = [new Client(false), new Client(true), new Client(false)]
    const ended = [quick, slow].map((client) => fanOut.listen(subscription(0n), client).next())
    await eventually(() => quick.received.length === 10)
    ended.push(fanOut.listen(subscription(10n), resumed).next())
    await turn()
    log.lose(3, 5)
    await eventually(() => {
      slow.drain()
      return [quick, slow, resumed].every(({ received }) => received.at(-1) === '12')
    })
    expect(quick.received).toEqual([...positions(0, 10), ...positions(7, 12)])
    expect(slow.received.slice(-5)).toEqual(positions(7, 12))
    expect(resumed.received).toEqual(positions(7, 12))
    log.stop()
    await Promise.all(ended)
  })

  test('omits an event that was lost before it could be serialized', async () => {
    const { log, fanOut, subscription } = aLog()
    log.append(1)
    const client = new Client(false)
    let isFirst = true
    const serializeEvent = async (event: EventHeader) => {
      if (isFirst) {
        isFirst = false
        log.lose(1, 2)
        throw new Problem('EVENT_NOT_FOUND')
      }
      return Buffer.from(event.eventId)
    }
    const over = fanOut.listen({ ...subscription(0n), serializeEvent }, client).next()
    await eventually(() => client.received.length === 2)
    expect(client.received).toEqual(['evt_1_1', 'evt_1_2'])
    log.stop()
    await over
  })

  test('ends a subscription with the error of serializing an event', async () => {
    const { log, fanOut, subscription } = aLog()
    const detail = 'The event cannot be serialized.'
    const emit = () => Promise.reject(new Problem('DEPENDENCY_UNAVAILABLE', { detail }))
    const present = fanOut
      .listen({ ...subscription(0n), serializeEvent: emit }, new Client(false))
      .next()
    log.append(1)
    await expect(present).rejects.toThrow('The event cannot be serialized.')
    const past = fanOut
      .listen({ ...subscription(0n), serializeEvent: emit }, new Client(false))
      .next()
    await expect(past).rejects.toThrow('The event cannot be serialized.')
    await eventually(() => log.waiting === 0)
  })
})
