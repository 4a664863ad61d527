import type { FastifyRequest } from 'fastify'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { idempotencyKeyOf, requireKey } from './envelope.ts'
import { persistedHashOf, requireHashOf } from './persisted-queries.ts'
import { parseStrictJson } from './strict-json.ts'

/** A request to the graph as it was sent, before anything in it is believed. */
export interface GraphRequest {
  /** Undefined if the document is to be found by its hash. */
  query: string | undefined
  /** The SHA-256 of the document, of a client that uses persisted queries. */
  hash: string | undefined
  operationName: string | null | undefined
  variables: Record<string, unknown>
  idempotencyKey: string | undefined
}

/** The parts of a GraphQL request. Refuses with the problems of its protocol. */
export function readRequest(request: FastifyRequest): GraphRequest {
  if (request.method === 'GET') {
    const { query, operationName, ...json } = request.query as Record<string, string | undefined>
    const variables = jsonOf(json['variables'])
    const extensions = jsonOf(json['extensions'])
    return parts({ query, operationName, variables, extensions }, undefined)
  }
  const type = String(request.headers['content-type'] ?? '')
  if (!/^application\/(json|graphql\+json)\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  const body = parseStrictJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  return parts(body, idempotencyKeyOf(request))
}

function parts(body: unknown, headerKey: string | undefined): GraphRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('A GraphQL request is one JSON object with a query.')
  }
  const { query, operationName, variables, extensions } = body as Record<string, unknown>
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a string.')
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (isAbsent(value)) continue
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw badRequest(`\`${name}\` must be an object.`)
    }
  }
  const hash = persistedHashOf(extensions)
  if (hash === undefined || !isAbsent(query)) requireDocument(query, hash)
  const key = (extensions as { idempotencyKey?: unknown } | null | undefined)?.idempotencyKey
  return {
    query: query as string | undefined,
    hash,
    operationName: operationName as string | null | undefined,
    variables: (variables as Record<string, unknown> | null | undefined) ?? {},
    idempotencyKey: headerKey ?? (key === undefined ? undefined : requireKey(key)),
  }
}

/** A parameter of a GET request that is JSON. Rejects with MALFORMED_JSON. */
function jsonOf(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter !== ''
    ? parseStrictJson(Buffer.from(parameter))
    : parameter
}

function requireDocument(query: unknown, hash: string | undefined): void {
  if (typeof query !== 'string' || query.length === 0)
    throw badRequest('`query` must be a document.')
  if (hash !== undefined) requireHashOf(query, hash)
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function badRequest(detail: string): Problem {
  return new Problem('BAD_REQUEST', { detail })
}
