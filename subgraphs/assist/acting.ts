import type { Caller } from '../_kernel/caller.ts'
import { isDelegable, type Scope } from '../_kernel/scopes.ts'
import type { Session } from './domain/session.ts'

/**
 * Whose rights an assistant has: those of the user who opened the session, and where that is about
 * a party, of that party alone; while somebody speaks, no more than theirs. Never more than any.
 */
export function actingFor(session: Session, speaker?: Caller): Caller {
  const { clientId, userId, subjectPartyId } = session
  const scopes = session.scopes.filter((scope) => speaker?.scopes.has(scope) ?? true)
  const own = subjectPartyId === null ? scopes : scopes.filter(isDelegable)
  return {
    clientId,
    subject: userId,
    scopes: new Set(own as Scope[]),
    partyId: subjectPartyId,
    grantId: null,
    tokenId: '',
    issuedAt: 0,
    expiresAt: session.expiresAt.getTime(),
  }
}
