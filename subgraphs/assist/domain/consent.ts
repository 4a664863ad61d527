import { Problem } from './problems.ts'

/** When a session needs the consent of the party it is about. */
export const consentNeeds = ['never', 'outside-model', 'always'] as const
export type ConsentNeed = (typeof consentNeeds)[number]

export const consentStatuses = ['granted', 'withdrawn'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/**
 * The latest decision of a party on whether assistants of a type may share its data with the model
 * provider.
 */
export interface Consent {
  consentId: string
  partyId: string
  assistantType: string
  /** The model provider at the time of the decision. Another provider requires a new consent. */
  provider: string
  status: ConsentStatus
  evidence: string | null
  decidedBy: string
  decidedAt: Date
  version: number
}

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
