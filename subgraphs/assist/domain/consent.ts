import { Problem } from '../../_kernel/domain/problem.ts'

/**
 * Whether an assistant of a type needs the consent of whom it is about: never, when a model outside
 * the bank would get the data, or always.
 */
export const consentNeeds = ['never', 'outside-model', 'always'] as const
export type ConsentNeed = (typeof consentNeeds)[number]

export const consentStatuses = ['granted', 'withdrawn'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/** What a party said last about assistants of a type, and about who gets its data. */
export interface Consent {
  consentId: string
  partyId: string
  assistantType: string
  /** Who the model is of when it was given: another one needs another consent. */
  provider: string
  status: ConsentStatus
  evidence: string | null
  decidedBy: string
  decidedAt: Date
  version: number
}

/** Who answers in a session. */
export interface Answerer {
  name: string
  isOutside: boolean
}

export function isConsentNeeded(need: ConsentNeed, { isOutside }: Answerer): boolean {
  return need === 'always' || (need === 'outside-model' && isOutside)
}

/** Whether the party agreed, and to this provider. */
export function isConsentGiven(consent: Consent | null, { name }: Answerer): boolean {
  return consent?.status === 'granted' && consent.provider === name
}

/** The refusal of a session about a party that has not agreed. */
export function consentRequired(assistantType: string, partyId: string, { name }: Answerer) {
  const detail = `The party has to agree first that ${assistantType} gives its data to ${name}.`
  return new Problem('CONSENT_REQUIRED', { detail, resourceId: partyId })
}
