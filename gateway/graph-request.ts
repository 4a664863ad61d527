import type { FastifyRequest } from 'fastify'
import { Problem } from '../kernel/domain/problem.ts'
import { idempotencyKeyOf, requireKey } from './envelope.ts'
import { persistedHashOf, requireMatchingHash } from './persisted-queries.ts'
import { parseStrictJson } from './strict-json.ts'

/** A GraphQL request before validation. */
export interface GraphRequest {
  /** The text of the document; undefined if the client sent only its hash. */
  query: string | undefined
  /** The SHA-256 of the document; undefined if the client does not use persisted queries. */
  hash: string | undefined
  operationName: string | null | undefined
  variables: Record<string, unknown>
  idempotencyKey: string | undefined
}

/**
 * Reads a GraphQL request from an HTTP request. Throws problems for violations of the GraphQL over
 * HTTP specification.
 */
export function readRequest(request: FastifyRequest): GraphRequest {
  if (request.method === 'GET') {
    const { query, operationName, ...json } = request.query as Record<string, string | undefined>
    const variables = jsonOf(json['variables'])
    const extensions = jsonOf(json['extensions'])
    return requestFrom({ query, operationName, variables, extensions }, undefined)
  }
  const type = String(request.headers['content-type'] ?? '')
  if (!/^application\/(json|graphql\+json)\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  const body = parseStrictJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  return requestFrom(body, idempotencyKeyOf(request))
}

/**
 * Reads the payload of a `subscribe` message. The protocol requires a document, so that a client that
 * sends only a hash sends an empty one. Throws BAD_REQUEST.
 */
export function readSubscription(payload: { query: string }): GraphRequest {
  return requestFrom({ ...payload, query: payload.query || undefined }, undefined)
}

function requestFrom(body: unknown, headerKey: string | undefined): GraphRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The body must be one JSON object with a `query`.')
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

/** Parses a query parameter that contains JSON. Throws MALFORMED_JSON. */
function jsonOf(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter !== ''
    ? parseStrictJson(Buffer.from(parameter))
    : parameter
}

function requireDocument(query: unknown, hash: string | undefined): void {
  if (typeof query !== 'string' || query.length === 0)
    throw badRequest('`query` must be a GraphQL document.')
  if (hash !== undefined) requireMatchingHash(query, hash)
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function badRequest(detail: string): Problem {
  return new Problem('BAD_REQUEST', { detail })
}
