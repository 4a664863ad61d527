import type { Attempt, ClientOptions } from './options.ts'
import { problemFrom } from './problem.ts'
import { isNonceRequest } from './proofs.ts'
import { withRetries } from './retries.ts'

/** A request as the transport sends it. */
export interface TransportRequest {
  operation: string
  method: string
  url: string
  body?: unknown
  headers?: Record<string, string>
  /** The key that makes retries safe; null for a request that changes nothing. */
  idempotencyKey: string | null
  requestId?: string
  signal?: AbortSignal
}

const defaultRetries = 5
const defaultTimeoutMs = 30_000

/** Sends requests with a token, retries and a time limit. */
export class Transport {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /**
   * Sends a request and returns the result of `read` for its response. Throws a `BankProblem` for a
   * problem response, and a `ConnectionFailure` if there was no response.
   */
  send<Result>(
    request: TransportRequest,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { maxRetries = defaultRetries } = this.#options
    return withRetries(
      (number) => this.#attempt(request, read, number),
      maxRetries,
      request.idempotencyKey,
      request.signal,
    )
  }

  /** Opens a response whose body is read piece by piece, without retries and time limit. */
  async open(request: TransportRequest): Promise<Response> {
    return this.#withToken((token) => this.#fetch(request, token, request.signal))
  }

  /**
   * Returns the headers that authorize a request, for connections that are not opened here: with the
   * proof of a token that is bound to a key.
   */
  async authorization(method: string, url: string): Promise<Record<string, string>> {
    return this.#authorized(await this.#options.tokens.token(), method, url)
  }

  /** Notes the nonce that the bank wants in the next proof. */
  noteNonce(nonce: string | null): void {
    this.#options.tokens.proofs?.noteNonce(nonce)
  }

  async #authorized(token: string, method: string, url: string): Promise<Record<string, string>> {
    const { proofs } = this.#options.tokens
    return proofs ? proofs.headers(token, method, url) : { authorization: `Bearer ${token}` }
  }

  async #attempt<Result>(
    request: TransportRequest,
    read: (response: Response) => Promise<Result>,
    number: number,
  ): Promise<Result> {
    const startedAt = performance.now()
    const seen: { status: number | null; requestId: string | null } = {
      status: null,
      requestId: null,
    }
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit
    const report = (error: Attempt['error']) =>
      this.#report({
        operation: request.operation,
        method: request.method,
        url: request.url,
        number,
        ...seen,
        durationMs: performance.now() - startedAt,
        idempotencyKey: request.idempotencyKey,
        error,
      })
    try {
      const response = await this.#withToken(async (token) => {
        const answer = await this.#fetch(request, token, signal)
        seen.status = answer.status
        seen.requestId = answer.headers.get('x-request-id')
        return answer
      })
      const result = await read(response)
      report(null)
      return result
    } catch (error) {
      report(error as Error)
      throw error
    }
  }

  #report(attempt: Attempt): void {
    try {
      this.#options.onAttempt?.(attempt)
    } catch {
      // A mistake in a log or a metric must not fail or repeat a payment.
    }
  }

  /** Sends with a token, and once more with a new one if the bank rejects the token. */
  async #withToken(send: (token: string) => Promise<Response>): Promise<Response> {
    const sendProven = (token: string) => this.#withNonce(token, send)
    const token = await this.#options.tokens.token()
    const response = await sendProven(token)
    const answer =
      response.status === 401 ? await this.#renewed(token, response, sendProven) : response
    if (answer.ok) return answer
    const body = await answer.json().catch(() => null)
    throw problemFrom(answer.status, body, answer.headers.get('retry-after'))
  }

  /** Sends with a token, and once more if the bank wants its nonce in the proof. */
  async #withNonce(token: string, send: (token: string) => Promise<Response>): Promise<Response> {
    const response = await send(token)
    this.noteNonce(response.headers.get('dpop-nonce'))
    if (!this.#options.tokens.proofs || !isNonceRequest(response)) return response
    await response.body?.cancel()
    const again = await send(token)
    this.noteNonce(again.headers.get('dpop-nonce'))
    return again
  }

  async #renewed(
    token: string,
    rejected: Response,
    send: (token: string) => Promise<Response>,
  ): Promise<Response> {
    // A challenge for a stronger log-in is for the person, not for a new token of the same kind.
    if (rejected.headers.get('www-authenticate')?.includes('insufficient_user_authentication')) {
      return rejected
    }
    const next = await this.#options.tokens.token(token)
    if (next === token) return rejected
    await rejected.body?.cancel()
    return send(next)
  }

  async #fetch(request: TransportRequest, token: string, signal?: AbortSignal): Promise<Response> {
    const authorization = await this.#authorized(token, request.method, request.url)
    const { isStrict, headers, fetch: send = fetch } = this.#options
    return send(request.url, {
      method: request.method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(request.idempotencyKey !== null && { 'idempotency-key': request.idempotencyKey }),
        ...(request.requestId !== undefined && { 'x-request-id': request.requestId }),
        ...(isStrict && { 'sandbox-strict': 'true' }),
        ...headers?.(),
        ...request.headers,
        ...authorization,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      ...(signal && { signal }),
    })
  }
}

/** Reads a JSON body. A body that cannot be read counts as no response. */
export const readJson = (response: Response): Promise<unknown> => response.json()
