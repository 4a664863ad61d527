import { problemBody } from '../gateway/problem-body.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { contractVersions } from '../kernel/domain/contract-versions.ts'
import { scopes } from '../kernel/domain/scopes.ts'
import { catalog, Problem, problemCodes, type ProblemCode } from '../kernel/domain/problem.ts'
import type { ProblemMembers } from '../kernel/domain/problem-members.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { examplesAt } from './examples-at.ts'
import type { Examples } from './examples.ts'
import type { JsonSchema } from './json-schema.ts'
import { NamedSchemas } from './named-schemas.ts'
import { operationOf } from './wire.ts'

/** What the document says of the environment that serves it. */
export type ContractHost = Pick<Bank, 'environment' | 'issuer' | 'config' | 'now'>

/** The tag groups of the specification, in its order. */
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

/**
 * Renders the OpenAPI document of the served operations from the compiled routes. The document
 * also contains what the specification leaves open.
 */
export function openapi(bank: ContractHost, routes: readonly CompiledRoute[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  const examples = examplesAt(bank.now())
  const namedSchemas = new NamedSchemas()
  for (const route of routes) {
    const path = (paths[route.path] ??= {})
    const operationExamples = examples[operationIdOf(route)]
    path[route.method.toLowerCase()] = operationObject(bank, route, namedSchemas, operationExamples)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Core Banking and Lending Platform API',
      version: contractVersions.rest,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'All payloads are JSON. Timestamps are ISO 8601 in UTC; dates are YYYY-MM-DD. A member ' +
        'without a value is omitted, never null. Errors are [problems](/problems) (RFC 9457). Functions ' +
        'that have no REST operation are available in the [graph](/graphiql).',
    },
    servers: servers(bank),
    security: [{ bearerAuth: [] }],
    tags: tagGroups.flat().map((name) => ({ name })),
    'x-tagGroups': tagGroups.map((tags) => ({ name: tags.join(', '), tags })),
    paths,
    components: {
      securitySchemes: securitySchemes(bank, routes),
      schemas: { ...namedSchemas.schemas, Problem: problemSchema() },
    },
  }
}

function servers(bank: ContractHost): JsonSchema[] {
  const { host, port, sandboxPort } = bank.config
  const live = { url: `http://${host}:${port}`, description: 'Live.' }
  const sandbox = {
    url: `http://${host}:${sandboxPort}/v1`,
    description: 'Sandbox, for experiments.',
  }
  if (bank.environment === 'sandbox') return [{ ...sandbox, url: `${bank.issuer}/v1` }]
  return sandboxPort === null ? [live] : [live, sandbox]
}

