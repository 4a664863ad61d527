import type { Listener } from './fan-out.ts'
import type { IncomingMessage } from 'node:http'
import { CloseCode } from 'graphql-ws'
import type { Caller } from '../kernel/authorization/caller.ts'
import { Problem } from '../kernel/domain/problem.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { rejectToken } from './envelope.ts'
import { certificateThumbprintOf } from './proofs.ts'

const missingTokenReason =
  'Send {"authorization": "Bearer <token>"} as the payload of connection_init.'
/** The close code of a socket whose caller has reached a limit. */
export const tooManyCode = 4429

/**
 * Returns the code and the reason with which a socket is rejected. Internal errors are logged and
 * not disclosed.
 */
export function closeReasonOf(bank: Bank, error: unknown): [code: number, reason: string] {
  if (!(error instanceof Problem)) {
    bank.log.error({ error }, 'a socket was rejected')
    return [CloseCode.InternalServerError, 'Internal error.']
  }
  if (error.code === 'RATE_LIMITED') return [tooManyCode, error.message.slice(0, 100)]
  if (error.code === 'DPOP_NONCE_REQUIRED') {
    return [CloseCode.Unauthorized, `use_dpop_nonce ${bank.proofs.nonce()}`]
  }
  if (error.code === 'UNAUTHENTICATED') return [CloseCode.Unauthorized, missingTokenReason]
  return [CloseCode.Unauthorized, error.message.slice(0, 100)]
}

/**
 * Returns the caller of a socket. Throws what the token verifier throws, and RATE_LIMITED for an IP
 * address that sends too many invalid tokens.
 */
export async function verifiedCaller(
  bank: Bank,
  request: IncomingMessage,
  { authorization, Authorization, dpop }: Record<string, unknown>,
): Promise<Caller> {
  const header = authorization ?? Authorization
  const proof = typeof dpop === 'string' ? dpop : undefined
  const path = request.url!.split('?', 1)[0]!
  try {
    return await bank.verifier.verify(typeof header === 'string' ? header : undefined, {
      proof,
      method: 'GET',
      path,
      certificateThumbprint: () => certificateThumbprintOf(bank.config, request),
    })
  } catch (error) {
    return rejectToken(bank, null, request, error)
  }
}

/**
 * Returns the reason with which a socket is closed when the server shuts down: the position up to
 * which all its subscriptions have been sent.
 */
export function shutdownReason(listeners: ReadonlySet<Listener> = new Set()): string {
  let position: bigint | null = null
  for (const listener of listeners) {
    const reached = maxOf(listener.place.position, listener.group?.place.position ?? 0n)
    if (position === null || reached < position) position = reached
  }
  const reason = 'The server is shutting down.'
  return position === null ? reason : `${reason} Resume after position ${position}.`
}

const maxOf = (a: bigint, b: bigint) => (a > b ? a : b)
