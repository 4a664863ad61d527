/**
 * The retention rules for personal data. A bank in another jurisdiction than the cited laws must
 * adapt the periods here.
 */
export interface RetentionRule {
  /**
   * How long the data is stored after the relationship with the party ends, in years; null if this
   * rule never erases it.
   */
  years: number | null
  /** Whether the period starts at the end of the calendar year and not on the day itself. */
  startsAtYearEnd?: true
  /** Whether the data is erased earlier if the person requests it (GDPR article 17). */
  isErasedOnRequest: boolean
  /** The law or the reason behind the rule, in whole sentences. */
  reason: string
}

const rules = {
  'due-diligence': {
    years: 5,
    isErasedOnRequest: false,
    reason:
      'Directive (EU) 2015/849, article 40(1): customer due diligence is stored for five years ' +
      'after the end of the business relationship, and then deleted.',
  },
  contract: {
    years: 10,
    startsAtYearEnd: true,
    isErasedOnRequest: false,
    reason:
      'Commercial and tax law, such as German HGB section 257 and AO section 147: books, ' +
      'contracts and vouchers are stored for ten years after the end of the calendar year.',
  },
  complaint: {
    years: 3,
    isErasedOnRequest: false,
    reason: 'FCA DISP 1.9.1R: records of complaints are stored for three years.',
  },
  claim: {
    years: 3,
    startsAtYearEnd: true,
    isErasedOnRequest: false,
    reason:
      'GDPR article 17(3)(e): evidence for legal claims is stored until they are time-barred, ' +
      'such as under German BGB sections 195 and 199.',
  },
  service: {
    years: 3,
    startsAtYearEnd: true,
    isErasedOnRequest: true,
    reason:
      'No law requires the data. Without a request it is erased when claims from the ' +
      'relationship are time-barred (GDPR article 5(1)(e)).',
  },
  access: {
    years: 1,
    isErasedOnRequest: true,
    reason:
      'No law requires the data. Without a request it is erased one year after the relationship ' +
      'ended, when questions about access no longer arise (GDPR article 5(1)(e)).',
  },
  employment: {
    years: 3,
    startsAtYearEnd: true,
    isErasedOnRequest: false,
    reason:
      'GDPR article 88 and comparable law, such as German BDSG section 26 and BGB sections 195 ' +
      'and 199: data about an employee is stored until claims from the employment are time-barred.',
  },
  journal: {
    years: null,
    isErasedOnRequest: false,
    reason:
      'German HGB section 239(3) and comparable law: the original content of the books must stay ' +
      'ascertainable. The lines of the journal are chained by their digests and are not changed.',
  },
  audit: {
    years: null,
    isErasedOnRequest: false,
    reason:
      'GDPR articles 5(2) and 32: the bank must be able to show who had access. The records are ' +
      'chained by their hashes and are not changed. The username of an employee is the name in these ' +
      'records and in decisions, and is never given to another person.',
  },
  'identity-audit': {
    years: null,
    isErasedOnRequest: false,
    reason:
      'GDPR articles 5(2) and 32: the bank must be able to show who had access. A job erases who it ' +
      'was five years after the action, when no due diligence is stored any more that it could ' +
      'explain (Directive (EU) 2015/849, article 40(1)). The hash chain still proves the rest.',
  },
  scheduled: {
    years: null,
    isErasedOnRequest: false,
    reason: 'A job of the area deletes the data on a schedule of its own.',
  },
} as const satisfies Readonly<Record<string, RetentionRule>>

export type RetentionRuleName = keyof typeof rules

/** How many years a record of the audit of identity names people. */
const identityAuditYears = 5

/** Returns the time before which records of the audit of identity no longer name people. */
export function identityAuditEnd(now: Date): Date {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() - identityAuditYears)
  return end
}

/** The retention rules by name. */
export const retentionRules: Readonly<Record<RetentionRuleName, RetentionRule>> = rules

/**
 * Returns the time before which a relationship must have ended so that a rule erases its data at
 * `now`; null if the rule never erases it.
 */
export function endedBefore(rule: RetentionRule, now: Date): Date | null {
  if (rule.years === null) return null
  if (rule.startsAtYearEnd) return new Date(Date.UTC(now.getUTCFullYear() - rule.years, 0))
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() - rule.years)
  return end
}

/**
 * Returns when a rule erases the data of a party whose relationship ended at `endedAt`; null if the
 * rule never erases it.
 */
export function erasedAt(rule: RetentionRule, endedAt: Date): Date | null {
  if (rule.years === null) return null
  if (rule.startsAtYearEnd) return new Date(Date.UTC(endedAt.getUTCFullYear() + 1 + rule.years, 0))
  const end = new Date(endedAt)
  end.setUTCFullYear(end.getUTCFullYear() + rule.years)
  return end
}
