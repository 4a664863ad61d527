import { maySee } from '../_kernel/auth.ts'
import type { Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { initialState } from '../_kernel/domain/states.ts'
import { missingReference, Problem, type NotFoundCode } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import type { Write } from '../_kernel/writes.ts'
import { changeRecord, createRecord, publish, versioned } from '../_kernel/records.ts'
import { requireConsent } from './consent-check.ts'
import { policyVersion } from './domain/assistant-type.ts'
import { expiryOf, mostOpen, moveSession, ownersOf, type Session } from './domain/session.ts'
import type { SessionEvent } from './events.ts'
import { linesOf, noHash } from './transcript.ts'
import { policyHashOf } from './hashes.ts'
import { providerOf } from './provider/model.ts'
import { currentVersion } from './registry.ts'
import { findKilled } from './store/kill-switch.ts'
import { countOpen, findOpener, moveOpener, sessionKind } from './store/session.ts'
import { insertLines } from './store/transcript.ts'

/** The record a session is about; at most one member is set. */
export interface SubjectAsked {
  partyId?: string | null
  customerId?: string | null
  caseId?: string | null
  applicationId?: string | null
  facilityId?: string | null
}

export interface SessionAsked {
  sessionId?: string | null
  assistantType: string
  status?: string | null
  subject?: SubjectAsked | null
  channel?: string | null
  locale?: string | null
  purpose?: string | null
}

/**
 * Opens a session with an assistant. A session about a party can read only that party's data.
 * Repeating the request with the same id and content returns the existing session.
 * Throws INVALID_INITIAL_STATUS, ASSISTANT_DISABLED, ASSISTANT_NOT_PERMITTED,
 * SESSION_LIMIT_REACHED, CONSENT_REQUIRED, RESOURCE_EXISTS, and the NOT_FOUND code of the subject.
 */
export function createSession(context: Context, asked: SessionAsked): Promise<Session> {
  const { caller, bank } = context
  const operation = 'createAssistSession'
  return createRecord(context, sessionKind, operation, asked, asked.sessionId, async (made) => {
    const status = initialState(asked.status, ['active'] as const, 'active')
    const { assistantType } = asked
    const { id: assistantVersionId, profile } = await currentVersion(context, assistantType)
    if (caller.partyId !== null && !profile.isForCustomers) {
      const detail = `The assistant ${assistantType} is for bank staff and programs only.`
      throw new Problem('ASSISTANT_NOT_PERMITTED', { detail })
    }
    const model = providerOf(bank)
    const killed = await findKilled(context, [`type:${assistantType}`, `model:${model.alias}`])
    if (killed[0])
      throw new Problem('ASSISTANT_DISABLED', { detail: `A kill switch disables ${killed[0]}.` })
    const most = caller.partyId === null ? mostOpen.bank : mostOpen.customer
    const guard = await guardRoom(context, most)
    const about = await subjectOf(context, asked.subject ?? {})
    const subjectPartyId = about?.partyId ?? caller.partyId
    await requireConsent(context, { assistantType, assistantVersionId, subjectPartyId })
    const session: Session = {
      ...versioned(made),
      sessionId: made.id,
      assistantType,
      assistantVersionId,
      status,
      clientId: caller.clientId,
      userId: caller.subject,
      actingPartyId: caller.partyId,
      scopes: [...caller.scopes],
      subjectPartyId,
      subject: about?.subject ?? null,
      channel: asked.channel ?? null,
      locale: asked.locale ?? 'en',
      purpose: asked.purpose ?? null,
      policyVersion,
      policyHash: policyHashOf(profile),
      modelAlias: model.alias,
      messageCount: 0,
      inputTokens: 0,
      outputTokens: 0,
      costMicros: 0,
      breaches: 0,
      busyUntil: null,
      busyWith: null,
      masks: null,
      transcriptLength: 0,
      transcriptHash: noHash,
      endReason: null,
      lastActiveAt: made.now,
      expiresAt: expiryOf(made.now, made.now),
    }
    const { policyHash, modelAlias } = session
    const body = { assistantType, policyVersion, policyHash, modelAlias, by: caller.subject }
    const lines = linesOf(session, [{ kind: 'opened', body }], made.now)
    const record = { ...session, transcriptLength: 1, transcriptHash: lines[0]!.hash }
    // The transcript line references the session row that the same statement inserts.
    return { record, writes: [...guard, insertLines(lines)] }
  })
}

/**
 * The maximum number of concurrent openings. Further below the limit, openings are not serialized.
 */
const limitMargin = 50

/** Serializes the opening of sessions near the limit. Throws SESSION_LIMIT_REACHED. */
async function guardRoom(context: Context, most: number): Promise<Write[]> {
  // Read before the sessions are counted, so that a concurrent opening causes a version conflict.
  const opener = await findOpener(context)
  const open = await countOpen(context)
  if (open >= most) {
    const detail = `${open} sessions are open; the limit is ${most}. Close one first.`
    throw new Problem('SESSION_LIMIT_REACHED', { detail })
  }
  return open + limitMargin < most ? [] : [moveOpener(context, opener)]
}

const subjects: readonly [keyof SubjectAsked, string, NotFoundCode][] = [
  ['partyId', 'party', 'PARTY_NOT_FOUND'],
  ['customerId', 'customer', 'CUSTOMER_NOT_FOUND'],
  ['caseId', 'case', 'CASE_NOT_FOUND'],
  ['applicationId', 'loan-application', 'APPLICATION_NOT_FOUND'],
  ['facilityId', 'facility', 'FACILITY_NOT_FOUND'],
]

interface SubjectFact {
  partyId?: string | null
  /** For cases: the parties that can see the case, because confidential ones are hidden. */
  visibleTo?: readonly string[]
}

/** The party that a session is about, from its subject. */
async function subjectOf(context: Context, asked: SubjectAsked) {
  const [named, ...more] = subjects.filter(([member]) => asked[member])
  if (!named) return null
  const [member, entity, code] = named
  if (more.length > 0) {
    const detail = 'Send only one member of subject.'
    const errors = [{ pointer: `/subject/${more[0]![0]}`, code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const subject = `${entity}/${asked[member]}`
  const [fact] = (await readFacts(context, [subject])) as (SubjectFact | null)[]
  const partyId = fact?.partyId ?? null
  if (!fact || !maySee(context.caller, fact.visibleTo ?? [partyId])) {
    throw missingReference(code, asked[member]!, `/subject/${member}`)
  }
  return { subject, partyId }
}

/** Closes a session. Throws SESSION_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function closeSession(context: Context, sessionId: string): Promise<Session> {
  const operation = 'closeAssistSession'
  const event = 'ai.session.closed'
  return changeRecord(
    context,
    sessionKind,
    operation,
    { sessionId },
    sessionId,
    event,
    (before, now) => endSession(before, 'closed', 'closed-by-user', now),
  )
}

/** Ends a session and appends the last line of its transcript. */
export function endSession(
  before: Session,
  to: 'closed' | 'expired' | 'terminated',
  endReason: string,
  now: Date,
) {
  const moved = moveSession(before, to, endReason)
  const lines = linesOf(before, [{ kind: 'ended', body: { status: to, endReason } }], now)
  const record = withLines(moved, lines)
  return { record, writes: [insertLines(lines)] }
}

/** Advances the length and hash of a session's transcript. */
export function withLines(session: Session, lines: ReturnType<typeof linesOf>): Session {
  const last = lines.at(-1)
  if (!last) return session
  return { ...session, transcriptLength: last.sequence, transcriptHash: last.hash }
}

/** Returns a session. Throws SESSION_NOT_FOUND if it does not exist or the caller cannot see it. */
export async function requireSession(context: Context, sessionId: string): Promise<Session> {
  const found = await sessionKind.find(context, sessionId)
  if (found && maySee(context.caller, ownersOf(found))) return found
  throw new Problem('SESSION_NOT_FOUND', { resourceId: sessionId })
}

/** The update of a session and its event, as part of a commit. */
export function changed(
  before: Session,
  decided: Session,
  now: Date,
  event: SessionEvent,
): Decision<Session> {
  const after = { ...decided, version: before.version + 1, updatedAt: now }
  return {
    result: after,
    resourceId: after.sessionId,
    writes: [sessionKind.update(before, after)],
    events: publish(sessionKind, after, event).events,
  }
}
