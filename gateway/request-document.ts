import type { FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { callerOf } from './envelope.ts'
import type { GraphRequest } from './graph-request.ts'
import type { Graph } from './graph.ts'
import { persistedQueryNotFound } from './persisted-queries.ts'
import { persistedQueryNotInList, type PersistedQueryList } from './persisted-query-list.ts'
import { recordRejection } from './refusals.ts'

/** The documents that a client need not send in full. */
interface KnownDocuments {
  graph: Graph
  /** The registered operations, which are the only ones that are accepted; null if all are. */
  list: PersistedQueryList | null
}

/**
 * Returns the document of a request, which may name it by its hash. Throws
 * PERSISTED_QUERY_NOT_IN_LIST for an operation that is not registered where only registered ones are
 * accepted, and otherwise PERSISTED_QUERY_NOT_FOUND for an unknown hash.
 */
export function documentOf({ graph, list }: KnownDocuments, { query, hash }: GraphRequest): string {
  const document = list ? list.find(query, hash) : (query ?? graph.persistedQueries.find(hash!))
  if (document !== undefined) return document
  throw list ? persistedQueryNotInList() : persistedQueryNotFound()
}

/**
 * Returns the document of a request like `documentOf`. Only an authenticated client learns which
 * documents are known; all others get a problem of authentication.
 */
export async function requireDocument(
  server: KnownDocuments & { bank: Bank },
  request: FastifyRequest,
  input: GraphRequest,
): Promise<string> {
  try {
    return documentOf(server, input)
  } catch (error) {
    const caller = await callerOf(server.bank, request)
    if (server.list) recordRejection(server.bank, request, caller, error)
    throw error
  }
}
