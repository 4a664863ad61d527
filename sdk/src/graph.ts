import { prepare } from './document.ts'
import { keyOf } from './keys.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { problemOf, type BankProblem, type GraphError } from './problem.ts'
import type { Transport } from './transport.ts'
import type { GraphDocument } from './typed-document.ts'

/** Variables can be omitted if the document has none that are required. */
export type VariablesOf<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables]

/** The result of a document with its errors, for pages that show what they have. */
export interface PartialResult<Result> {
  /** The data; fields that failed are null. */
  data: Partial<Result> | null
  problems: readonly BankProblem[]
}

/** Sends queries and mutations to the graph. */
export class GraphCaller {
  readonly #transport: Transport
  readonly #options: ClientOptions
  readonly url: string
  #position: bigint | null = null

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport
    this.#options = options
    this.url = options.graphUrl ?? new URL('/graphql', options.url).href
  }

  /** The end of the event log at the newest response; null before the first one. */
  get position(): string | null {
    return this.#position === null ? null : String(this.#position)
  }

  /** Sends a document. Throws the problem if a field failed. */
  async call(
    document: GraphDocument<never, never>,
    variables: object = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const { data, problems } = await this.callPartially(document, variables, options)
    if (problems[0]) throw problems[0]
    return data
  }

  /** Sends a document. Returns what succeeded, and the problems of what failed. */
  async callPartially(
    document: GraphDocument<never, never>,
    variables: object = {},
    options: CallOptions = {},
  ): Promise<PartialResult<unknown>> {
    const { query, operationName, kind } = prepare(document)
    if (kind === 'subscription') throw new TypeError('Use `subscribe` for a subscription.')
    const idempotencyKey = kind === 'mutation' ? await keyOf(options, this.#options.keys) : null
    return this.#transport.send(
      {
        operation: operationName,
        method: 'POST',
        url: this.url,
        body: { query, variables },
        idempotencyKey,
        ...(options.signal && { signal: options.signal }),
        ...(options.requestId !== undefined && { requestId: options.requestId }),
      },
      async (response) => {
        const { data = null, errors = [], extensions } = (await response.json()) as GraphResponse
        this.#notePosition(extensions?.position)
        const problems = errors.map((error) => problemOf(error))
        // Nothing succeeded and all of it can succeed later: the transport sends it again.
        if (isEmpty(data) && problems.length > 0 && problems.every((each) => each.isRetryable)) {
          throw problems[0]!
        }
        return { data, problems }
      },
    )
  }

  #notePosition(position: string | undefined): void {
    if (position === undefined) return
    const latest = BigInt(position)
    if (this.#position === null || latest > this.#position) this.#position = latest
  }
}

interface GraphResponse {
  data?: object | null
  errors?: GraphError[]
  extensions?: { position?: string }
}

const isEmpty = (data: object | null): boolean =>
  data === null || Object.values(data).every((value) => value === null)
