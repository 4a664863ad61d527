import type { DocumentNode, ExecutionResult } from 'graphql'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { Context } from '../kernel/environment/context.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { addressOf } from './address.ts'
import type { ServedRequest } from './apollo.ts'
import { challengeOf } from './proofs.ts'
import { anonymous, callerOf, contextOf } from './envelope.ts'
import { problemOfFormatted, withRequestId } from './errors.ts'
import { readRequest } from './graph-request.ts'
import { Introspection, isIntrospectionOn } from './introspection.ts'
import type { Graph } from './graph.ts'
import { sendGraphProblem } from './graph-problem.ts'
import { operationOf, type Operation } from './operation.ts'
import { DocumentReader } from './limits.ts'
import { authenticate, consoleGraphPath } from './console-session/requests.ts'
import type { ConsoleSessions } from './console-session/sessions.ts'
import { createLandingPage } from './landing-page.ts'
import { consoleOperationsPath } from './console.ts'
import { readPersistedQueryLists, type PersistedQueryList } from './persisted-query-list.ts'
import { requireDocument } from './request-document.ts'
import { isStrictlySent, withProvisioning } from '../sandbox/provisioning.ts'
import { framedPagePolicy } from './security-headers.ts'
import { serveSchemaFile } from './schema-file.ts'
import { ConnectionLimiter } from './admission.ts'
import { FanOut } from './fan-out.ts'
import { EventStreams } from './graph-sse.ts'
import { countAddress } from './rate-limits.ts'
import { bankOfQuery, recordWrite, runQuery } from './read-source.ts'
import { withRefusalAudit } from './refusals.ts'
import { noteRequest } from './request-log.ts'
import { Subscriptions } from './subscriptions.ts'

const maxNameCharacters = 100

/** The parts of an environment's GraphQL server that HTTP, SSE and WebSocket share. */
export interface GraphServer {
  graph: Graph
  bank: Bank
  reader: DocumentReader
  subscriptions: Subscriptions
  fanOut: FanOut
  connections: ConnectionLimiter
  introspection: Introspection
  /** The registered operations, which are the only ones that are accepted; null if all are. */
  list: PersistedQueryList | null
  /**
   * The sessions of the console, whose pages use the graph with a cookie instead of a token; null if
   * the console is not served.
   */
  sessions: ConsoleSessions | null
}

export function createGraphServer(
  graph: Graph,
  bank: Bank,
  sessions: ConsoleSessions | null,
): GraphServer {
  const lists = bank.config.persistedQueryLists[bank.environment]
  return {
    sessions,
    graph,
    bank,
    reader: new DocumentReader(graph.apiSchema),
    subscriptions: new Subscriptions(graph, bank),
    fanOut: new FanOut(bank),
    connections: new ConnectionLimiter(bank),
    introspection: new Introspection(graph.apiSchema, isIntrospectionOn(bank)),
    list: lists ? readPersistedQueryLists([lists, consoleOperationsPath]) : null,
  }
}

/**
 * Serves queries and mutations, and subscriptions over SSE, at `/graphql`, and at
 * `/console/graphql` to the pages of the console. If introspection is on, also serves the landing
 * page at `/graphql`, GraphiQL at `/graphiql` and the schema file.
 */
export async function serveGraph(app: FastifyInstance, server: GraphServer): Promise<void> {
  const landingPage = await createLandingPage()
  const streams = new EventStreams(server.bank, server.connections)
  app.addHook('preClose', () => streams.close())
  const handle = createHandler(server, streams)
  app.get('/graphql', async (request, reply) =>
    server.introspection.isOn && isPageRequest(request)
      ? reply.type('text/html; charset=utf-8').send(await landingPage())
      : handle(request, reply),
  )
  app.post('/graphql', handle)
  if (server.sessions) app.post(consoleGraphPath, createHandler(server, streams, server.sessions))
  if (!server.introspection.isOn) return
  serveSchemaFile(app, server.bank)
  let explorer: string | undefined
  app.get('/graphiql', async (_request, reply) => {
    // GraphiQL is a file of nine megabytes, so it is not loaded before somebody opens it.
    explorer ??= (await import('./explorer.ts')).renderExplorer()
    return reply
      .headers({ 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': framedPagePolicy })
      .type('text/html; charset=utf-8')
      .send(explorer)
  })
}

/** Creates the handler of requests with a token or, with `sessions`, with the console's cookie. */
function createHandler(
  server: GraphServer,
  streams: EventStreams,
  sessions: ConsoleSessions | null = null,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      if (sessions) await authenticate(server.bank, sessions, request)
      const input = readRequest(request)
      // The cheapest checks come first: parsing and limits, then the token, then validation.
      const query = await requireDocument(server, request, input)
      const document = server.reader.parse(query, input.operationName)
      const caller = await requireCaller(server, request, document, input.operationName)
      if (caller !== anonymous) {
        const { idempotencyKey } = input
        const name = nameOf(document, input.operationName)
        noteRequest(request, { caller, operation: name, idempotencyKey, document })
      }
      const operation = server.reader.validate(document, query, input.operationName)
      operation.isKnown = server.list !== null
      server.reader.checkVariables(operation, input.variables)
      if (caller === anonymous) {
        return await sendSchema(server, request, reply, operation, input.variables)
      }
      const node = operationOf(operation.document, operation.name)
      if (node?.operation === 'subscription') {
        requireStream(request)
        const subscription = withRefusalAudit(server.bank, request, caller, () =>
          server.subscriptions.prepare(operation, input.variables, caller),
        )
        return await streams.send(reply, subscription)
      }
      if (node?.operation === 'mutation') requirePost(request, reply)
      const source =
        node?.operation === 'query' ? bankOfQuery(server.bank, caller, request) : server.bank
      const context = contextOf(source, request, caller, input.idempotencyKey)
      const served = { http: request, query, hash: input.hash, variables: input.variables }
      return await reply.send(
        JSON.stringify(await serveOperation(server, reply, served, operation, context)),
      )
    } catch (error) {
      return sendGraphProblem(server.bank, request, reply, error)
    }
  }
}

