import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { beforeTimeAndId } from '../../../kernel/graph/connection.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import { openSessionStatuses, ownersOf } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import type { SessionStatus } from '../model/enumerations.ts'
import type { SessionEvent } from '../events.ts'

const sessionTable = tableOf<Session>('assist.session', 'sessionId', ({ db }) => db.assistSession)

export const sessionKind: RecordKind<Session, SessionEvent> = {
  ...sessionTable,
  entity: 'assist-session',
  id: 'assistSession',
  notFound: 'SESSION_NOT_FOUND',
  created: 'ai.session.created',
  ownersOf: (session) => ownersOf(session).filter((each) => each !== null),
  snapshot: ({ sessionId, assistantType, status, messageCount, endReason }) => ({
    sessionId,
    assistantType,
    status,
    messages: messageCount,
    endReason,
  }),
  isPublished: false,
}

/** Loads sessions by ID. Sessions that the caller may not see are null. */
export const loadSession = loader<string, Session>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => sessionTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** Returns the number of open sessions of the caller. */
export function countOpen(context: Context): Promise<number> {
  const { clientId, subject } = context.caller
  return context.db.assistSession.count({
    where: { clientId, userId: subject, status: { in: openSessionStatuses } },
  })
}

/**
 * Returns the version of the row that is the optimistic lock for the sessions that the caller opens
 * near the limit; 0 if there is no row.
 */
export async function findOpenerVersion({ db, caller }: Context): Promise<number> {
  const { clientId, subject: userId } = caller
  const key = { clientId, userId }
  const found = await db.assistSessionOpener.findUnique({ where: { clientId_userId: key } })
  return found?.version ?? 0
}

/**
 * Returns the write that increments the version of the row from `findOpenerVersion`. If two sessions
 * are opened concurrently, one of the two commits conflicts and is retried.
 */
export function updateOpener({ caller }: Context, version: number): Write {
  const { clientId, subject: userId } = caller
  if (version === 0) {
    return insert('assist.session_opener', { client_id: clientId, user_id: userId, version: 1 })
  }
  const key = { client_id: clientId, user_id: userId }
  return update('assist.session_opener', key, version, {})
}

/** Returns the sessions that the caller opened, the latest first. */
export function listOwnSessions(
  context: Context,
  status: SessionStatus | null,
  after: string[] | null,
  take: number,
): Promise<Session[]> {
  const { subject, partyId } = context.caller
  return sessionTable.findMany(context, {
    where: {
      userId: subject,
      actingPartyId: partyId,
      ...(status !== null && { status }),
      ...beforeTimeAndId('createdAt', 'sessionId', after),
    },
    orderBy: [{ createdAt: 'desc' }, { sessionId: 'desc' }],
    take,
  })
}

/** Returns open sessions whose expiry time has passed. */
export function findExpired(context: Context, now: Date, take: number): Promise<Session[]> {
  return sessionTable.findMany(context, {
    where: { status: { in: openSessionStatuses }, expiresAt: { lte: now } },
    orderBy: { expiresAt: 'asc' },
    take,
  })
}

/** Returns open sessions, optionally of a type, of a model or about a party. */
export function findOpen(
  context: Context,
  where: { assistantType?: string; modelAlias?: string; subjectPartyId?: string },
  take: number,
): Promise<Session[]> {
  return sessionTable.findMany(context, {
    where: { ...where, status: { in: openSessionStatuses } },
    take,
  })
}
