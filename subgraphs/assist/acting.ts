import type { Caller } from '../_kernel/caller.ts'
import { isDelegable, type Scope } from '../_kernel/scopes.ts'
import type { Session } from './domain/session.ts'

/**
 * The caller as whom an assistant acts: with the permissions of the user who opened the session,
 * limited to the party the session is about, and limited to those of the user who sends the
 * message.
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
