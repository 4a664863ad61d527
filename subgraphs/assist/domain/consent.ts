import type { Consent } from '../model/consent.ts'
import type { ConsentNeed } from '../model/enumerations.ts'
import { Problem } from './problems.ts'

/** The model provider that answers in a session. */
export interface Answerer {
  name: string
  isOutside: boolean
}

export function isConsentNeeded(need: ConsentNeed, { isOutside }: Answerer): boolean {
  return need === 'always' || (need === 'outside-model' && isOutside)
}

/** Whether the party consented to this provider. */
export function isConsentGiven(consent: Consent | null, { name }: Answerer): boolean {
  return consent?.status === 'granted' && consent.provider === name
}

/** Returns the problem CONSENT_REQUIRED for a party. */
export function consentRequired(assistantType: string, partyId: string, { name }: Answerer) {
  const detail =
    `The party has not consented to ${assistantType} sharing its data with ${name}; ` +
    'record its consent first.'
  return new Problem('CONSENT_REQUIRED', { detail, resourceId: partyId })
}
