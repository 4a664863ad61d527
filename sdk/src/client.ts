import { followEvents, type BankEvent, type EventOptions } from './events.ts'
import { GraphCaller, type PartialResult, type VariablesOf } from './graph.ts'
import type { Operations } from './operations.generated.ts'
import type { CallOptions, ClientOptions, ReadOptions } from './options.ts'
import { ItemList } from './pages.ts'
import { restOperations } from './rest.ts'
import { Streams, type StreamTransport } from './streams.ts'
import { Transport } from './transport.ts'
import type { GraphDocument } from './typed-document.ts'

/** A connection of the graph: a page of records. */
export interface Connection<Item> {
  nodes: readonly Item[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}

/** The options of a client that also subscribes over WebSockets. */
export interface BankClientOptions extends ClientOptions {
  /** The class of WebSockets where there is no global one (Node 20), such as that of `ws`. */
  webSocket?: unknown
}

/** What the client offers beside the documented operations. */
export interface GraphOperations {
  /**
   * Sends a query or a mutation to the graph. A mutation is sent with an idempotency key. Throws the
   * `BankProblem` of the first field that failed, and `ConnectionFailure`.
   */
  graph<Result, Variables>(
    document: GraphDocument<Result, Variables>,
    ...input: [...VariablesOf<Variables>, options?: CallOptions]
  ): Promise<Result>
  /** Like `graph`, but returns what succeeded together with the problems of what failed. */
  graphPartially<Result, Variables>(
    document: GraphDocument<Result, Variables>,
    ...input: [...VariablesOf<Variables>, options?: CallOptions]
  ): Promise<PartialResult<Result>>
  /**
   * Returns the records of a connection, page by page. The document has the variable `$after`;
   * `select` returns the connection from a result.
   */
  graphList<Result, Variables, Item>(
    document: GraphDocument<Result, Variables>,
    variables: Omit<Variables, 'after'>,
    select: (result: Result) => Connection<Item> | null | undefined,
    options?: ReadOptions,
  ): ItemList<Item>
  /** Returns the results of any subscription of the graph, until its connection ends. */
  subscribe<Result, Variables>(
    document: GraphDocument<Result, Variables>,
    variables: Variables,
    options?: { over?: StreamTransport; signal?: AbortSignal },
  ): AsyncGenerator<Result, void>
  /**
   * Returns business events as they happen, and resumes after a lost connection without a gap and
   * without repetition. Use `for await`; abort the signal or `break` to stop.
   */
  events(options?: EventOptions): AsyncGenerator<BankEvent, void>
  /**
   * The end of the event log at the newest response of the graph; null before the first one. Pass it
   * to `events` as `after` to follow what changes after a page was loaded.
   */
  readonly position: string | null
  /** Closes the WebSocket, if one is open. */
  close(): Promise<void>
}

/** A client of the bank: the documented operations, the graph and live events. */
export type BankClient = Operations & GraphOperations

/** Creates a client. It opens no connection before the first call. */
export function createBankClient(options: BankClientOptions): BankClient {
  const transport = new Transport(options)
  const graph = new GraphCaller(transport, options)
  const streams = new Streams(transport, graph.url, options.webSocket)
  const call = graph.call.bind(graph) as unknown as GraphOperations['graph']
  const graphOperations: GraphOperations = {
    graph: call,
    graphPartially: graph.callPartially.bind(graph) as unknown as GraphOperations['graphPartially'],
    graphList(document, variables, select, readOptions) {
      return new ItemList(async (after) => {
        const input = { ...variables, after: after ?? null }
        const result = await graph.call(document as never, input, readOptions)
        const connection = select(result as never)
        const { hasNextPage = false, endCursor = null } = connection?.pageInfo ?? {}
        const items = [...(connection?.nodes ?? [])]
        return { items, nextPageToken: hasNextPage ? (endCursor ?? null) : null }
      })
    },
    subscribe(document, variables, { over = 'http', signal } = {}) {
      return streams.open(document as never, variables as object, over, signal) as never
    },
    events: (eventOptions = {}) => followEvents(streams, graph, eventOptions),
    get position() {
      return graph.position
    },
    close: () => streams.close(),
  }
  return Object.defineProperties(
    restOperations(transport, options),
    Object.getOwnPropertyDescriptors(graphOperations),
  ) as BankClient
}
