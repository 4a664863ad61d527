import type { Context } from '../../../kernel/environment/context.ts'
import { requirePartyUnrestricted } from '../../../kernel/lifecycle/restricted.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { consentRequired, isConsentGiven, isConsentNeeded } from '../domain/consent.ts'
import type { Session } from '../model/assist.ts'
import { providerOf } from '../provider/model.ts'
import { profileOf } from './assistant-version.ts'
import { findConsent } from '../store/consent.ts'

type ConsentSubject = Pick<Session, 'assistantType' | 'assistantVersionId' | 'subjectPartyId'>

/**
 * Checks that an assistant may use the data of the party of a session. Throws PROCESSING_RESTRICTED,
 * and CONSENT_REQUIRED if the session requires the consent of its party and there is none.
 */
export async function requireConsent(context: Context, session: ConsentSubject): Promise<void> {
  const { subjectPartyId: partyId } = session
  if (partyId !== null) await requirePartyUnrestricted(context, partyId)
  if (await hasConsent(context, session)) return
  const { assistantType, subjectPartyId } = session
  throw consentRequired(assistantType, subjectPartyId!, providerOf(context.bank))
}

/** Whether the party of a session has consented or the session requires no consent. */
export async function hasConsent(context: Context, session: ConsentSubject): Promise<boolean> {
  const { assistantType, subjectPartyId } = session
  if (subjectPartyId === null || !(await isConsentRequired(context, session))) return true
  const consent = await findConsent(context, subjectPartyId, assistantType)
  return isConsentGiven(consent, providerOf(context.bank))
}

async function isConsentRequired(context: Context, session: ConsentSubject): Promise<boolean> {
  const { consent } = await profileOf(context, session)
  return isConsentNeeded(consent, providerOf(context.bank))
}

/** The entities to which the arguments of tools refer, for the check of consent. */
const entityOfArgument: Readonly<Record<string, string>> = {
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
 * Whether a session may use a tool with `args`. The consent for a session about one party was
 * checked when the session was opened. If the assistant requires consent, a session about no party
 * requires the consent of each party whose records the arguments refer to; without such a record,
 * the result is false.
 */
export async function mayUseFor(
  context: Context,
  session: ConsentSubject,
  args: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (session.subjectPartyId !== null || !(await isConsentRequired(context, session))) return true
  const idArguments = Object.entries(args).filter(([name]) => Object.hasOwn(entityOfArgument, name))
  const subjects = idArguments.map(([name, id]) => `${entityOfArgument[name]}/${String(id)}`)
  const facts = await readFacts(context, subjects)
  const parties = facts.map((fact) => fact?.['partyId'] as string | undefined)
  const consents = await Promise.all(
    parties.map(async (partyId) =>
      partyId ? hasConsent(context, { ...session, subjectPartyId: partyId }) : false,
    ),
  )
  return consents.length > 0 && consents.every(Boolean)
}
