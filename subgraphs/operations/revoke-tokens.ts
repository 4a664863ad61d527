import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { insertRevocation, revocation, type Revocation } from '../_kernel/revocations.ts'
import { tellRevoked } from './events.ts'

export interface RevocationAsked {
  tokenId?: string | null
  clientId?: string | null
  subject?: string | null
  grantId?: string | null
}

/**
 * Revokes one token, all tokens issued to a client or a subject until now, or all tokens of a
 * grant, including refresh tokens. It takes effect in every process within a second and closes open
 * sockets.
 * Rejects with NOT_FOR_DELEGATED_USERS, and VALIDATION_FAILED unless exactly one is named.
 */
export async function revokeTokens(context: Context, asked: RevocationAsked): Promise<Revocation> {
  const revoked = await command(context, 'revokeTokens', asked, async () => {
    requireBank(context)
    const named = namedBy(asked)
    const result = revocation(named.kind, named.value)
    return {
      result,
      resourceId: `${named.kind}/${named.value}`,
      writes: [insertRevocation(result)],
      events: [tellRevoked(result)],
    }
  })
  await context.bank.revocations.refresh()
  return revoked
}

function namedBy({ tokenId, clientId, subject, grantId }: RevocationAsked) {
  const named = [
    { kind: 'token', value: tokenId } as const,
    { kind: 'client', value: clientId } as const,
    { kind: 'subject', value: subject } as const,
    { kind: 'grant', value: grantId } as const,
  ].filter(({ value }) => value)
  const [only] = named
  if (!only || named.length > 1) {
    const detail = 'Name exactly one token, client, subject or grant.'
    const errors = [{ pointer: '/tokenId', code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return { kind: only.kind, value: only.value! }
}
