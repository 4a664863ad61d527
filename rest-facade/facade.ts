import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, contextOf, idempotencyKeyOf } from '../gateway/envelope.ts'
import { problemOfFormatted } from '../gateway/errors.ts'
import type { Graph } from '../gateway/graph.ts'
import { requireRequestId, sendProblem } from '../gateway/http.ts'
import { bankOfQuery, recordWrite, runQuery } from '../gateway/read-source.ts'
import { withRefusalAudit } from '../gateway/refusals.ts'
import { noteRequest } from '../gateway/request-log.ts'
import { isStrictlySent, withProvisioning } from '../sandbox/provisioning.ts'
import { parseStrictJson } from '../gateway/strict-json.ts'
import { requireScope } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Context } from '../kernel/environment/context.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { requireStorableJson } from '../kernel/domain/unstorable.ts'
import { compileRoute, type CompiledRoute } from './compiled-route.ts'
import { serveDocs } from './docs.ts'
import { validationErrorsOf, withParameters } from './faults.ts'
import { sendEventStream } from './frames.ts'
import { serveFrontPage, type FrontPagePerson } from './front-page.ts'
import { requireMedia } from './media.ts'
import { serveProblems } from './problems.ts'
import { routes } from './routes.ts'
import { echoSpelling } from './wire.ts'

export interface FacadeOptions {
  graph: Graph
  bank: Bank
  /** The people whom the start page offers to log in. */
  people: readonly FrontPagePerson[]
}

/**
 * Returns the path prefix of the REST operations in an environment: `/v1` in the sandbox, none in
 * live.
 */
export function prefixOf(bank: Bank): '' | '/v1' {
  return bank.environment === 'sandbox' ? '/v1' : ''
}

const compiledRoutes = new WeakMap<Graph, readonly CompiledRoute[]>()

/** Compiles the routes once: both environments share the graph and therefore the routes. */
function compiledRoutesOf(graph: Graph): readonly CompiledRoute[] {
  const graphRoutes = compiledRoutes.get(graph) ?? routes.map((route) => compileRoute(graph, route))
  compiledRoutes.set(graph, graphRoutes)
  return graphRoutes
}

/**
 * Serves the REST operations without a handler for each: the members of a request fill the
 * variables of the route's GraphQL operation by name, and the selection of the operation determines
 * the response.
 */
export async function serveFacade(app: FastifyInstance, { graph, bank, people }: FacadeOptions) {
  const graphRoutes = compiledRoutesOf(graph)
  const prefix = prefixOf(bank)
  for (const route of graphRoutes) {
    app.route({
      method: route.method,
      url: prefix + route.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) =>
        handle(route, graph, bank, request, reply).catch((error: unknown) =>
          sendProblem(bank, request, reply, error),
        ),
    })
  }
  serveDocs(app, bank, graphRoutes)
  serveProblems(app, bank)
  serveFrontPage(app, bank, prefix, people)
}

/** Handles a request. The order of the checks is documented and the same for all operations. */
async function handle(
  route: CompiledRoute,
  graph: Graph,
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(bank, request)
  const { rootField: operation } = route
  const sentKey = request.headers['idempotency-key'] as string | undefined
  noteRequest(request, { caller, operation, idempotencyKey: sentKey, document: null })
  withRefusalAudit(bank, request, caller, () => requireScope(caller, route.scope))
  const hasBody = route.method === 'POST' && bytesOf(request).length > 0
  const isEventStream = requireMedia(hasBody, request.headers, route.frames !== null)
  const key = route.idempotencyKey === 'none' ? undefined : keyOf(route, request)
  if (route.isRequestIdDocumented) requireRequestId(request)
  const body = bodyOf(route, request)
  const variables = variablesOf(route, request, body)
  const isMutation = route.method === 'POST'
  const source = isMutation ? bank : bankOfQuery(bank, caller, request)
  const context = contextOf(source, request, caller, key)
  const isStrict = isStrictlySent(request.headers['sandbox-strict'])
  const run = async (streamVariables: object) => {
    const input = { ...variables, ...streamVariables }
    const runGraph = () => graph.run(route.graphql, input, context)
    const { data, errors } = await (isMutation
      ? withProvisioning(bank, context, isStrict, runGraph)
      : runQuery(graph, bank, route.graphql, input, context))
    if (isMutation) await recordWrite(bank, caller, reply)
    setProvisionedHeader(reply, context)
    if (context.outcome.isReplayed) reply.header('idempotent-replayed', 'true')
    if (errors) throw withParameters(route, problemOfFormatted(errors[0]!))
    const result = data?.[route.rootKey]
    if (result === null || result === undefined)
      throw new Error(`${route.path} returned no result.`)
    return route.shape(result)
  }
  if (isEventStream) {
    const path = request.params as Record<string, string>
    const runInStream = async (streamId: string) => recordOf(await run({ streamId }), body)
    return sendEventStream({ route, graph, bank, request, reply, context, path, run: runInStream })
  }
  const response = await run({})
  return send(route, request, reply, response, body)
}

