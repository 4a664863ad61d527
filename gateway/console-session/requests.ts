import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/authorization/caller.ts'
import { Problem } from '../../kernel/domain/problem.ts'
import type { Bank } from '../../kernel/environment/bank.ts'
import { rejectToken, useHeldToken } from '../envelope.ts'
import { countAddress } from '../rate-limits.ts'
import { recordRejection } from '../refusals.ts'
import { requireSameOrigin, requireSocketOfOrigin } from './same-origin.ts'
import type { ActiveSession, ConsoleSessions } from './sessions.ts'

/** The path at which the pages of the console use the graph, with their cookie. */
export const consoleGraphPath = '/console/graphql'
/** The header with the name of the session, which pages of other origins cannot send. */
const sessionHeader = 'x-console-session'

/**
 * Replaces the cookie of a request of the console with the access token of its session. From there
 * on, the request is one with a token. Without a session, or with the name of another one, it has no
 * token: in the meantime, somebody else may have logged in in the browser. Throws
 * CROSS_SITE_REQUEST, and what `ConsoleSessions.find` throws.
 */
export async function authenticate(
  bank: Bank,
  sessions: ConsoleSessions,
  request: FastifyRequest,
): Promise<void> {
  delete request.headers.authorization
  requireOwnRequest(bank, request)
  const active = await sessions.find(request.raw)
  if (active && isNamed(active, request.headers[sessionHeader])) {
    useHeldToken(request, sessions.authorizationOf(active.session))
  }
}

/**
 * Throws CROSS_SITE_REQUEST, and records it, unless a page of this server sent a request: it has the
 * header that only such a page can send, and the browser names no other origin.
 */
export function requireOwnRequest(bank: Bank, request: FastifyRequest): void {
  try {
    requireSameOrigin(request.headers, bank.issuer)
    if (typeof request.headers[sessionHeader] !== 'string') {
      throw new Problem('CROSS_SITE_REQUEST', {
        detail: 'Requests of the console need the header X-Console-Session.',
      })
    }
  } catch (error) {
    recordRejection(bank, request, null, error)
    countAddress(bank, request, request.raw)
    throw error
  }
}

/** Throws CROSS_SITE_REQUEST, and records it, unless a page of this server opens the socket. */
export function requireOwnSocket(bank: Bank, request: IncomingMessage): void {
  try {
    requireSocketOfOrigin(request.headers, bank.issuer)
  } catch (error) {
    recordRejection(bank, null, null, error)
    countAddress(bank, null, request)
    throw error
  }
}

/**
 * Returns the caller of a socket of the console, whose `connection_init` names the session. Throws
 * UNAUTHENTICATED, and what `rejectToken` and `ConsoleSessions.find` throw.
 */
export async function socketCaller(
  bank: Bank,
  sessions: ConsoleSessions,
  request: IncomingMessage,
  handle: unknown,
): Promise<Caller> {
  const active = await sessions.find(request)
  if (active && isNamed(active, handle)) return active.caller
  return rejectToken(bank, null, request, new Problem('UNAUTHENTICATED'))
}

const isNamed = ({ session }: ActiveSession, handle: unknown): boolean =>
  handle === session.tokens.handle
