import { maySee } from '../../../kernel/authorization/auth.ts'
import type { Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import { missingReference, type NotFoundCode } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import { requireConsent } from './consent-check.ts'
import { policyVersion } from '../domain/assistant-type.ts'
import { expiryOf, maxOpen, transitionSession, ownersOf } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import type { SessionEvent } from '../events.ts'
import type { AssistSubjectInput, CreateAssistSessionInput } from '../model/assist-inputs.ts'
import { linesOf, noHash } from '../conversation/transcript.ts'
import { tokenIdsOf } from '../conversation/acting.ts'
import { policyHashOf } from '../conversation/hashes.ts'
import { providerOf } from '../provider/model.ts'
import { currentVersion } from './assistant-version.ts'
import { findDisabledScopes } from '../store/kill-switch.ts'
import { countOpen, findOpenerVersion, updateOpener, sessionKind } from '../store/session.ts'
import { insertLines } from '../store/transcript.ts'

/**
 * Opens a session with an assistant. A session about a party can read only that party's data. A
 * repeated request with the same ID and content returns the existing session.
 * Throws INVALID_INITIAL_STATUS, ASSISTANT_DISABLED, ASSISTANT_NOT_PERMITTED,
 * SESSION_LIMIT_REACHED, CONSENT_REQUIRED, PROCESSING_RESTRICTED, RESOURCE_EXISTS, VALIDATION_FAILED, and the not-found
 * code of the subject, such as CASE_NOT_FOUND.
 */
export function createSession(
  context: Context,
  request: CreateAssistSessionInput,
): Promise<Session> {
  const { caller, bank } = context
  const operation = 'createAssistSession'
  return createRecord(
    context,
    sessionKind,
    operation,
    request,
    request.sessionId,
    async (stamp) => {
      const status = initialState(request.status, ['active'] as const, 'active')
      const { assistantType } = request
      const { id: assistantVersionId, profile } = await currentVersion(context, assistantType)
      if (caller.partyId !== null && !profile.isForCustomers) {
        const detail = `The assistant ${assistantType} is only for bank employees and service clients.`
        throw new Problem('ASSISTANT_NOT_PERMITTED', { detail })
      }
      const model = providerOf(bank)
      await requireEnabled(context, [`type:${assistantType}`, `model:${model.alias}`])
      const max = caller.partyId === null ? maxOpen.bank : maxOpen.customer
      const capacityWrites = await guardCapacity(context, max)
      const resolvedSubject = await subjectOf(context, request.subject ?? {})
      const subjectPartyId = resolvedSubject?.partyId ?? caller.partyId
      await requireConsent(context, { assistantType, assistantVersionId, subjectPartyId })
      const session: Session = {
        ...versioned(stamp),
        sessionId: stamp.id,
        assistantType,
        assistantVersionId,
        status,
        clientId: caller.clientId,
        userId: caller.subject,
        actingPartyId: caller.partyId,
        scopes: [...caller.scopes],
        openerToken: tokenIdsOf(caller),
        subjectPartyId,
        subject: resolvedSubject?.subject ?? null,
        channel: request.channel ?? null,
        locale: request.locale ?? 'en',
        purpose: request.purpose ?? null,
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
        lastActiveAt: stamp.now,
        expiresAt: expiryOf(stamp.now, stamp.now),
      }
      const { policyHash, modelAlias } = session
      const body = { assistantType, policyVersion, policyHash, modelAlias, by: caller.subject }
      const lines = linesOf(session, [{ kind: 'opened', body }], stamp.now)
      const record = { ...session, transcriptLength: 1, transcriptHash: lines[0]!.hash }
      // The transcript line references the session row that the same statement inserts.
      return { record, writes: [...capacityWrites, insertLines(lines)] }
    },
  )
}

/** Throws ASSISTANT_DISABLED if a kill switch disables one of the scopes. */
async function requireEnabled(context: Context, scopes: readonly string[]): Promise<void> {
  const [disabledScope] = await findDisabledScopes(context, scopes)
  if (!disabledScope) return
  const detail = `A kill switch disables ${disabledScope}.`
  throw new Problem('ASSISTANT_DISABLED', { detail })
}

/**
 * The distance from the session limit at which openings are serialized. It is larger than the
 * number of sessions that one user can open concurrently, so the limit cannot be exceeded.
 */
const limitMargin = 50

/**
 * Checks that the caller has fewer than `max` open sessions. Near the limit, the returned write
 * serializes concurrent openings. Throws SESSION_LIMIT_REACHED.
 */
async function guardCapacity(context: Context, max: number): Promise<Write[]> {
  // The version is read before the count, so that a concurrent opening causes a version conflict.
  const version = await findOpenerVersion(context)
  const openCount = await countOpen(context)
  if (openCount >= max) {
    const detail = `${openCount} sessions are open; the limit is ${max}. Close a session first.`
    throw new Problem('SESSION_LIMIT_REACHED', { detail })
  }
  return openCount + limitMargin < max ? [] : [updateOpener(context, version)]
}

const subjects: readonly [keyof AssistSubjectInput, string, NotFoundCode][] = [
  ['partyId', 'party', 'PARTY_NOT_FOUND'],
  ['customerId', 'customer', 'CUSTOMER_NOT_FOUND'],
  ['caseId', 'case', 'CASE_NOT_FOUND'],
  ['applicationId', 'loan-application', 'APPLICATION_NOT_FOUND'],
  ['facilityId', 'facility', 'FACILITY_NOT_FOUND'],
]

interface SubjectFact {
  partyId?: string | null
  /** The parties that may see a case; empty for a confidential case. Unset for other entities. */
  visibleTo?: readonly string[]
}

/**
 * Returns the subject and its party; null without a subject. Throws VALIDATION_FAILED, and the
 * not-found code of the subject if the caller may not see it.
 */
async function subjectOf(context: Context, request: AssistSubjectInput) {
  const [requestedSubject, ...others] = subjects.filter(([member]) => request[member])
  if (!requestedSubject) return null
  const [member, entity, code] = requestedSubject
  if (others.length > 0) {
    const detail = 'Send only one property of subject.'
    const errors = [{ pointer: `/subject/${others[0]![0]}`, code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const subject = `${entity}/${request[member]}`
  const [fact] = (await readFacts(context, [subject])) as (SubjectFact | null)[]
  const partyId = fact?.partyId ?? null
  if (!fact || !maySee(context.caller, fact.visibleTo ?? [partyId])) {
    throw missingReference(code, request[member]!, `/subject/${member}`)
  }
  return { subject, partyId }
}

/**
 * Ends a session that is visible to the caller, and emits the event. Throws SESSION_NOT_FOUND, and
 * whatever `decide` throws.
 */
export function closeSession(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  sessionId: string,
  event: SessionEvent,
  decide: (before: Session, now: Date) => Session | Promise<Session>,
): Promise<Session> {
  return changeRecord(
    context,
    sessionKind,
    operation,
    input,
    sessionId,
    event,
    async (before, now) => withLastLine(before, await decide(before, now), now),
  )
}

/**
 * Returns the ended session and the write that appends the last line of its transcript. Throws
 * INVALID_STATE_TRANSITION.
 */
export function endSession(
  before: Session,
  to: 'expired' | 'terminated',
  endReason: string,
  now: Date,
) {
  return withLastLine(before, transitionSession(before, to, endReason), now)
}

function withLastLine(before: Session, ended: Session, now: Date) {
  const { status, endReason } = ended
  const lines = linesOf(before, [{ kind: 'ended', body: { status, endReason } }], now)
  return { record: withLines(ended, lines), writes: [insertLines(lines)] }
}

/** Returns the session with the length and hash of its transcript after the new lines. */
export function withLines(session: Session, lines: ReturnType<typeof linesOf>): Session {
  const last = lines.at(-1)
  if (!last) return session
  return { ...session, transcriptLength: last.sequence, transcriptHash: last.hash }
}

/** Returns a session. Throws SESSION_NOT_FOUND if there is none that the caller may see. */
export async function requireSession(context: Context, sessionId: string): Promise<Session> {
  const found = await sessionKind.find(context, sessionId)
  if (found && maySee(context.caller, ownersOf(found))) return found
  throw new Problem('SESSION_NOT_FOUND', { resourceId: sessionId })
}

/** Returns the decision that updates a session and emits `event`. */
export function sessionDecision(
  before: Session,
  updated: Session,
  now: Date,
  event: SessionEvent,
): Decision<Session> {
  const after = { ...updated, version: before.version + 1, updatedAt: now }
  return {
    result: after,
    resourceId: after.sessionId,
    writes: [sessionKind.update(before, after)],
    events: publicationOf(sessionKind, after, event).events,
  }
}