function setProvisionedHeader(reply: FastifyReply, { outcome: { provisioned } }: Context): void {
  if (provisioned.length > 0) reply.header('sandbox-provisioned', provisioned.join(', '))
}

function send(
  route: CompiledRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  response: unknown,
  body: unknown,
): FastifyReply {
  reply.code(route.status).type('application/json; charset=utf-8')
  if (route.answer !== 'record')
    return reply.send(JSON.stringify(listOf(route, request, reply, response)))
  const record = recordOf(response, body)
  return reply.send(record)
}

function recordOf(response: unknown, body: unknown): string {
  echoSpelling(response, body)
  return JSON.stringify(response)
}

interface ShapedPage {
  nodes: unknown[]
  pageInfo: { hasNextPage: boolean; endCursor?: string; pageSize: number }
}

function listOf(
  route: CompiledRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  response: unknown,
) {
  const { nodes, pageInfo } = response as ShapedPage
  const { hasNextPage, endCursor, pageSize } = pageInfo
  if (route.answer === 'page') {
    const pagination = { pageSize, ...(hasNextPage && { nextPageToken: endCursor }) }
    return { items: nodes, pagination }
  }
  if (hasNextPage) {
    const [path, search] = request.url.split('?')
    const query = new URLSearchParams(search)
    query.set('pageToken', endCursor!)
    reply.header('link', `<${path}?${query.toString()}>; rel="next"`)
  }
  return nodes
}

function keyOf(route: CompiledRoute, request: FastifyRequest): string | undefined {
  const key = idempotencyKeyOf(request)
  if (key !== undefined || route.idempotencyKey !== 'required') return key
  const detail = 'Send a new key of 1 to 80 visible ASCII characters with each new request.'
  throw new Problem('IDEMPOTENCY_KEY_MISSING', {
    errors: [{ header: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_MISSING', detail }],
  })
}

function bodyOf(route: CompiledRoute, request: FastifyRequest): Record<string, unknown> {
  if (route.method === 'GET') return {}
  const bytes = bytesOf(request)
  const isOptional = !route.bodyMembers.schema['required']
  if (bytes.length === 0 && isOptional) return {}
  const value = parseStrictJson(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  const detail = 'The body must be one JSON object.'
  throw new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer: '', code: 'TYPE', detail }],
  })
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0)
}

/**
 * Returns the variables from path, query and body. Throws a problem that lists the validation
 * errors with their parameters or pointers.
 */
function variablesOf(
  route: CompiledRoute,
  request: FastifyRequest,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const path = request.params as Record<string, string>
  const query = queryOf(route, request)
  requireStorable(query)
  const asParameter = (pointer: string) => ({ parameter: pointer.slice(1) })
  const faults = [
    ...check(route.pathMembers, path, asParameter),
    ...check(route.queryMembers, query, asParameter),
    ...check(route.bodyMembers, body, (pointer) => ({ pointer })),
  ]
  if (faults.length > 0) throw invalidRequest(faults)
  const variables: Record<string, unknown> = { ...route.defaults, ...path, ...query, ...body }
  for (const [name, convert] of route.converters) {
    if (name in variables) variables[name] = convert(variables[name])
  }
  return variables
}

function check(
  { validator }: CompiledRoute['bodyMembers'],
  value: unknown,
  locate: Parameters<typeof validationErrorsOf>[1],
) {
  const isValid = validator()
  return isValid(value) ? [] : validationErrorsOf(isValid.errors ?? [], locate)
}

/** Checks that query parameters can be stored, and names the parameter in the errors. */
function requireStorable(query: Record<string, unknown>): void {
  for (const [parameter, value] of Object.entries(query)) {
    try {
      requireStorableJson(value)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const errors = error.members.errors?.map(({ code, detail }) => ({ parameter, code, detail }))
      throw new Problem(error.code, { ...error.members, errors }, { cause: error })
    }
  }
}

/** Returns the query parameters, which arrive as text. Integers are converted to numbers. */
function queryOf(route: CompiledRoute, request: FastifyRequest): Record<string, unknown> {
  const query = { ...(request.query as Record<string, unknown>) }
  const types = route.queryMembers.schema['properties'] as Record<string, { type?: string }>
  for (const [name, text] of Object.entries(query)) {
    const isInteger = typeof text === 'string' && /^-?(0|[1-9]\d{0,9})$/.test(text)
    if (types[name]?.type === 'integer' && isInteger) query[name] = Number(text)
  }
  return query
}

function invalidRequest(errors: ReturnType<typeof validationErrorsOf>): Problem {
  const isPageSizeOnly = errors.every(({ parameter }) => parameter === 'pageSize')
  if (isPageSizeOnly) return new Problem('PAGE_SIZE_INVALID', { errors })
  const hasOnlyUnknownProperties = errors.every(({ code }) => code === 'UNKNOWN_PROPERTY')
  const code = hasOnlyUnknownProperties ? 'UNKNOWN_PROPERTY' : 'VALIDATION_FAILED'
  return new Problem(code, { errors })
}
