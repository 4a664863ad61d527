import { maySee } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import type { Consent, ConsentStatus } from './domain/consent.ts'
import type { ConsentEvent } from './events.ts'
import { providerOf } from './provider/model.ts'
import { changed, endSession } from './sessions.ts'
import { findConsent, listConsents, writeConsent } from './store/consent.ts'
import { findOpen } from './store/session.ts'

/**
 * The maximum number of sessions a withdrawal ends at once. Others cannot run a turn without
 * consent.
 */
const mostEnded = 100

export interface ConsentAsked {
  partyId: string
  assistantType: string
  evidence?: string | null
}

/**
 * Records that a party consents to assistants of a type sharing its data with the configured model
 * provider. The bank must state how the consent was given.
 * Throws PARTY_NOT_FOUND (also if the caller cannot act for the party), VALIDATION_FAILED.
 */
export function grantConsent(context: Context, asked: ConsentAsked): Promise<Consent> {
  if (context.caller.partyId === null && !asked.evidence?.trim()) {
    const detail = 'State in evidence how the party gave its consent.'
    const errors = [{ pointer: '/evidence', code: 'REQUIRED', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return decide(context, 'grantAssistConsent', asked, 'granted')
}

/**
 * Records that a party withdraws or refuses consent, and ends the open sessions about it.
 * Throws PARTY_NOT_FOUND.
 */
export function withdrawConsent(context: Context, asked: ConsentAsked): Promise<Consent> {
  return decide(context, 'withdrawAssistConsent', asked, 'withdrawn')
}

function decide(context: Context, operation: string, asked: ConsentAsked, status: ConsentStatus) {
  const { partyId, assistantType, evidence = null } = asked
  return command<Consent>(context, operation, asked, async () => {
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
    const ended = status === 'withdrawn' ? await endedBy(context, after, now) : []
    return {
      result: after,
      resourceId: after.consentId,
      writes: [writeConsent(before, after), ...ended.flatMap(({ writes }) => writes)],
      events: [toldOf(after), ...ended.flatMap(({ events }) => events)],
    }
  })
}

/** Ends the open sessions about the party. */
async function endedBy(context: Context, { partyId, assistantType }: Consent, now: Date) {
  const where = { assistantType, subjectPartyId: partyId }
  const open = await findOpen(context, where, mostEnded)
  return open.map((session) => {
    const { record, writes } = endSession(session, 'terminated', 'consent-withdrawn', now)
    const { writes: own = [], events = [] } = changed(session, record, now, 'ai.session.terminated')
    return { writes: [...own, ...writes], events }
  })
}

function toldOf({ consentId, partyId, assistantType, provider, status, version }: Consent) {
  const type: ConsentEvent = `ai.consent.${status}`
  const data = { consentId, partyId, assistantType, provider, status }
  return { type, subject: `assist-consent/${consentId}`, version, data, parties: [partyId] }
}

/** The consents of a party. Throws PARTY_NOT_FOUND. */
export async function consentsOf(context: Context, partyId: string): Promise<Consent[]> {
  await requireParty(context, partyId)
  return listConsents(context, partyId)
}

async function requireParty(context: Context, partyId: string): Promise<void> {
  const [party] = await readFacts(context, [`party/${partyId}`])
  if (party && maySee(context.caller, [partyId])) return
  throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
}
