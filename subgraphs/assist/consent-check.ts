import type { Context } from '../_kernel/context.ts'
import { readFacts } from '../_kernel/facts.ts'
import { consentRequired, isConsentGiven, isConsentNeeded } from './domain/consent.ts'
import type { Session } from './domain/session.ts'
import { providerOf } from './provider/model.ts'
import { profileOf } from './registry.ts'
import { findConsent } from './store/consent.ts'

type About = Pick<Session, 'assistantType' | 'assistantVersionId' | 'subjectPartyId'>

/** Throws CONSENT_REQUIRED if a session needs the consent of its party and does not have it. */
export async function requireConsent(context: Context, about: About): Promise<void> {
  if (await hasConsent(context, about)) return
  const { assistantType, subjectPartyId } = about
  throw consentRequired(assistantType, subjectPartyId!, providerOf(context.bank))
}

/** Whether the party of a session has consented, or no consent is needed. */
export async function hasConsent(context: Context, about: About): Promise<boolean> {
  const { assistantType, subjectPartyId } = about
  if (subjectPartyId === null || !(await isNeeded(context, about))) return true
  const consent = await findConsent(context, subjectPartyId, assistantType)
  return isConsentGiven(consent, providerOf(context.bank))
}

async function isNeeded(context: Context, about: About): Promise<boolean> {
  const { consent } = await profileOf(context, about)
  return isConsentNeeded(consent, providerOf(context.bank))
}

/** The party that owns the record an argument of a tool refers to. */
const entities: Readonly<Record<string, string>> = {
  customerId: 'customer',
  arrangementId: 'arrangement',
  debtorArrangementId: 'arrangement',
  creditorArrangementId: 'arrangement',
  facilityId: 'facility',
  loanId: 'facility',
  applicationId: 'loan-application',
  caseId: 'case',
}

/**
 * Whether a session may use a tool with the given arguments. A session about a party had that
 * party's consent when it was opened; one without a party needs the consent of each party whose
 * data it reads.
 */
export async function mayUseFor(
  context: Context,
  about: About,
  args: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (about.subjectPartyId !== null || !(await isNeeded(context, about))) return true
  const named = Object.entries(args).filter(([name]) => Object.hasOwn(entities, name))
  const subjects = named.map(([name, id]) => `${entities[name]}/${String(id)}`)
  const facts = await readFacts(context, subjects)
  const parties = facts.map((fact) => fact?.['partyId'] as string | undefined)
  const given = await Promise.all(
    parties.map(async (partyId) =>
      partyId ? hasConsent(context, { ...about, subjectPartyId: partyId }) : false,
    ),
  )
  return given.length > 0 && given.every(Boolean)
}
