import { problemBody } from '../gateway/problem-body.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { scopes } from '../subgraphs/_kernel/scopes.ts'
import { Problem, type ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import type { ProblemMembers } from '../subgraphs/_kernel/domain/problem-members.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { examplesAt } from './examples-at.ts'
import type { Examples } from './examples.ts'
import type { JsonSchema } from './json-schema.ts'
import { NamedSchemas } from './named-schemas.ts'
import { operationOf } from './wire.ts'

/** The specification's tag groups, in its order. */
const tagGroups = [
  ['Parties', 'Customers', 'Agreements', 'Entitlements'],
  ['Products', 'Pricing', 'Campaigns'],
  ['Channels', 'Interactions'],
  ['Accounts', 'Balances'],
  ['Payments', 'Liquidity'],
  ['Lending', 'Collateral'],
  ['Cases', 'Documents'],
  ['Notifications'],
  ['AI Runtime'],
  ['Events'],
  ['Operations'],
]

/** The served contract, rendered from the routes: the documented one, and what it leaves open filled in. */
export function openapi(bank: Bank, routes: readonly CompiledRoute[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  const examples = examplesAt(bank.now())
  const named = new NamedSchemas()
  for (const route of routes) {
    const path = (paths[route.path] ??= {})
    const shown = examples[operationIdOf(route)]
    path[route.method.toLowerCase()] = operationObject(bank, route, named, shown)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Core Banking and Lending Platform API',
      version: '1.0.0',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'All payloads are JSON. Timestamps are ISO 8601 in UTC, dates are YYYY-MM-DD. A member ' +
        'without a value is left out, never null. Errors are [problems](/problems) (RFC 9457). What has no ' +
        'operation here is in the [graph](/graphiql).',
    },
    servers: servers(bank),
    security: [{ bearerAuth: [] }],
    tags: tagGroups.flat().map((name) => ({ name })),
    'x-tagGroups': tagGroups.map((tags) => ({ name: tags.join(', '), tags })),
    paths,
    components: {
      securitySchemes: securitySchemes(bank, routes),
      schemas: { ...named.schemas, Problem: problem },
    },
  }
}

function servers(bank: Bank): JsonSchema[] {
  const { host, port, sandboxPort } = bank.config
  const live = { url: `http://${host}:${port}`, description: 'Live.' }
  const sandbox = { url: `http://${host}:${sandboxPort}/v1`, description: 'Sandbox: for trying.' }
  if (bank.environment === 'sandbox') return [{ ...sandbox, url: `${bank.issuer}/v1` }]
  return sandboxPort === null ? [live] : [live, sandbox]
}

function operationIdOf(route: CompiledRoute): string {
  const name = operationOf(route.operation).name!.value
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function operationObject(
  bank: Bank,
  route: CompiledRoute,
  named: NamedSchemas,
  shown?: Examples,
): JsonSchema {
  const { bodyMembers } = route
  const hasBody = route.method === 'POST'
  return {
    operationId: operationIdOf(route),
    summary: route.description,
    description: `Needs the scope \`${route.scope}\`.`,
    tags: [route.tag],
    security: [{ bearerAuth: [] }, { oauth2: [route.scope] }],
    'x-graphql-operation': route.rootField,
    parameters: parametersOf(route, shown?.path),
    ...(hasBody && {
      requestBody: {
        required: bodyMembers.schema['required'] !== undefined,
        content: {
          'application/json': {
            schema: named.request(operationIdOf(route), bodyMembers.schema),
            ...(shown && { examples: shown.requests }),
          },
        },
      },
    }),
    responses: responsesOf(bank, route, named, shown?.answer),
  }
}

function parametersOf(route: CompiledRoute, path: Examples['path'] = {}): JsonSchema[] {
  const visible = { type: 'string', minLength: 1, maxLength: 80 }
  const place = (where: string, { names, schema }: CompiledRoute['pathMembers']) =>
    names.map((name) => ({
      name,
      in: where,
      required: where === 'path',
      schema: (schema['properties'] as Record<string, JsonSchema>)[name],
      ...(path[name] && { example: path[name] }),
    }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: route.idempotencyKey === 'required',
    description: 'Makes retries safe: the same key and request are answered as the first time.',
    schema: visible,
  }
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Caller-generated correlation id; echoed on the answer.',
    schema: visible,
  }
  return [
    ...place('path', route.pathMembers),
    ...place('query', route.queryMembers),
    ...(route.idempotencyKey === 'none' ? [] : [key]),
    ...(route.isRequestIdDocumented ? [requestId] : []),
  ]
}

function responsesOf(
  bank: Bank,
  route: CompiledRoute,
  named: NamedSchemas,
  example?: object,
): JsonSchema {
  const refused = (description: string, code: ProblemCode, members: ProblemMembers = {}) => ({
    description,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: problemBody(bank, new Problem(code, members), exampleRequestId),
      },
    },
  })
  const header = (description: string) => ({ description, schema: { type: 'string' } })
  return {
    [route.status]: {
      description: route.status === 201 ? 'Created' : 'OK',
      headers: {
        'X-Request-Id': header('The correlation id.'),
        ...(route.idempotencyKey !== 'none' && {
          'Idempotent-Replayed': header('`true` when the answer is of an earlier request.'),
        }),
        ...(route.answer === 'array' && { Link: header('`rel="next"` when there is more.') }),
      },
      content: {
        'application/json': {
          schema: named.answer(operationIdOf(route), route),
          ...(example && { example }),
        },
        ...(route.frames && { 'text/event-stream': framesOf(route.frames) }),
      },
    },
    400: refused('The request does not have the documented shape.', 'UNKNOWN_PROPERTY', {
      errors: [
        {
          pointer: '/surprise',
          code: 'UNKNOWN_PROPERTY',
          detail: 'This member is not documented.',
        },
      ],
    }),
    401: refused('The bearer token is missing, not valid or expired.', 'TOKEN_EXPIRED'),
    403: refused(
      'The token lacks the scope, or another person has to do this.',
      'INSUFFICIENT_SCOPE',
      {
        detail: `The token lacks the scope ${route.scope}.`,
        scope: route.scope,
      },
    ),
    404: refused('The record in the path does not exist for this caller.', notFoundOf(route)),
    409: refused(
      'The state of a record, its uniqueness, or a request under way.',
      'IDEMPOTENCY_IN_PROGRESS',
    ),
    415: refused('The body is not application/json in UTF-8.', 'UNSUPPORTED_MEDIA_TYPE'),
    422: refused(
      'A rule of the business, or a record the body names and nobody has.',
      'IDEMPOTENCY_KEY_REUSED',
    ),
    429: refused('Too many requests; `Retry-After` says when to ask again.', 'RATE_LIMITED'),
    503: refused(
      'A part that is needed is away; repeat with the same key.',
      'DEPENDENCY_UNAVAILABLE',
    ),
  }
}

