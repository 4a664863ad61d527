import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { minuteMs } from '../kernel/domain/dates.ts'
import { catalog } from '../kernel/domain/problem.ts'
import { realNow } from '../kernel/work/clock.ts'
import type { MaskBody } from './body-mask.ts'

/** What the handler of a request knows about it. */
interface Noted {
  caller: Caller
  /** The name of the operation: that of the document, or of the documented REST operation. */
  operation: string
  idempotencyKey: string | undefined
}

/** A request that is not written yet. Its bodies are masked when it is written. */
interface Entry extends Noted {
  at: Date
  method: string
  path: string
  status: number
  durationMs: number
  requestId: string
  code: string | null
  requestBody: Buffer | undefined
  responseBody: string | null
}

const flushMs = 1000
/** The maximum number of requests that wait to be written. Further ones are only counted. */
const maxWaiting = 5000
/** A longer body is not stored. It bounds the memory of what waits as well. */
const maxBodyCharacters = 8192
const maxPathCharacters = 500

const insertSql = `
  insert into kernel.request_log (at, client_id, party_id, subject, method, path, operation, status,
    duration_ms, idempotency_key, request_id, code, request_body, response_body)
  select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
    $7::text[], $8::int[], $9::int[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])`

const noted = new WeakMap<FastifyRequest, Noted>()

/** Notes who sent a request and what it does, so that it is logged when it is answered. */
export function noteRequest(request: FastifyRequest, about: Noted): void {
  noted.set(request, about)
}

/**
 * Logs the requests of authenticated clients: what they sent and what they got, with masked bodies.
 * Responses do not wait for it: requests are gathered in memory and written once a second in one
 * statement. If more wait than the database takes, the further ones are dropped, and their number is
 * in the log of the process.
 */
export function logRequests(app: FastifyInstance, bank: Bank, mask: MaskBody): void {
  const log = new RequestLog(bank, mask)
  const payloads = new WeakMap<FastifyReply, string>()
  app.addHook('onSend', (request, reply, payload, done) => {
    if (noted.has(request) && typeof payload === 'string') payloads.set(reply, payload)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const about = noted.get(request)
    if (about) log.add(entryOf(request, reply, about, payloads.get(reply)))
    done()
  })
  app.addHook('onClose', () => log.close())
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  about: Noted,
  payload: string | undefined,
): Entry {
  const durationMs = reply.elapsedTime
  return {
    ...about,
    at: new Date(realNow().getTime() - durationMs),
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    durationMs: Math.round(durationMs),
    requestId: request.id,
    code: codeIn(payload),
    requestBody: request.body as Buffer | undefined,
    responseBody: payload ?? null,
  }
}

/** Returns the path. Its query is left out where it may contain a document with its variables. */
function pathOf({ url }: FastifyRequest): string {
  const path = url.includes('graphql') ? url.split('?')[0]! : url
  return path.slice(0, maxPathCharacters)
}

/** Returns the code of the first problem in a response; null if there is none. */
function codeIn(payload: string | undefined): string | null {
  // Errors come first in a response of the graph. Other responses are not parsed.
  const isProblem = payload?.startsWith('{"errors":') || payload?.startsWith('{"type":"http')
  if (!isProblem) return null
  const { code, errors } = JSON.parse(payload!) as {
    code?: string
    errors?: { extensions?: { code?: string } }[]
  }
  const found = code ?? errors?.[0]?.extensions?.code
  return found !== undefined && Object.hasOwn(catalog, found) ? found : null
}

class RequestLog {
  readonly #bank: Bank
  readonly #mask: MaskBody
  #waiting: Entry[] = []
  #dropped = 0
  #warnedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(bank: Bank, mask: MaskBody) {
    this.#bank = bank
    this.#mask = mask
  }

  /** Adds a request. Does not throw or wait. */
  add(entry: Entry): void {
    if (this.#waiting.length >= maxWaiting) this.#dropped++
    else this.#waiting.push(entry)
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#flush()
    await this.#writing
  }

  #flush(): void {
    this.#timer = null
    const entries = this.#waiting
    if (entries.length === 0) return
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#write(entries))
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    try {
      const values = this.#columnsOf(entries)
      await this.#bank.pool.query({ name: 'request-log-insert', text: insertSql, values })
    } catch (error) {
      this.#dropped += entries.length
      this.#bank.log.warn({ error: (error as Error).message }, 'requests could not be logged')
    }
    if (this.#dropped === 0 || performance.now() - this.#warnedAt < minuteMs) return
    this.#bank.log.warn({ count: this.#dropped }, 'requests are missing in the request log')
    this.#warnedAt = performance.now()
    this.#dropped = 0
  }

  #columnsOf(entries: readonly Entry[]): unknown[][] {
    return [
      entries.map(({ at }) => at),
      entries.map(({ caller }) => caller.clientId),
      entries.map(({ caller }) => caller.partyId),
      entries.map(({ caller }) => caller.subject),
      entries.map(({ method }) => method),
      entries.map(({ path }) => path),
      entries.map(({ operation }) => operation),
      entries.map(({ status }) => status),
      entries.map(({ durationMs }) => durationMs),
      entries.map(({ idempotencyKey }) => idempotencyKey ?? null),
      entries.map(({ requestId }) => requestId),
      entries.map(({ code }) => code),
      entries.map(({ requestBody }) => this.#maskedBody(requestBody?.toString('utf8'))),
      entries.map(({ responseBody }) => this.#maskedBody(responseBody)),
    ]
  }

  /** Returns a body without personal data; null for one that is missing, too long, or not JSON. */
  #maskedBody(body: string | null | undefined): string | null {
    if (!body || body.length > maxBodyCharacters) return null
    return this.#mask(body)
  }
}
