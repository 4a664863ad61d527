import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { catalogue, Problem, type ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import { formatError, problemOf } from '../subgraphs/_kernel/graph/errors.ts'
import { wwwAuthenticate } from '../subgraphs/_kernel/token.ts'
import { addressOf } from './address.ts'
import { anonymous, callerOf, contextOf } from './envelope.ts'
import { readRequest, type GraphRequest } from './graph-request.ts'
import { Introspection, isIntrospectionOn } from './introspection.ts'
import type { Graph } from './graph.ts'
import { operationOf, type Operation } from './operation.ts'
import { DocumentReader } from './limits.ts'
import { createLandingPage } from './landing-page.ts'
import { PersistedQueries, persistedQueryNotFound } from './persisted-queries.ts'
import { isStrictlySent, withProvisioning } from './provisioning.ts'
import { sandboxDocument } from './sandbox-document.ts'
import { serveSchemaFile } from './schema-file.ts'
import { Listeners } from './admission.ts'
import { FanOut } from './fan-out.ts'
import { EventStreams } from './graph-sse.ts'
import { countAddress } from './rate-limits.ts'
import { atDoor } from './refusals.ts'
import { Subscriptions } from './subscriptions.ts'

/** What HTTP, SSE and WebSocket share of one environment's graph. */
export interface GraphDoor {
  graph: Graph
  bank: Bank
  reader: DocumentReader
  subscriptions: Subscriptions
  fanOut: FanOut
  listeners: Listeners
  introspection: Introspection
  persistedQueries: PersistedQueries
}

export function createGraphDoor(graph: Graph, bank: Bank): GraphDoor {
  return {
    graph,
    bank,
    reader: new DocumentReader(graph.apiSchema),
    subscriptions: new Subscriptions(graph, bank),
    fanOut: new FanOut(bank),
    listeners: new Listeners(bank),
    introspection: new Introspection(graph.apiSchema, isIntrospectionOn(bank)),
    persistedQueries: new PersistedQueries(),
  }
}

/** Serves the graph at `/graphql`: queries and mutations, subscriptions as SSE, the landing page; GraphiQL at `/graphiql`. */
export async function serveGraph(app: FastifyInstance, door: GraphDoor): Promise<void> {
  const landingPage = await createLandingPage()
  const streams = new EventStreams(door.bank, door.listeners)
  app.addHook('preClose', () => streams.close())
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (door.introspection.isOn && isPageRequest(request)) {
      return reply.type('text/html; charset=utf-8').send(await landingPage())
    }
    try {
      const asked = readRequest(request)
      // What costs little comes first: parsing and counting, the token, and then validation.
      const query = await documentOf(door, request, asked)
      const document = door.reader.parse(query, asked.operationName)
      const caller = await requireCaller(door, request, document, asked.operationName)
      const operation = door.reader.validate(document, query, asked.operationName)
      door.reader.checkVariables(operation, asked.variables)
      if (caller === anonymous) {
        return await sendSchema(door, request, reply, operation, asked.variables)
      }
      if (asked.hash !== undefined) door.persistedQueries.store(asked.hash, query)
      const node = operationOf(operation.document, operation.name)
      if (node?.operation === 'subscription') {
        requireStream(request)
        const subscription = atDoor(door.bank, request, caller, () =>
          door.subscriptions.prepare(operation, asked.variables, caller),
        )
        return await streams.send(reply, subscription)
      }
      if (node?.operation === 'mutation') requirePost(request, reply)
      const context = contextOf(door.bank, request, caller, asked.idempotencyKey)
      // Read before the query runs: an event of what the query does not see has a later position.
      const extensions = node?.operation === 'query' && positionOf(door.bank)
      const answer = await viaGraph(door, request, reply, operation, asked.variables, context)
      return reply.send(JSON.stringify(extensions ? { ...answer, extensions } : answer))
    } catch (error) {
      return sendGraphProblem(door.bank, request, reply, error)
    }
  }
  app.get('/graphql', answer)
  app.post('/graphql', answer)
  if (!door.introspection.isOn) return
  serveSchemaFile(app, door.bank)
  const graphiql = renderGraphiQL({
    title: 'bankgraph',
    endpoint: '/graphql',
    defaultQuery: sandboxDocument,
    subscriptionsProtocol: 'SSE',
    shouldPersistHeaders: true,
    headers: JSON.stringify({ authorization: 'Bearer <token>' }),
  })
  app.get('/graphiql', (_request, reply) => reply.type('text/html; charset=utf-8').send(graphiql))
}

