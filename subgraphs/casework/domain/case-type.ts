import type { RetentionClass } from './retention.ts'

export const caseTypes = [
  'servicing',
  'complaint',
  'hardship',
  'dispute',
  'credit-review',
  'kyc-review',
  'fraud',
  'estate',
] as const
export type CaseType = (typeof caseTypes)[number]

export interface CaseRules {
  /** How long the bank has, in days. */
  days: number
  /** How long before the end somebody is warned, in days. */
  warnDays: number
  /** The party must not know of it. */
  isConfidential: boolean
  /** A customer may open one on their own behalf. */
  isSelfService: boolean
  retentionClass: RetentionClass
}

/** What each type of case demands; days are calendar days, a bank configures its own law's. */
export const rulesOf: Readonly<Record<CaseType, CaseRules>> = {
  servicing: rules(5, 1, 'servicing', { isSelfService: true }),
  // Directive (EU) 2015/2366, article 101(2): 15 business days, which are 21 days.
  complaint: rules(21, 5, 'complaint', { isSelfService: true }),
  // Australian National Credit Code, section 72: 21 days; told five days before.
  hardship: rules(21, 5, 'contract', { isSelfService: true }),
  // 12 CFR 1005.11(c)(1), Regulation E: 10 business days, which are 14 days.
  dispute: rules(14, 3, 'complaint', { isSelfService: true }),
  'credit-review': rules(7, 2, 'contract'),
  'kyc-review': rules(30, 7, 'due-diligence'),
  // Directive (EU) 2015/849, article 39: who is suspected is not told.
  // Heirs and executors need time to be identified; a bank configures its own law's.
  estate: rules(90, 30, 'contract'),
  fraud: rules(3, 1, 'due-diligence', { isConfidential: true }),
}

function rules(
  days: number,
  warnDays: number,
  retentionClass: RetentionClass,
  more: Partial<CaseRules> = {},
): CaseRules {
  return { days, warnDays, retentionClass, isConfidential: false, isSelfService: false, ...more }
}
