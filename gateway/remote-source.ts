import { parse, type GraphQLFormattedError } from 'graphql'
import type { Context } from '../kernel/environment/context.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { extensionsOf, problemOf } from '../kernel/graph/errors.ts'
import { maxWaitMs, signEnvelope } from '../kernel/environment/signed-envelope.ts'
import { currentTraceparent, inSpan, SpanKind } from '../kernel/telemetry/tracing.ts'
import { fieldsOf, responseKeyOf } from './fields-of.ts'
import { operationOf } from './operation.ts'
import type { ServiceTokens } from './service-tokens.ts'
import { PostClient, type PostResponse } from './post-client.ts'
import type { Source, SourceResult } from './sources.ts'

/** The response of a subgraph over HTTP: the result, and whether the response is a replay. */
interface RemoteAnswer extends SourceResult {
  extensions?: { isReplayed?: boolean }
}

/**
 * The number of consecutive failures after which calls are paused, so that fields fail immediately.
 */
const failuresBeforePause = 20
const pauseMs = 1000

/**
 * A subgraph in another process, called over HTTP. Its fields complete or fail by the deadline.
 * They fail with DEPENDENCY_UNAVAILABLE if the subgraph is down or its response is not valid, and
 * with TIMEOUT if it is too slow.
 */
export class RemoteSource implements Source {
  readonly #name: string
  readonly #client: PostClient
  readonly #serviceTokensOf: (environment: string) => ServiceTokens
  #failures = 0
  #pausedUntilMs = 0

  constructor(name: string, url: string, serviceTokensOf: (environment: string) => ServiceTokens) {
    this.#name = name
    this.#client = new PostClient(new URL(url))
    this.#serviceTokensOf = serviceTokensOf
  }

  process({ request, context }: Parameters<Source['process']>[0]): ReturnType<Source['process']> {
    const input = context as unknown as Context
    return this.run(request.query!, request.variables ?? {}, input) as never
  }

  run(operation: string, variables: object, context: Context): Promise<SourceResult> {
    const attributes = { 'bankgraph.subgraph': this.#name }
    return inSpan(`subgraph ${this.#name}`, SpanKind.CLIENT, attributes, () =>
      this.#run(operation, variables, context),
    )
  }

  async #run(operation: string, variables: object, context: Context): Promise<SourceResult> {
    try {
      const { data, errors, extensions } = await this.#queryGraph(operation, variables, context)
      if (extensions?.isReplayed) context.outcome.isReplayed = true
      return { data, errors }
    } catch (error) {
      if (error instanceof Problem && error.cause) {
        const cause = (error.cause as Error).message
        context.bank.log.warn({ subgraph: this.#name, cause }, 'a subgraph did not respond')
      }
      const problem = problemOf(error, context.bank.log)
      return { data: null, errors: errorsOfFetch(problem, operation, variables) }
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#client.close()
  }

  async #queryGraph(operation: string, variables: object, context: Context): Promise<RemoteAnswer> {
    const { bank, envelope } = context
    const serviceTokens = this.#serviceTokensOf(bank.environment)
    const authorization = serviceTokens.authorizationOf(context)
    const deadlineMs = Math.min(envelope.deadlineMs, Date.now() + maxWaitMs)
    const body = Buffer.from(JSON.stringify({ query: operation, variables }))
    const recipient = { environment: bank.environment, subgraph: this.#name }
    const traceparent = currentTraceparent() ?? envelope.traceparent
    const signedEnvelope = { ...envelope, authorization, traceparent, deadlineMs }
    const key = serviceTokens.signingKeys.current()
    const headers = signEnvelope(key, recipient, signedEnvelope, body)
    // The request may have been delivered before the connection broke, so only repeatable requests
    // are retried.
    const isRepeatable = envelope.idempotencyKey !== undefined || !/^\s*mutation\b/.test(operation)
    this.#requireNotPaused()
    try {
      const rawResponse = await this.#client.post(headers, body, deadlineMs, isRepeatable)
      const response = readAnswer(rawResponse)
      this.#failures = 0
      return response
    } catch (error) {
      // A problem without a cause means that the request was not sent, because its deadline had
      // passed.
      if (error instanceof Problem && error.cause) this.#failures += 1
      throw error
    }
  }

  /**
   * Throws DEPENDENCY_UNAVAILABLE during a pause. After each pause, one request is let through to
   * detect whether the subgraph is available again.
   */
  #requireNotPaused(): void {
    if (this.#failures < failuresBeforePause) return
    const nowMs = Date.now()
    if (nowMs < this.#pausedUntilMs) {
      throw new Problem('DEPENDENCY_UNAVAILABLE', { retryAfterSeconds: 1 })
    }
    this.#pausedUntilMs = nowMs + pauseMs
  }
}

/**
 * Parses a response. A 401 with a GraphQL body is valid: it rejects the caller's token. A 401
 * without such a body rejects the signature of this gateway. Throws DEPENDENCY_UNAVAILABLE for a
 * response that is not valid.
 */
function readAnswer({ status, text }: PostResponse): RemoteAnswer {
  const unusable = (reason: string) => {
    const cause = new Error(`The response ${reason} (status ${status}).`)
    return new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause })
  }
  if (status !== 200 && status !== 401) throw unusable('is unexpected')
  let response: unknown
  try {
    response = parseSafely(text)
  } catch {
    throw unusable('is not JSON')
  }
  if (!isAnswer(response)) throw unusable('is not GraphQL')
  return response
}

/**
 * Parses JSON without properties named `__proto__`, which would become the prototype of the merged
 * result.
 */
function parseSafely(text: string): unknown {
  if (!/__proto__|\\u005f/i.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
}

function isAnswer(value: unknown): value is RemoteAnswer {
  if (!isRecord(value)) return false
  const { data, errors } = value
  if (data !== undefined && data !== null && !isRecord(data)) return false
  if (errors === undefined) return isRecord(data)
  return (
    Array.isArray(errors) &&
    errors.every(
      (error) =>
        isRecord(error) &&
        typeof error['message'] === 'string' &&
        isRecord(error['extensions']) &&
        (error['path'] === undefined || Array.isArray(error['path'])),
    )
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an error for each field or entity that the fetch should have returned. */
function errorsOfFetch(
  problem: Problem,
  operation: string,
  variables: object,
): GraphQLFormattedError[] {
  const { representations } = variables as { representations?: unknown[] }
  const paths = representations
    ? representations.map((_, index) => ['_entities', index])
    : rootKeys(operation).map((key) => [key])
  const { message } = problem
  return paths.map((path) => ({ message, path, extensions: extensionsOf(problem) }))
}

function rootKeys(operation: string): string[] {
  const document = parse(operation, { noLocation: true })
  const root = operationOf(document, null)
  return root ? fieldsOf(document, root.selectionSet).map(responseKeyOf) : []
}