/**
 * Who asks. A document that reads only the schema needs no token: the schema is public, unless
 * introspection is switched off, which holds for every caller.
 */
function requireCaller(
  { bank, introspection }: GraphDoor,
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

/**
 * The document of a request. A client that only knows a hash has to show its token first. Throws
 * PERSISTED_QUERY_NOT_FOUND.
 */
async function documentOf(
  { bank, persistedQueries }: GraphDoor,
  request: FastifyRequest,
  { query, hash }: GraphRequest,
): Promise<string> {
  const known = query ?? persistedQueries.find(hash!)
  if (known !== undefined) return known
  await callerOf(bank, request)
  throw persistedQueryNotFound()
}

/** Answers what is asked of the schema alone; the answer to a document is computed once. */
async function sendSchema(
  { bank, introspection }: GraphDoor,
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
    detail: 'A subscription answers as text/event-stream, or over the WebSocket.',
  })
}

function isPageRequest(request: FastifyRequest): boolean {
  const { accept = '' } = request.headers
  return (
    request.method === 'GET' && !('query' in (request.query as object)) && /text\/html/.test(accept)
  )
}

/** A link, an image or a prefetch can send a GET: it never changes anything. Throws METHOD_NOT_ALLOWED. */
function requirePost(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'POST') return
  reply.header('allow', 'POST')
  throw new Problem('METHOD_NOT_ALLOWED', { detail: 'Send a mutation by POST.' })
}

/** Where the event log ends for this process: a subscription after it misses nothing that a later query does not see. */
function positionOf({ events }: Bank): { position: string } {
  return { position: events.head.toString() }
}

/** Runs what was read and validated above, and sets the headers of the response. */
async function viaGraph(
  { graph, bank }: GraphDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  variables: Record<string, unknown>,
  context: Context,
): Promise<ExecutionResult> {
  const media = mediaOf(request)
  const isStrict = isStrictlySent(request.headers['sandbox-strict'])
  const answer = await withProvisioning(bank, context, isStrict, operation, () =>
    graph.run(operation, variables, context),
  )
  tellOutcome(reply, context)
  reply.type(media).header('cache-control', 'no-store')
  return answer
}

/** GraphQL over HTTP's own media type when it is asked for, else JSON. Refuses with NOT_ACCEPTABLE. */
function mediaOf({ headers: { accept } }: FastifyRequest): string {
  if (accept?.includes('application/graphql-response+json')) {
    return 'application/graphql-response+json; charset=utf-8'
  }
  if (!accept || /(application|\*)\/(json|\*)/.test(accept))
    return 'application/json; charset=utf-8'
  throw new Problem('NOT_ACCEPTABLE')
}

function tellOutcome(reply: FastifyReply, { outcome }: Context): void {
  if (outcome.isReplayed) reply.header('idempotent-replayed', 'true')
  if (outcome.provisioned.length > 0) {
    reply.header('sandbox-provisioned', outcome.provisioned.join(', '))
  }
}

/** Faults of the input. As application/json they have status 200 (GraphQL over HTTP 6.4.1), so that clients read the body. */
const inputCodes: ReadonlySet<ProblemCode> = new Set(['VALIDATION_FAILED', 'UNKNOWN_PROPERTY'])

/** Status 200 in every media type: Apollo Client gives up persisted queries for good on any other. */
const isForClient = (code: ProblemCode) => code === 'PERSISTED_QUERY_NOT_FOUND'

/** Codes that end a request before anything ran; GraphQL over HTTP tells them with their own status. */
function sendGraphProblem(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem: Problem = problemOf(error, bank.log)
  const challenge = wwwAuthenticate(problem, `${bank.issuer}/.well-known/oauth-protected-resource`)
  if (problem.status === 401 || problem.status === 403) reply.header('www-authenticate', challenge)
  const { retryAfterSeconds } = problem.members
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  const isModern = request.headers.accept?.includes('application/graphql-response+json')
  const isOk = isForClient(problem.code) || (!isModern && inputCodes.has(problem.code))
  return reply
    .code(isOk ? 200 : catalogue[problem.code].status)
    .header('cache-control', 'no-store')
    .type(`application/${isModern ? 'graphql-response+json' : 'json'}; charset=utf-8`)
    .send(JSON.stringify({ errors: [formatError(problem, bank.log)] }))
}
