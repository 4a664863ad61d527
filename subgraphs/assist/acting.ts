import type { Caller } from '../_kernel/caller.ts'
import { isDelegable, type Scope } from '../_kernel/scopes.ts'
import type { Session } from './domain/session.ts'

/**
 * Whose rights an assistant has: those of the user who opened the session, and where that is about
 * a party, of that party alone. Never more than either.
 */
export function actingFor(session: Session): Caller {
  const { clientId, userId, scopes, subjectPartyId } = session
  const own = subjectPartyId === null ? scopes : scopes.filter(isDelegable)
  return {
    clientId,
    subject: userId,
    scopes: new Set(own as Scope[]),
    partyId: subjectPartyId,
    tokenId: '',
    issuedAt: 0,
    expiresAt: session.expiresAt.getTime(),
  }
}