/** Returns the name of an operation, or what it is: `query`, `mutation` or `subscription`. */
function nameOf(document: DocumentNode, name: string | null | undefined): string {
  const node = operationOf(document, name)
  return (node?.name?.value ?? node?.operation ?? '').slice(0, maxNameCharacters)
}

/**
 * Returns the caller, or `anonymous` for an operation that only reads the schema, which needs no
 * token. If introspection is off, a document that reads the schema is rejected for all callers.
 */
function requireCaller(
  { bank, introspection }: GraphServer,
  request: FastifyRequest,
  document: DocumentNode,
  name: string | null | undefined,
): Caller | Promise<Caller> {
  introspection.requireAllowed(document)
  const selections = operationOf(document, name)?.selectionSet.selections ?? []
  const isSchemaOnly = selections.every(
    (selection) => selection.kind === 'Field' && selection.name.value.startsWith('__'),
  )
  if (!isSchemaOnly) return callerOf(bank, request)
  countAddress(bank, request, request.raw)
  return anonymous
}

/** Sends the result of an introspection query, which may be a cached result. */
async function sendSchema(
  { bank, introspection }: GraphServer,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  variables: Record<string, unknown>,
): Promise<FastifyReply> {
  const media = mediaOf(request)
  const address = addressOf(bank.config, request.raw)
  const text = await introspection.answer(operation, variables, address)
  return reply.type(media).header('cache-control', 'no-store').send(text)
}

function requireStream(request: FastifyRequest): void {
  if (request.headers.accept?.includes('text/event-stream')) return
  throw new Problem('NOT_ACCEPTABLE', {
    detail: 'Send a subscription with `Accept: text/event-stream`, or over a WebSocket.',
  })
}

function isPageRequest(request: FastifyRequest): boolean {
  const { accept = '' } = request.headers
  return (
    request.method === 'GET' && !('query' in (request.query as object)) && /text\/html/.test(accept)
  )
}

/**
 * Throws METHOD_NOT_ALLOWED unless the method is POST. A GET must not change data, because links,
 * images and prefetching send GET requests.
 */
function requirePost(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'POST') return
  reply.header('allow', 'POST')
  throw new Problem('METHOD_NOT_ALLOWED', { detail: 'Send mutations with POST.' })
}

/** Serves a validated operation through Apollo Server and sets the headers of the response. */
async function serveOperation(
  { graph, bank }: GraphServer,
  reply: FastifyReply,
  served: ServedRequest,
  operation: Operation,
  context: Context,
): Promise<ExecutionResult> {
  const { http, variables } = served
  const media = mediaOf(http)
  const isStrict = isStrictlySent(http.headers['sandbox-strict'])
  const run = () => graph.run(operation, variables, context)
  const write = async () => {
    const result = await withProvisioning(bank, context, isStrict, run)
    await recordWrite(bank, context.caller, reply)
    return result
  }
  const type = operationOf(operation.document, operation.name)?.operation
  // The position is read before the query runs, so any change that the query misses has a later
  // position.
  const position = context.bank.readPosition().toString()
  const extensions = type === 'query' ? { extensions: { position } } : {}
  const execute = async () => ({
    ...(await (type === 'mutation'
      ? write()
      : runQuery(graph, bank, operation, variables, context))),
    ...extensions,
  })
  const response = await graph.apollo.serve(served, { context, operation, execute })
  const { status, headers } = response
  const result = withRequestId(response.result, http.id)
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .headers(Object.fromEntries(headers))
    .type(media)
  setOutcomeHeaders(reply, context)
  setStepUpHeader(bank, http, reply, result)
  return result
}

/**
 * Returns the media type of the response: the GraphQL media type if the client accepts it,
 * otherwise JSON. Throws NOT_ACCEPTABLE if the client accepts neither.
 */
function mediaOf({ headers: { accept } }: FastifyRequest): string {
  if (accept?.includes('application/graphql-response+json')) {
    return 'application/graphql-response+json; charset=utf-8'
  }
  if (!accept || /(application|\*)\/(json|\*)/.test(accept))
    return 'application/json; charset=utf-8'
  throw new Problem('NOT_ACCEPTABLE')
}

function setOutcomeHeaders(reply: FastifyReply, { outcome }: Context): void {
  if (outcome.isReplayed) reply.header('idempotent-replayed', 'true')
  if (outcome.provisioned.length > 0) {
    reply.header('sandbox-provisioned', outcome.provisioned.join(', '))
  }
}

/**
 * Sets the `WWW-Authenticate` header if a field requires another log-in (RFC 9470). The status stays
 * 200, because other fields may have succeeded; the header is also allowed there (RFC 9110, 11.6.1).
 */
function setStepUpHeader(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  { errors = [] }: ExecutionResult,
): void {
  const error = errors.find(
    ({ extensions }) => extensions['code'] === 'INSUFFICIENT_USER_AUTHENTICATION',
  )
  if (error) reply.header('www-authenticate', challengeOf(bank, request, problemOfFormatted(error)))
}