function operationIdOf(route: CompiledRoute): string {
  const name = operationOf(route.operation).name!.value
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function operationObject(
  bank: ContractHost,
  route: CompiledRoute,
  namedSchemas: NamedSchemas,
  operationExamples?: Examples,
): JsonSchema {
  const { bodyMembers } = route
  const hasBody = route.method === 'POST'
  return {
    operationId: operationIdOf(route),
    summary: route.description,
    description: `Requires the scope \`${route.scope}\`.`,
    tags: [route.tag],
    security: [{ bearerAuth: [] }, { oauth2: [route.scope] }],
    'x-graphql-operation': route.rootField,
    parameters: parametersOf(route, operationExamples?.path),
    ...(hasBody && {
      requestBody: {
        required: bodyMembers.schema['required'] !== undefined,
        content: {
          'application/json': {
            schema: namedSchemas.request(operationIdOf(route), bodyMembers.schema),
            ...(operationExamples && { examples: operationExamples.requests }),
          },
        },
      },
    }),
    responses: responsesOf(bank, route, namedSchemas, operationExamples?.answer),
  }
}

function parametersOf(route: CompiledRoute, path: Examples['path'] = {}): JsonSchema[] {
  const headerSchema = { type: 'string', minLength: 1, maxLength: 80 }
  const parametersIn = (location: string, { names, schema }: CompiledRoute['pathMembers']) =>
    names.map((name) => ({
      name,
      in: location,
      required: location === 'path',
      schema: (schema['properties'] as Record<string, JsonSchema>)[name],
      ...(path[name] && { example: path[name] }),
    }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: route.idempotencyKey === 'required',
    description:
      'Makes retries safe: a retry with the same key and content gets the response to the first request.',
    schema: headerSchema,
  }
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'A correlation ID that the caller generates. It is returned in the response.',
    schema: headerSchema,
  }
  return [
    ...parametersIn('path', route.pathMembers),
    ...parametersIn('query', route.queryMembers),
    ...(route.idempotencyKey === 'none' ? [] : [key]),
    ...(route.isRequestIdDocumented ? [requestId] : []),
  ]
}

function responsesOf(
  bank: ContractHost,
  route: CompiledRoute,
  namedSchemas: NamedSchemas,
  example?: object,
): JsonSchema {
  const errorOf = (description: string, code: ProblemCode, members: ProblemMembers = {}) => ({
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
        'X-Request-Id': header('The correlation ID of the request.'),
        ...(route.idempotencyKey !== 'none' && {
          'Idempotent-Replayed': header('`true` if this is a replayed response.'),
        }),
        ...(route.answer === 'array' && {
          Link: header('A link to the next page, with `rel="next"`.'),
        }),
      },
      content: {
        'application/json': {
          schema: namedSchemas.answer(operationIdOf(route), route),
          ...(example && { example }),
        },
        ...(route.frames && { 'text/event-stream': eventStreamOf(route.frames) }),
      },
    },
    400: errorOf('The request does not have the documented shape.', 'UNKNOWN_PROPERTY', {
      errors: [
        {
          pointer: '/surprise',
          code: 'UNKNOWN_PROPERTY',
          detail: 'This member is not documented.',
        },
      ],
    }),
    401: errorOf('The bearer token is missing, invalid or expired.', 'TOKEN_EXPIRED'),
    403: errorOf('The token lacks the scope, or a second person must act.', 'INSUFFICIENT_SCOPE', {
      detail: `The token lacks the scope ${route.scope}.`,
      scope: route.scope,
    }),
    404: errorOf('The record in the path was not found for this caller.', notFoundOf(route)),
    409: errorOf(
      'The request conflicts with the state of a record or with a concurrent request.',
      'IDEMPOTENCY_IN_PROGRESS',
    ),
    415: errorOf('The body is not application/json in UTF-8.', 'UNSUPPORTED_MEDIA_TYPE'),
    422: errorOf(
      'The request violates a rule, or its body names an unknown record.',
      'IDEMPOTENCY_KEY_REUSED',
    ),
    429: errorOf('Too many requests. `Retry-After` gives the delay in seconds.', 'RATE_LIMITED'),
    503: errorOf(
      'A required component is unavailable. Retry with the same idempotency key.',
      'DEPENDENCY_UNAVAILABLE',
    ),
  }
}

/** Returns the problem code for a path that names no record visible to the caller. */
function notFoundOf({ pathMembers }: CompiledRoute): ProblemCode {
  const codes: Record<string, ProblemCode> = {
    loanId: 'LOAN_NOT_FOUND',
    applicationId: 'APPLICATION_NOT_FOUND',
    facilityId: 'FACILITY_NOT_FOUND',
    sessionId: 'SESSION_NOT_FOUND',
  }
  return codes[pathMembers.names[0] ?? ''] ?? 'ROUTE_NOT_FOUND'
}

/** Describes the server-sent events of an operation and the data of each. */
function eventStreamOf({
  frameSchema,
  lastEventName,
}: NonNullable<CompiledRoute['frames']>): JsonSchema {
  const { kind, ...members } = frameSchema['properties'] as Record<string, JsonSchema>
  const kinds = (kind!['enum'] as string[]).map((each) => `\`${each}\``).join(', ')
  return {
    schema: {
      type: 'string',
      description:
        `Server-sent events, if the request accepts them. The steps are sent as they happen: ${kinds}. Each \`sentence\` ` +
        'has passed the guardrails; `blocked` and `withdrawn` retract all previous sentences. The ' +
        `last event is \`${lastEventName}\`, with the same record as the JSON response, or \`problem\`. An ` +
        'error before the first step is returned as an ordinary problem response. A replayed response, ' +
        'for example after a lost connection, contains only the last event.',
      contentMediaType: 'text/event-stream',
      'x-step': { type: 'object', properties: members },
    },
  }
}

function securitySchemes(bank: ContractHost, routes: readonly CompiledRoute[]): JsonSchema {
  const usedScopes = Object.fromEntries(routes.map(({ scope }) => [scope, scopes[scope]]))
  const tokenUrl = `${bank.issuer}/oauth/token`
  return {
    bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: usedScopes } } },
  }
}

const exampleRequestId = '7b0e9a53-52c1-4b0e-9d5c-0d6c3f8f5a11'

const text = { type: 'string' }

/** Returns the schema of a problem. `x-problem-codes` has the status of each code; new ones may be added. */
const problemSchema = (): JsonSchema => ({
  type: 'object',
  description: 'A problem (RFC 9457). `type` is a URL that returns a description as HTML or JSON.',
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
  'x-problem-codes': Object.fromEntries(problemCodes().map((code) => [code, catalog[code].status])),
})
