import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, contextOf, idempotencyKeyOf } from '../gateway/envelope.ts'
import { problemOfFormatted } from '../gateway/errors.ts'
import type { Graph } from '../gateway/graph.ts'
import { requireRequestId, sendProblem } from '../gateway/http.ts'
import { atDoor } from '../gateway/refusals.ts'
import { isStrictlySent, withProvisioning } from '../gateway/provisioning.ts'
import { parseStrictJson } from '../gateway/strict-json.ts'
import { requireScope } from '../subgraphs/_kernel/auth.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { refuseUnstorable } from '../subgraphs/_kernel/domain/unstorable.ts'
import { compileRoute, type CompiledRoute } from './compiled-route.ts'
import { serveDocs } from './docs.ts'
import { faultsOf, withParameters } from './faults.ts'
import { sendFrames } from './frames.ts'
import { serveFrontPage } from './front-page.ts'
import { requireMedia } from './media.ts'
import { serveProblems } from './problems.ts'
import { routes } from './routes.ts'
import { echoSpelling } from './wire.ts'

export interface FacadeOptions {
  graph: Graph
  bank: Bank
}

/** The path prefix of the documented operations in an environment. */
export function prefixOf(bank: Bank): '' | '/v1' {
  return bank.environment === 'sandbox' ? '/v1' : ''
}

/**
 * Serves the documented operations. There are no handlers: each line of the table fills the
 * variables of its document by name, and the document shapes the answer.
 */
export async function serveFacade(app: FastifyInstance, { graph, bank }: FacadeOptions) {
  const compiled = routes.map((route) => compileRoute(graph, route))
  const prefix = prefixOf(bank)
  for (const route of compiled) {
    app.route({
      method: route.method,
      url: prefix + route.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) =>
        answer(route, graph, bank, request, reply).catch((error: unknown) =>
          sendProblem(bank, request, reply, error),
        ),
    })
  }
  serveDocs(app, bank, compiled)
  serveProblems(app, bank)
  serveFrontPage(app, bank, prefix)
}

/** The order of these lines is the documented order of checks, the same for every operation. */
async function answer(
  route: CompiledRoute,
  graph: Graph,
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(bank, request)
  atDoor(bank, request, caller, () => requireScope(caller, route.scope))
  const hasBody = route.method === 'POST' && bytesOf(request).length > 0
  const isFramed = requireMedia(hasBody, request.headers, route.frames !== null)
  const key = route.idempotencyKey === 'none' ? undefined : keyOf(route, request)
  if (route.isRequestIdDocumented) requireRequestId(request)
  const sent = bodyOf(route, request)
  const variables = variablesOf(route, request, sent)
  const context = contextOf(bank, request, caller, key)
  const isStrict = isStrictlySent(request.headers['sandbox-strict'])
  const run = async (more: object) => {
    const asked = { ...variables, ...more }
    const { data, errors } = await withProvisioning(bank, context, isStrict, route.graphql, () =>
      graph.run(route.graphql, asked, context),
    )
    tellProvisioned(reply, context)
    if (context.outcome.isReplayed) reply.header('idempotent-replayed', 'true')
    if (errors) throw withParameters(route, problemOfFormatted(errors[0]!))
    const result = data?.[route.rootKey]
    if (result === null || result === undefined) throw new Error(`${route.path} answered nothing.`)
    return route.shape(result)
  }
  if (isFramed) {
    const path = request.params as Record<string, string>
    const runFramed = async (streamId: string) => recordOf(await run({ streamId }), sent)
    return sendFrames({ route, graph, bank, request, reply, context, path, run: runFramed })
  }
  const shaped = await run({})
  return send(route, request, reply, shaped, sent)
}

function tellProvisioned(reply: FastifyReply, { outcome: { provisioned } }: Context): void {
  if (provisioned.length > 0) reply.header('sandbox-provisioned', provisioned.join(', '))
}

function send(
  route: CompiledRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  shaped: unknown,
  sent: unknown,
): FastifyReply {
  reply.code(route.status).type('application/json; charset=utf-8')
  if (route.answer !== 'record')
    return reply.send(JSON.stringify(listOf(route, request, reply, shaped)))
  const record = recordOf(shaped, sent)
  return reply.send(record)
}

function recordOf(shaped: unknown, sent: unknown): string {
  echoSpelling(shaped, sent)
  return JSON.stringify(shaped)
}

interface ShapedPage {
  nodes: unknown[]
  pageInfo: { hasNextPage: boolean; endCursor?: string; pageSize: number }
}

function listOf(
  route: CompiledRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  shaped: unknown,
) {
  const { nodes, pageInfo } = shaped as ShapedPage
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
  const detail = 'The body is one JSON object.'
  throw new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer: '', code: 'TYPE', detail }],
  })
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0)
}

/** Path, query and body as the operation's variables. Refuses with every fault there is, each with its place. */
function variablesOf(
  route: CompiledRoute,
  request: FastifyRequest,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const path = request.params as Record<string, string>
  const query = queryOf(route, request)
  requireStorable(query)
  const inParameters = (pointer: string) => ({ parameter: pointer.slice(1) })
  const faults = [
    ...check(route.pathMembers, path, inParameters),
    ...check(route.queryMembers, query, inParameters),
    ...check(route.bodyMembers, body, (pointer) => ({ pointer })),
  ]
  if (faults.length > 0) throw refusal(faults)
  const variables: Record<string, unknown> = { ...route.defaults, ...path, ...query, ...body }
  for (const [name, convert] of route.convert) {
    if (name in variables) variables[name] = convert(variables[name])
  }
  return variables
}

function check(
  { check: isValid }: CompiledRoute['bodyMembers'],
  value: unknown,
  locate: Parameters<typeof faultsOf>[1],
) {
  return isValid(value) ? [] : faultsOf(isValid.errors ?? [], locate)
}

/** Refuses in a query what a body is refused for, with the parameter as its place. */
function requireStorable(query: Record<string, unknown>): void {
  for (const [parameter, value] of Object.entries(query)) {
    try {
      refuseUnstorable(value)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const errors = error.members.errors?.map(({ code, detail }) => ({ parameter, code, detail }))
      throw new Problem(error.code, { ...error.members, errors }, { cause: error })
    }
  }
}

/** Query parameters are text; whole numbers become numbers when they are written as such. */
function queryOf(route: CompiledRoute, request: FastifyRequest): Record<string, unknown> {
  const query = { ...(request.query as Record<string, unknown>) }
  const types = route.queryMembers.schema['properties'] as Record<string, { type?: string }>
  for (const [name, text] of Object.entries(query)) {
    const isWhole = typeof text === 'string' && /^-?(0|[1-9]\d{0,9})$/.test(text)
    if (types[name]?.type === 'integer' && isWhole) query[name] = Number(text)
  }
  return query
}

function refusal(errors: ReturnType<typeof faultsOf>): Problem {
  const only = errors.every(({ parameter }) => parameter === 'pageSize')
  if (only) return new Problem('PAGE_SIZE_INVALID', { errors })
  const isUnknown = errors.every(({ code }) => code === 'UNKNOWN_PROPERTY')
  return new Problem(isUnknown ? 'UNKNOWN_PROPERTY' : 'VALIDATION_FAILED', { errors })
}
