import type { RetentionClass, CaseType } from '../model/enumerations.ts'

export interface CaseRules {
  /** The time to resolve the case, in calendar days. */
  days: number
  /** How long before its deadline a case is reported as at risk, in calendar days. */
  warnDays: number
  /** Whether the case must be hidden from its party. */
  isConfidential: boolean
  /** Whether customers can open such a case for themselves. */
  isSelfService: boolean
  retentionClass: RetentionClass
}

/**
 * The rules of each case type. Where a law is cited, the rule follows that law; a bank in another
 * jurisdiction must adapt the rule.
 */
export const rulesOf: Readonly<Record<CaseType, CaseRules>> = {
  servicing: rules(5, 1, 'servicing', { isSelfService: true }),
  // Directive (EU) 2015/2366, article 101(2): 15 business days, which are 21 calendar days.
  complaint: rules(21, 5, 'complaint', { isSelfService: true }),
  // Australian National Credit Code, section 72: 21 calendar days.
  hardship: rules(21, 5, 'contract', { isSelfService: true }),
  // 12 CFR 1005.11(c)(1), Regulation E: 10 business days, which are 14 calendar days.
  dispute: rules(14, 3, 'complaint', { isSelfService: true }),
  'credit-review': rules(7, 2, 'contract'),
  'kyc-review': rules(30, 7, 'due-diligence'),
  // No law sets this period. Notes about the pursuit of arrears are not for the borrower.
  collections: rules(30, 7, 'contract', { isConfidential: true }),
  // No law sets this period. It allows time to identify the heirs and the executor.
  estate: rules(90, 30, 'contract'),
  // Directive (EU) 2015/849, article 39: the suspect must not be informed.
  fraud: rules(3, 1, 'due-diligence', { isConfidential: true }),
}

function rules(
  days: number,
  warnDays: number,
  retentionClass: RetentionClass,
  overrides: Partial<CaseRules> = {},
): CaseRules {
  return {
    days,
    warnDays,
    retentionClass,
    isConfidential: false,
    isSelfService: false,
    ...overrides,
  }
}
