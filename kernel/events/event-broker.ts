import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  StorageType,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
} from '@nats-io/jetstream'
import {
  connect,
  headers,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node'
import type { Logger } from 'pino'
import type { EventBatch } from './event-ring.ts'
import type { EventHeader } from './events.ts'
import { derivedKeys, type DerivedKeys, type KeyRing } from '../environment/key-ring.ts'
import { faultPoint } from '../environment/fault-point.ts'

const signatureHeader = 'bankgraph-seal'
const senderHeader = 'bankgraph-sender'
const timeoutMs = 2000
const retryMs = 500
const maxUnacknowledged = 64
/**
 * How long the broker keeps messages and detects duplicates. A process that misses messages reads
 * the event log in the database, the source of truth.
 */
const maxStreamAgeNanos = 60 * 1e9
const maxStreamBytes = 64 * 2 ** 20

/** An event header as it is published. */
type Message = Omit<EventHeader, 'position'> & {
  position: string
  previousEventId?: string | null
}

/** Statistics of the broker in this process, since the process started. */
export interface BrokerStatistics {
  isConnected: boolean
  reconnects: number
  /** The number of events that this process published. */
  published: number
  /** The number of reads of the database because a batch was missing or late. */
  refilledGaps: number
  /** The number of events received over the broker that this process already had. */
  duplicates: number
}

/**
 * Distributes event headers between the processes of one environment over NATS JetStream. Messages
 * may be lost, duplicated or reordered: receivers compare positions and fill gaps from the event
 * log. Batches must be signed with the environment's secret; others are ignored. Nothing in the
 * process ever waits for the broker.
 */
export class EventBroker {
  readonly #url: string
  readonly #keys: DerivedKeys<Buffer>
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #connection: NatsConnection | null = null
  #stream: JetStreamClient | null = null
  #messages: ConsumerMessages | null = null
  #running: Promise<void> | null = null
  readonly #sender = randomUUID()
  #name = ''
  #unacknowledged = 0
  #published = 0
  #connectCount = 0
  #onBatch: (batch: EventBatch) => void = () => undefined

  constructor(url: string, ring: KeyRing, log: Logger) {
    this.#url = url
    this.#keys = derivedKeys(ring, (secret) =>
      createHmac('sha256', secret).update('news of the log').digest(),
    )
    this.#log = log
  }

  /**
   * Connects and subscribes, and does so again after each disconnect. `onBatch` is called with each
   * batch that another process publishes. `logIdentity` identifies the event log, because several
   * event logs may share a broker.
   */
  start(logIdentity: string, onBatch: (batch: EventBatch) => void): void {
    // The name does not depend on a key, so that it stays the same when the keys are rotated.
    const digest = createHash('sha256').update(`event log ${logIdentity}`).digest('base64url')
    this.#name = `bankgraph-${digest.slice(0, 22)}`
    this.#onBatch = onBatch
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#endSubscription()
    await this.#connection?.close()
    await this.#running
  }

  /** Whether this process currently receives the batches of other processes. */
  get isUp(): boolean {
    return this.#messages !== null
  }

  /** The number of events that this process has published to the broker. */
  get published(): number {
    return this.#published
  }

  /** The number of reconnects. */
  get reconnects(): number {
    return Math.max(0, this.#connectCount - 1)
  }

  /** The name of the stream at the broker, which is also its NATS subject. */
  get name(): string {
    return this.#name
  }

  /**
   * Publishes a batch to the other processes. The batch is dropped if the broker is not connected
   * or 64 batches are not acknowledged yet.
   */
  publish({ after, events }: EventBatch): void {
    if (!this.#stream || !this.isUp || this.#unacknowledged >= maxUnacknowledged) return
    // The first event also names the one before it. Release 0.1.0 ignores this member.
    const message: Message[] = events.map((event) => ({
      ...event,
      position: event.position.toString(),
    }))
    message[0]!.previousEventId = after.eventId
    const body = Buffer.from(JSON.stringify(message))
    const signedHeaders = headers()
    signedHeaders.set(signatureHeader, signatureOf(this.#keys.current(), body))
    signedHeaders.set(senderHeader, this.#sender)
    // After a failover, other events can have the same positions.
    const msgID = `${events[0]!.eventId}-${events.at(-1)!.eventId}`
    this.#unacknowledged++
    this.#stream
      .publish(this.#name, body, { msgID, headers: signedHeaders, timeout: timeoutMs })
      .then(() => {
        this.#published += events.length
        faultPoint('broker.published')
      })
      .catch(() => this.#endSubscription())
      .finally(() => this.#unacknowledged--)
    faultPoint('broker.publishing')
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isDisconnected = false
    while (!signal.aborted) {
      try {
        this.#connection ??= await this.#connect()
        this.#messages = await this.#listenTo(this.#connection)
        this.#connectCount++
        if (isDisconnected) this.#log.info('the event broker is connected again')
        isDisconnected = false
        await this.#messages.closed()
      } catch (error) {
        const { message } = error as Error
        if (!isDisconnected)
          this.#log.warn(
            { error: message },
            'the event broker is not connected; reading events from the log',
          )
        isDisconnected = true
      }
      this.#endSubscription()
      if (this.#connection?.isClosed()) this.#connection = null
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #connect(): Promise<NatsConnection> {
    const connection = await connect(connectionOptions(this.#url))
    if (this.#stopping.signal.aborted) await connection.close()
    void this.#watch(connection)
    return connection
  }

  /**
   * Ends the subscription after a disconnect, so that stream and consumer are created again: the
   * broker may have restarted without them.
   */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') this.#endSubscription()
    }
  }

  async #listenTo(connection: NatsConnection): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(connection, { timeout: timeoutMs })
    await manager.streams.add({
      name: this.#name,
      subjects: [this.#name],
      storage: StorageType.Memory,
      discard: DiscardPolicy.Old,
      max_age: maxStreamAgeNanos,
      max_bytes: maxStreamBytes,
      duplicate_window: maxStreamAgeNanos,
    })
    this.#stream = jetstream(connection, { timeout: timeoutMs })
    const consumerOptions = { deliver_policy: DeliverPolicy.New }
    const consumer = await this.#stream.consumers.get(this.#name, consumerOptions)
    return consumer.consume({
      abort_on_missing_resource: true,
      callback: (message) => this.#receive(message),
    })
  }

  #receive(message: JsMsg): void {
    if (message.headers?.get(senderHeader) === this.#sender) return
    const body = Buffer.from(message.data)
    const signature = Buffer.from(message.headers?.get(signatureHeader) ?? '')
    const isSigned = this.#keys.accepted().some((key) => {
      const expected = Buffer.from(signatureOf(key, body))
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    })
    if (!isSigned) return
    const received = JSON.parse(body.toString()) as Message[]
    const events = received.map(({ previousEventId: _, ...event }) => ({
      ...event,
      position: BigInt(event.position),
    }))
    if (!events[0]) return
    const eventId = received[0]!.previousEventId ?? null
    this.#onBatch({ after: { position: events[0].position - 1n, eventId }, events })
  }

  #endSubscription(): void {
    const messages = this.#messages
    this.#messages = null
    void messages?.close()
  }
}

const signatureOf = (key: Buffer, bytes: Buffer): string =>
  createHmac('sha256', key).update(bytes).digest('base64url')

function connectionOptions(text: string): ConnectionOptions {
  const { protocol, host, username, password } = new URL(text)
  const user = decodeURIComponent(username)
  return {
    servers: host,
    name: 'bankgraph',
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: retryMs,
    timeout: timeoutMs,
    pingInterval: timeoutMs,
    maxPingOut: 2,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(user && (password ? { user, pass: decodeURIComponent(password) } : { token: user })),
  }
}
