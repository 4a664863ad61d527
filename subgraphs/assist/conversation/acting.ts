import type { Caller } from '../../../kernel/authorization/caller.ts'
import { isDelegable, type Scope } from '../../../kernel/domain/scopes.ts'
import type { Session } from '../model/assist.ts'

/**
 * Returns the caller for the tool calls of a session: the user who opened the session, with the
 * scopes of the session. If `speaker`, the sender of the message, is given, only scopes that the
 * speaker also has are included. If the session is about a party, the caller acts for this party
 * and has only scopes that can be delegated.
 */
export function actingFor(session: Session, speaker?: Caller): Caller {
  const { clientId, userId, subjectPartyId } = session
  const scopes = session.scopes.filter((scope) => speaker?.scopes.has(scope) ?? true)
  const allowedScopes = subjectPartyId === null ? scopes : scopes.filter(isDelegable)
  return {
    clientId,
    subject: userId,
    scopes: new Set(allowedScopes as Scope[]),
    partyId: subjectPartyId,
    grantId: null,
    sessionId: null,
    acr: null,
    authenticatedAt: null,
    keyThumbprint: null,
    certificateThumbprint: null,
    tokenId: '',
    issuedAt: 0,
    expiresAt: session.expiresAt.getTime(),
  }
}
