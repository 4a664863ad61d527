import {
  ApolloServer,
  HeaderMap,
  type ApolloServerPlugin,
  type HTTPGraphQLRequest,
} from '@apollo/server'
import { GraphQLError, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql'
import type { GraphQLFormattedError } from 'graphql'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { plugins, type ApolloContext } from './apollo-plugins.ts'
import { maskError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { PersistedQueries } from './persisted-queries.ts'

/** A request of a client whose document was parsed, validated and admitted. */
export interface ServedRequest {
  http: FastifyRequest
  query: string
  /** The SHA-256 of the document; undefined if the client does not use persisted queries. */
  hash: string | undefined
  variables: Record<string, unknown>
}

/**
 * The response of Apollo Server. `status` is 200 unless a plugin changed it or failed; `headers` are
 * those that plugins have set.
 */
export interface ServedResponse {
  result: ExecutionResult
  status: number
  headers: ReadonlyMap<string, string>
}

const maxDocuments = 1000
const apqPrefix = 'apq:'

/**
 * Apollo Server on the composed graph, shared by all environments of the process. It registers
 * persisted queries and runs plugins. Documents are parsed and validated by the `DocumentReader`,
 * with its limits, and Apollo Server takes them from its document store.
 */
export class Apollo {
  readonly #server: ApolloServer<ApolloContext>
  /** Validated documents by the SHA-256 of their text. */
  readonly #documents = new Map<string, DocumentNode>()
  /** The errors that are already formatted for clients. */
  readonly #formatted = new WeakMap<object, GraphQLFormattedError>()

  constructor(
    apiSchema: GraphQLSchema,
    queries: PersistedQueries,
    log: Logger,
    serverPlugins: readonly ApolloServerPlugin<ApolloContext>[] = plugins,
  ) {
    this.#server = new ApolloServer<ApolloContext>({
      gateway: gatewayOf(apiSchema, (result) => this.#withErrors(result)),
      documentStore: this.#documentStore(),
      persistedQueries: { cache: cacheOf(queries) },
      plugins: [...serverPlugins],
      formatError: (_, error) => this.#formatted.get(error as object) ?? maskError(error, log),
      introspection: true,
      includeStacktraceInErrorResponses: false,
      stopOnTerminationSignals: false,
      nodeEnv: 'production',
      logger: loggerOf(log),
    })
  }

  start(): Promise<void> {
    return this.#server.start()
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  /** Serves one query or mutation. */
  async serve(
    { http, query, hash, variables }: ServedRequest,
    contextValue: ApolloContext,
  ): Promise<ServedResponse> {
    const { operation } = contextValue
    this.#remember(operation)
    const persistedQuery = hash === undefined ? undefined : { version: 1, sha256Hash: hash }
    const { body, http: head } = await this.#server.executeOperation(
      {
        query,
        variables,
        operationName: operation.name,
        ...(persistedQuery && { extensions: { persistedQuery } }),
        http: httpOf(http),
      },
      { contextValue },
    )
    if (body.kind === 'incremental') throw new Error('Incremental delivery is not supported.')
    const result = body.singleResult as ExecutionResult
    return { result, status: head.status ?? 200, headers: head.headers }
  }

  #remember({ hash, document }: Operation): void {
    this.#documents.set(hash, document)
    if (this.#documents.size > maxDocuments) {
      this.#documents.delete(this.#documents.keys().next().value!)
    }
  }

  #documentStore() {
    return {
      // Apollo Server prefixes its keys with a hash of the schema.
      get: (key: string) => Promise.resolve(this.#documents.get(key.slice(key.indexOf(':') + 1))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    }
  }

  /** Wraps formatted errors in GraphQLError, which plugins expect. */
  #withErrors(result: ExecutionResult): ExecutionResult {
    if (!result.errors) return result
    const errors = result.errors.map((formatted) => {
      const { message, path, extensions } = formatted
      const error = new GraphQLError(message, { path, extensions })
      this.#formatted.set(error, formatted as unknown as GraphQLFormattedError)
      return error
    })
    return { ...result, errors }
  }
}

/** Returns the graph in the form of a gateway, whose executor executes the admitted operation. */
function gatewayOf(
  apiSchema: GraphQLSchema,
  withErrors: (result: ExecutionResult) => ExecutionResult,
) {
  return {
    onSchemaLoadOrUpdate(listen: (loaded: { apiSchema: GraphQLSchema }) => void) {
      listen({ apiSchema })
      return () => undefined
    },
    load: () =>
      Promise.resolve({
        executor: async ({ context }: { context: unknown }) =>
          withErrors(await (context as ApolloContext).execute()),
      }),
    stop: () => Promise.resolve(),
  } as never
}

function cacheOf(queries: PersistedQueries) {
  const hashOf = (key: string) => key.slice(apqPrefix.length)
  return {
    get: (key: string) => Promise.resolve(queries.find(hashOf(key))),
    set: (key: string, text: string) => Promise.resolve(queries.store(hashOf(key), text)),
    delete: () => Promise.resolve(),
  }
}

function httpOf({ method, headers, url }: FastifyRequest): HTTPGraphQLRequest {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const mark = url.indexOf('?')
  return { method, headers: map, search: mark < 0 ? '' : url.slice(mark), body: undefined }
}

function loggerOf(log: Logger) {
  const logAt = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    log[level](message)
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}