/** What a path that names no record of the caller's is answered with. */
function notFoundOf({ pathMembers }: CompiledRoute): ProblemCode {
  const codes: Record<string, ProblemCode> = {
    loanId: 'LOAN_NOT_FOUND',
    applicationId: 'APPLICATION_NOT_FOUND',
    facilityId: 'FACILITY_NOT_FOUND',
    sessionId: 'SESSION_NOT_FOUND',
  }
  return codes[pathMembers.names[0] ?? ''] ?? 'ROUTE_NOT_FOUND'
}

/** What server-sent events say: their data by name. */
function framesOf({ frameSchema, last }: NonNullable<CompiledRoute['frames']>): JsonSchema {
  const { kind, ...members } = frameSchema['properties'] as Record<string, JsonSchema>
  const kinds = (kind!['enum'] as string[]).map((each) => `\`${each}\``).join(', ')
  return {
    schema: {
      type: 'string',
      description:
        `Server-sent events, for who accepts them. Steps when they happen: ${kinds}. A \`sentence\` ` +
        'passed the rules; `blocked` and `withdrawn` take back every sentence before them. The ' +
        `last event is \`${last}\`, with the same record as the JSON answer, or \`problem\`. What is ` +
        'refused before the first step is an ordinary problem. A replay has the last event only, and ' +
        'so has who comes back with the same key after the connection broke.',
      contentMediaType: 'text/event-stream',
      'x-step': { type: 'object', properties: members },
    },
  }
}

function securitySchemes(bank: Bank, routes: readonly CompiledRoute[]): JsonSchema {
  const used = Object.fromEntries(routes.map(({ scope }) => [scope, scopes[scope]]))
  const tokenUrl = `${bank.issuer}/oauth/token`
  return {
    bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: used } } },
  }
}

const exampleRequestId = '7b0e9a53-52c1-4b0e-9d5c-0d6c3f8f5a11'

const text = { type: 'string' }
const problem: JsonSchema = {
  type: 'object',
  description: 'RFC 9457. `type` resolves to a page and to JSON.',
  required: ['type', 'title', 'status', 'code', 'requestId', 'retryable'],
  properties: {
    type: { ...text, format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
    code: text,
    requestId: text,
    retryable: { type: 'boolean' },
    resourceId: text,
    currentState: text,
    allowedStates: { type: 'array', items: text },
    scope: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: text,
          parameter: text,
          header: text,
          code: text,
          detail: text,
          resourceId: text,
          allowed: { type: 'array', items: text },
        },
      },
    },
  },
}
