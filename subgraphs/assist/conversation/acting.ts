import type { Caller } from '../../../kernel/authorization/caller.ts'
import { employeeSubject } from '../../../kernel/authorization/principals.ts'
import { isDelegable, type Scope } from '../../../kernel/domain/scopes.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { Problem } from '../domain/problems.ts'
import type { Session, TokenIds } from '../model/assist.ts'
import type { ToolCall } from '../model/tool-call.ts'

/**
 * Returns the caller for the tool calls of a session: the user who opened the session, with those
 * scopes of the session that the speaker, the sender of the message, also has. If the session is
 * about a party, the caller acts for this party and has only scopes that can be delegated.
 */
export function actingFor(session: Session, speaker: Pick<Caller, 'scopes'>): Caller {
  const { clientId, userId, subjectPartyId } = session
  const scopes = session.scopes.filter((scope) => speaker.scopes.has(scope))
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

/** Returns what identifies the token of a caller, besides the client and the subject. */
export const tokenIdsOf = ({ tokenId, grantId, sessionId, issuedAt }: Caller): TokenIds => ({
  tokenId,
  grantId,
  sessionId,
  issuedAt,
})

/**
 * Returns the caller for a tool call that waited for an approval, with the rights that are left of
 * those with which it was requested: the current roles of employees limit the scopes. Throws
 * REQUESTER_RIGHTS_REVOKED if the token with which the message was sent, or the session was opened,
 * was revoked meanwhile.
 */
export async function currentlyActingFor(
  context: Context,
  session: Session,
  call: ToolCall,
): Promise<Caller> {
  const { clientId, userId } = session
  const { requesterToken, requestedBy } = call
  // A former release recorded no token. Its scopes are unknown, so that none are assumed.
  if (requesterToken === null || requestedBy === null) return actingFor(session, noScopes)
  const isOpener = requesterToken.clientId === clientId && requestedBy === userId
  const holders = [{ ...requesterToken, subject: requestedBy }]
  // For the user who opened the session, the later token counts, such as after another log-in.
  if (!isOpener && session.openerToken) {
    holders.push({ ...session.openerToken, scopes: [], clientId, subject: userId })
  }
  if (holders.some((holder) => context.bank.revocations.isRevoked(holder))) {
    const detail = 'A token of a user who requested the tool call was revoked. Request it again.'
    throw new Problem('REQUESTER_RIGHTS_REVOKED', { resourceId: call.toolCallId, detail })
  }
  const employees = await readFacts(context, [requestedBy, userId].map(employeeSubject))
  const scopes = requesterToken.scopes.filter((scope) =>
    employees.every((each) => !each || (each['scopes'] as readonly string[]).includes(scope)),
  )
  return actingFor(session, { scopes: new Set(scopes) })
}

const noScopes = { scopes: new Set<string>() }
