import type { AssistConsentInput, Consent } from '../model/consent.ts'
import type { ConsentStatus } from '../model/enumerations.ts'
import { maySee } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { consentEvents } from '../events.ts'
import { providerOf } from '../provider/model.ts'
import { sessionDecision, endSession } from './session.ts'
import { findConsent, listConsents, writeConsent } from '../store/consent.ts'
import { findOpen } from '../store/session.ts'

/**
 * The maximum number of sessions that a withdrawal ends. Any further sessions stay open, but cannot
 * run a turn without consent.
 */
const maxEndedSessions = 100

/**
 * Records that a party allows assistants of one type to share the party's data with the configured
 * model provider. The bank must state how the party gave its consent.
 * Throws PARTY_NOT_FOUND (also if the caller may not see the party), VALIDATION_FAILED.
 */
export function grantConsent(context: Context, request: AssistConsentInput): Promise<Consent> {
  if (context.caller.partyId === null && !request.evidence?.trim()) {
    const detail = 'The evidence is missing. Describe how the party gave its consent.'
    const errors = [{ pointer: '/evidence', code: 'REQUIRED', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return recordDecision(context, 'grantAssistConsent', request, 'granted')
}

/**
 * Records that a party withdraws or refuses consent, and ends up to 100 open sessions of the
 * assistant type about the party.
 * Throws PARTY_NOT_FOUND.
 */
export function withdrawConsent(context: Context, request: AssistConsentInput): Promise<Consent> {
  return recordDecision(context, 'withdrawAssistConsent', request, 'withdrawn')
}

function recordDecision(
  context: Context,
  operation: string,
  request: AssistConsentInput,
  status: ConsentStatus,
) {
  const { partyId, assistantType, evidence = null } = request
  return command<Consent>(context, operation, request, async () => {
    await requireParty(context, partyId)
    const before = await findConsent(context, partyId, assistantType)
    const { name: provider } = providerOf(context.bank)
    if (before?.status === status && (status === 'withdrawn' || before.provider === provider)) {
      return { result: before, resourceId: before.consentId }
    }
    const now = context.now()
    const after: Consent = {
      consentId: before?.consentId ?? context.newId('assistConsent'),
      partyId,
      assistantType,
      provider,
      status,
      evidence,
      decidedBy: context.caller.subject,
      decidedAt: now,
      version: (before?.version ?? 0) + 1,
    }
    const endedSessions = status === 'withdrawn' ? await endSessions(context, after, now) : []
    return {
      result: after,
      resourceId: after.consentId,
      writes: [writeConsent(before, after), ...endedSessions.flatMap(({ writes }) => writes)],
      events: [
        consentEvents.event(`ai.consent.${status}`, after, [partyId]),
        ...endedSessions.flatMap(({ events }) => events),
      ],
    }
  })
}

/** Returns the writes and events that end the open sessions about the party. */
async function endSessions(context: Context, { partyId, assistantType }: Consent, now: Date) {
  const where = { assistantType, subjectPartyId: partyId }
  const openSessions = await findOpen(context, where, maxEndedSessions)
  return openSessions.map((session) => {
    const { record, writes } = endSession(session, 'terminated', 'consent-withdrawn', now)
    const { writes: updates = [], events = [] } = sessionDecision(
      session,
      record,
      now,
      'ai.session.terminated',
    )
    return { writes: [...updates, ...writes], events }
  })
}

/** Returns the consents of a party. Throws PARTY_NOT_FOUND. */
export async function consentsOf(context: Context, partyId: string): Promise<Consent[]> {
  await requireParty(context, partyId)
  return listConsents(context, partyId)
}

async function requireParty(context: Context, partyId: string): Promise<void> {
  const [party] = await readFacts(context, [`party/${partyId}`])
  if (party && maySee(context.caller, [partyId])) return
  throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
}
