import type { FastifyRequest } from 'fastify'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { idempotencyKeyOf, requireKey } from './envelope.ts'
import { parseStrictJson } from './strict-json.ts'

/** A request to the graph as it was sent, before anything in it is believed. */
export interface GraphRequest {
  query: string
  operationName: string | null | undefined
  variables: Record<string, unknown>
  idempotencyKey: string | undefined
}

/** The parts of a GraphQL request. Refuses with the problems of its protocol. */
export function readRequest(request: FastifyRequest): GraphRequest {
  if (request.method === 'GET') {
    const { query, operationName, variables } = request.query as Record<string, string | undefined>
    const text = variables ? parseStrictJson(Buffer.from(variables)) : {}
    return parts({ query, operationName, variables: text }, undefined)
  }
  const type = String(request.headers['content-type'] ?? '')
  if (!/^application\/(json|graphql\+json)\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  const body = parseStrictJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  request.body = body
  return parts(body, idempotencyKeyOf(request))
}

function parts(body: unknown, headerKey: string | undefined): GraphRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('A GraphQL request is one JSON object with a query.')
  }
  const { query, operationName, variables, extensions } = body as Record<string, unknown>
  if (typeof query !== 'string' || query.length === 0)
    throw badRequest('`query` must be a document.')
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a string.')
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (isAbsent(value)) continue
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw badRequest(`\`${name}\` must be an object.`)
    }
  }
  const key = (extensions as { idempotencyKey?: unknown } | null | undefined)?.idempotencyKey
  return {
    query,
    operationName: operationName as string | null | undefined,
    variables: (variables as Record<string, unknown> | null | undefined) ?? {},
    idempotencyKey: headerKey ?? (key === undefined ? undefined : requireKey(key)),
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function badRequest(detail: string): Problem {
  return new Problem('BAD_REQUEST', { detail })
}
