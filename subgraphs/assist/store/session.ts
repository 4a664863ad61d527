import type { Prisma } from '../../../prisma/client/client.ts'
import { maySee } from '../../_kernel/auth.ts'
import { loader, type Context } from '../../_kernel/context.ts'
import type { Kind } from '../../_kernel/records.ts'
import { tableOf } from '../../_kernel/table.ts'
import { insert, update, type Write } from '../../_kernel/writes.ts'
import { ownersOf, type Session } from '../domain/session.ts'
import type { SessionEvent } from '../events.ts'

const sessionTable = tableOf<Session, Prisma.AssistSessionGetPayload<object>>(
  'assist.session',
  'sessionId',
  ({ db }) => db.assistSession,
  (row) => ({ ...row, status: row.status as Session['status'] }),
)

export const sessionKind: Kind<Session, SessionEvent> = {
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

/** Loads sessions by id; null for those the caller cannot see. */
export const loadSession = loader<string, Session>(async (context, ids) => {
  const found = await Promise.all(ids.map((id) => sessionTable.load(context, id)))
  return found.map((each) => (each && maySee(context.caller, ownersOf(each)) ? each : null))
})

/** The number of sessions that the caller has open. */
export function countOpen(context: Context): Promise<number> {
  const { clientId, subject } = context.caller
  return context.db.assistSession.count({
    where: { clientId, userId: subject, status: { in: ['active', 'awaiting-approval'] } },
  })
}

/**
 * The version of the caller's opening counter, which serializes openings near the limit; 0 if there
 * is none.
 */
export async function findOpener({ db, caller }: Context): Promise<number> {
  const { clientId, subject: userId } = caller
  const key = { clientId, userId }
  const found = await db.assistSessionOpener.findUnique({ where: { clientId_userId: key } })
  return found?.version ?? 0
}

/** Increments the opening counter, so that of two concurrent openings one is decided again. */
export function moveOpener({ caller }: Context, version: number): Write {
  const { clientId, subject: userId } = caller
  if (version === 0) {
    return insert('assist.session_opener', { client_id: clientId, user_id: userId, version: 1 })
  }
  const key = { client_id: clientId, user_id: userId }
  return update('assist.session_opener', key, version, {})
}

/** Open sessions that have expired. */
export function findExpired(context: Context, now: Date, take: number): Promise<Session[]> {
  return sessionTable.findMany(context, {
    where: { status: { in: ['active', 'awaiting-approval'] }, expiresAt: { lte: now } },
    orderBy: { expiresAt: 'asc' },
    take,
  })
}

/** Open sessions, optionally of a type, of a model or about a party. */
export function findOpen(
  context: Context,
  where: { assistantType?: string; modelAlias?: string; subjectPartyId?: string },
  take: number,
): Promise<Session[]> {
  return sessionTable.findMany(context, {
    where: { ...where, status: { in: ['active', 'awaiting-approval'] } },
    take,
  })
}
