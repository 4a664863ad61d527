import { Kind, parse, type GraphQLFormattedError } from 'graphql'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { extensionsOf, problemOf } from '../subgraphs/_kernel/graph/errors.ts'
import { mostWaitMs, sealEnvelope } from '../subgraphs/_kernel/sealed-envelope.ts'
import type { Passport } from './passport.ts'
import { PostClient, type Posted } from './post-client.ts'
import type { Source, SourceAnswer } from './sources.ts'

/** What a subgraph answers over HTTP: its answer, and what the answer's headers should say. */
interface RemoteAnswer extends SourceAnswer {
  extensions?: { isReplayed?: boolean }
}

/** After so many failures in a row a subgraph is left alone for a while, and its fields fail at once. */
const failuresInARow = 20
const pauseMs = 1000

/**
 * A subgraph in another process, asked over HTTP. Whatever it does, its fields are answered within
 * the deadline: a dead, babbling or refusing one with DEPENDENCY_UNAVAILABLE, a slow one with TIMEOUT.
 */
export class RemoteSource implements Source {
  readonly #name: string
  readonly #client: PostClient
  readonly #passportOf: (environment: string) => Passport
  #failures = 0
  #pausedUntilMs = 0

  constructor(name: string, url: string, passportOf: (environment: string) => Passport) {
    this.#name = name
    this.#client = new PostClient(new URL(url))
    this.#passportOf = passportOf
  }

  process({ request, context }: Parameters<Source['process']>[0]): ReturnType<Source['process']> {
    const asked = context as unknown as Context
    return this.run(request.query!, request.variables ?? {}, asked) as never
  }

  async run(operation: string, variables: object, context: Context): Promise<SourceAnswer> {
    try {
      const { data, errors, extensions } = await this.#ask(operation, variables, context)
      if (extensions?.isReplayed) context.outcome.isReplayed = true
      return { data, errors }
    } catch (error) {
      if (error instanceof Problem && error.cause) {
        const cause = (error.cause as Error).message
        context.bank.log.warn({ subgraph: this.#name, cause }, 'a subgraph did not answer')
      }
      const problem = problemOf(error, context.bank.log)
      return { data: null, errors: failed(problem, operation, variables) }
    }
  }

  /** Frees the connections. */
  close(): void {
    this.#client.close()
  }

  async #ask(operation: string, variables: object, context: Context): Promise<RemoteAnswer> {
    const { bank, envelope } = context
    const passport = this.#passportOf(bank.environment)
    const authorization = passport.authorizationOf(context)
    const deadlineMs = Math.min(envelope.deadlineMs, Date.now() + mostWaitMs)
    const body = Buffer.from(JSON.stringify({ query: operation, variables }))
    const to = { environment: bank.environment, subgraph: this.#name }
    const sealed = { ...envelope, authorization, deadlineMs }
    const headers = sealEnvelope(passport.sealingKey, to, sealed, body)
    // A connection that broke may have delivered the request: only what may run twice is sent again.
    const isRepeatable = envelope.idempotencyKey !== undefined || !/^\s*mutation\b/.test(operation)
    this.#requireAwake()
    try {
      const posted = await this.#client.post(headers, body, deadlineMs, isRepeatable)
      const answer = readAnswer(posted)
      this.#failures = 0
      return answer
    } catch (error) {
      // Without a cause it never went out: our caller was too late.
      if (error instanceof Problem && error.cause) this.#failures += 1
      throw error
    }
  }

  /** Lets one request through after each pause, which finds out whether the subgraph is back. */
  #requireAwake(): void {
    if (this.#failures < failuresInARow) return
    const nowMs = Date.now()
    if (nowMs < this.#pausedUntilMs) {
      throw new Problem('DEPENDENCY_UNAVAILABLE', { retryAfterSeconds: 1 })
    }
    this.#pausedUntilMs = nowMs + pauseMs
  }
}

/** 401 is an answer where it says what is wrong with the caller's token, and none where it is about us. */
function readAnswer({ status, text }: Posted): RemoteAnswer {
  const refuse = (what: string) => {
    const cause = new Error(`The answer ${what} (status ${status}).`)
    return new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause })
  }
  if (status !== 200 && status !== 401) throw refuse('is no answer')
  let answer: unknown
  try {
    answer = parseSafely(text)
  } catch {
    throw refuse('is not JSON')
  }
  if (!isAnswer(answer)) throw refuse('is not GraphQL')
  return answer
}

/** A member of this name would become the prototype of what answers are merged into. */
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

/** One error for each field that the fetch was to fill, or for each entity it was to add to. */
function failed(problem: Problem, operation: string, variables: object): GraphQLFormattedError[] {
  const { representations } = variables as { representations?: unknown[] }
  const paths = representations
    ? representations.map((_, index) => ['_entities', index])
    : rootKeys(operation).map((key) => [key])
  const { message } = problem
  return paths.map((path) => ({ message, path, extensions: extensionsOf(problem) }))
}

function rootKeys(operation: string): string[] {
  const [definition] = parse(operation, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return []
  return definition.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? [(selection.alias ?? selection.name).value] : [],
  )
}
