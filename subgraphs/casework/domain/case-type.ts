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
  /** The time to resolve the case, in calendar days. */
  days: number
  /** How long before the due time the case counts as at risk, in calendar days. */
  warnDays: number
  /** The party must not learn about the case. */
  isConfidential: boolean
  /** Customers can open such a case on their own behalf. */
  isSelfService: boolean
  retentionClass: RetentionClass
}

/**
 * The rules of each case type. The defaults follow the cited laws; a bank configures those of its
 * own jurisdiction.
 */
export const rulesOf: Readonly<Record<CaseType, CaseRules>> = {
  servicing: rules(5, 1, 'servicing', { isSelfService: true }),
  // Directive (EU) 2015/2366, article 101(2): 15 business days, which are 21 days.
  complaint: rules(21, 5, 'complaint', { isSelfService: true }),
  // Australian National Credit Code, section 72: 21 days.
  hardship: rules(21, 5, 'contract', { isSelfService: true }),
  // 12 CFR 1005.11(c)(1), Regulation E: 10 business days, which are 14 days.
  dispute: rules(14, 3, 'complaint', { isSelfService: true }),
  'credit-review': rules(7, 2, 'contract'),
  'kyc-review': rules(30, 7, 'due-diligence'),
  // Identifying heirs and executors takes time; no law sets a common period.
  estate: rules(90, 30, 'contract'),
  // Directive (EU) 2015/849, article 39: the suspect must not be informed.
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
