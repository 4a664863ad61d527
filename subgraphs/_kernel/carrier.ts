import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
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
import type { EventNews } from './events.ts'
import { faultPoint } from './fault-point.ts'

const sealHeader = 'bankgraph-seal'
const senderHeader = 'bankgraph-sender'
const timeoutMs = 2000
const retryMs = 500
const mostUnderWay = 64
/** The log is the truth and has everything; the broker keeps what a short absence misses. */
const keptNanos = 60 * 1e9
const keptBytes = 64 * 2 ** 20

/**
 * Carries news of the log between the processes of one environment, over NATS JetStream. It may
 * lose, repeat and reorder: who takes a batch compares its positions, and fills gaps from the log.
 * Only batches sealed by a process with the same secret are taken. Nothing waits for the broker.
 */
export class Carrier {
  readonly #url: string
  readonly #key: Buffer
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #connection: NatsConnection | null = null
  #stream: JetStreamClient | null = null
  #messages: ConsumerMessages | null = null
  #running: Promise<void> | null = null
  readonly #sender = randomUUID()
  #name = ''
  #underWay = 0
  #published = 0
  #connects = 0
  #take: (events: EventNews[]) => void = () => undefined

  constructor(url: string, secret: string, log: Logger) {
    this.#url = url
    this.#key = createHmac('sha256', secret).update('news of the log').digest()
    this.#log = log
  }

  /** Begins to hear, now and whenever the broker is there. `log` tells apart the logs that share a broker. */
  start(log: string, take: (events: EventNews[]) => void): void {
    this.#name = `bankgraph-${this.#seal(Buffer.from(log)).slice(0, 22)}`
    this.#take = take
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#lose()
    await this.#connection?.close()
    await this.#running
  }

  /** Whether what the others carry arrives here. */
  get isUp(): boolean {
    return this.#messages !== null
  }

  /** Events that the broker took from this process. */
  get published(): number {
    return this.#published
  }

  /** How often hearing was set up again. */
  get reconnects(): number {
    return Math.max(0, this.#connects - 1)
  }

  /** Where the environment's news travels, as the broker's administrator sees it. */
  get name(): string {
    return this.#name
  }

  /** Sends a batch to the others, when the broker is there and keeps up. */
  carry(events: readonly EventNews[]): void {
    if (!this.#stream || !this.isUp || this.#underWay >= mostUnderWay) return
    const body = Buffer.from(
      JSON.stringify(events.map((event) => ({ ...event, position: event.position.toString() }))),
    )
    const sealed = headers()
    sealed.set(sealHeader, this.#seal(body))
    sealed.set(senderHeader, this.#sender)
    const msgID = `${events[0]!.position}-${events.at(-1)!.position}`
    this.#underWay++
    this.#stream
      .publish(this.#name, body, { msgID, headers: sealed, timeout: timeoutMs })
      .then(() => {
        this.#published += events.length
        faultPoint('carrier.published')
      })
      .catch(() => this.#lose())
      .finally(() => this.#underWay--)
    faultPoint('carrier.publishing')
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isMissed = false
    while (!signal.aborted) {
      try {
        this.#connection ??= await this.#connect()
        this.#messages = await this.#hear(this.#connection)
        this.#connects++
        if (isMissed) this.#log.info('the broker is back')
        isMissed = false
        await this.#messages.closed()
      } catch (error) {
        const { message } = error as Error
        if (!isMissed) this.#log.warn({ error: message }, 'no broker: events come from the log')
        isMissed = true
      }
      this.#lose()
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

  /** A broker that was away may come back without what it had: everything is set up again. */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') this.#lose()
    }
  }

  async #hear(connection: NatsConnection): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(connection, { timeout: timeoutMs })
    await manager.streams.add({
      name: this.#name,
      subjects: [this.#name],
      storage: StorageType.Memory,
      discard: DiscardPolicy.Old,
      max_age: keptNanos,
      max_bytes: keptBytes,
      duplicate_window: keptNanos,
    })
    this.#stream = jetstream(connection, { timeout: timeoutMs })
    const onlyNew = { deliver_policy: DeliverPolicy.New }
    const consumer = await this.#stream.consumers.get(this.#name, onlyNew)
    return consumer.consume({
      abort_on_missing_resource: true,
      callback: (message) => this.#receive(message),
    })
  }

  #receive(message: JsMsg): void {
    if (message.headers?.get(senderHeader) === this.#sender) return
    const body = Buffer.from(message.data)
    const seal = Buffer.from(message.headers?.get(sealHeader) ?? '')
    const expected = Buffer.from(this.#seal(body))
    if (seal.length !== expected.length || !timingSafeEqual(seal, expected)) return
    const events = JSON.parse(body.toString()) as (Omit<EventNews, 'position'> & {
      position: string
    })[]
    this.#take(events.map((event) => ({ ...event, position: BigInt(event.position) })))
  }

  #lose(): void {
    const messages = this.#messages
    this.#messages = null
    void messages?.close()
  }

  #seal(bytes: Buffer): string {
    return createHmac('sha256', this.#key).update(bytes).digest('base64url')
  }
}

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
