import { Problem } from '../../_kernel/domain/problem.ts'

/** When a session needs the consent of the party it is about. */
export const consentNeeds = ['never', 'outside-model', 'always'] as const
export type ConsentNeed = (typeof consentNeeds)[number]

export const consentStatuses = ['granted', 'withdrawn'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/** A party's latest decision on assistants of a type sharing its data with a provider. */
export interface Consent {
  consentId: string
  partyId: string
  assistantType: string
  /** The model provider when consent was given. Another provider needs another consent. */
  provider: string
  status: ConsentStatus
  evidence: string | null
  decidedBy: string
  decidedAt: Date
  version: number
}

/** The model provider of a session. */
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

/** The problem if a party has not consented. */
export function consentRequired(assistantType: string, partyId: string, { name }: Answerer) {
  const detail =
    `The party has not consented to ${assistantType} sharing its data with ${name}; ` +
    'record its consent first.'
  return new Problem('CONSENT_REQUIRED', { detail, resourceId: partyId })
}
