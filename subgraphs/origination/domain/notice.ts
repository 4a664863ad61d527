import { addMs, dateOf, minuteMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import type { LoanApplication } from './application.ts'
import type { CreditDecision } from './decision.ts'

/** That an applicant is told of a decision against them, and how far that is. */
export interface DecisionNotice {
  decisionId: string
  /** By when the law wants it done. */
  dueBy: LocalDate
  /** When it is tried; null once the applicant was written to. */
  nextAt: Date | null
  /** Why it was refused the last time. */
  refusal: string | null
  notificationId: string | null
  toldAt: Date | null
}

const restMs = 60 * minuteMs

/** The applicant was written to; what became of the letter is the notification's to say. */
export function noticeSent(
  notice: DecisionNotice,
  notificationId: string,
  now: Date,
): DecisionNotice {
  return { ...notice, notificationId, toldAt: now, nextAt: null, refusal: null }
}

/** It could not be written, mostly because the bank has no wording for it: tried again in an hour. */
export function noticeRefused(notice: DecisionNotice, refusal: string, now: Date): DecisionNotice {
  return { ...notice, refusal, nextAt: addMs(now, restMs) }
}

/** What a letter is made of: the code of its wording, and the values that the wording may use. */
export interface Letter {
  templateCode: string
  personalization: Record<string, string | number>
}

/** As long as a value of a template may be. */
const longestText = 1000

/**
 * The letter about a decision against the applicant: what was asked for and when, what was decided
 * and when, and the principal reasons, the heaviest first (12 CFR 1002.9(a)(2)); of a counter-offer,
 * its terms. Amounts are decimals, dates ISO 8601.
 */
export function letterOf(decision: CreditDecision, application: LoanApplication): Letter {
  const { outcome, reasons, approvedTerms: offered, expiresAt } = decision
  const { amountMinor, currency, submittedAt } = application
  const reasonTexts = reasons.map(({ text }, at) => [`reason${at + 1}`, shortened(text)])
  const isOffer = outcome === 'counter-offer' && offered !== null
  return {
    templateCode: isOffer ? 'tpl_credit_counter_offer' : 'tpl_credit_declined',
    personalization: {
      applicationId: application.applicationId,
      productId: application.productId!,
      requestedAmount: formatAmount(amountMinor!, currency!),
      currency: currency!,
      ...(submittedAt && { submittedOn: dateOf(submittedAt) }),
      decidedOn: dateOf(decision.decidedAt),
      reasonCodes: reasons.map(({ code }) => code).join(','),
      ...(Object.fromEntries(reasonTexts) as Record<string, string>),
      ...(isOffer && {
        offeredAmount: formatAmount(offered.amountMinor, offered.currency),
        offeredRatePct: offered.ratePct,
        ...(offered.termMonths !== null && { offeredTermMonths: offered.termMonths }),
        ...(expiresAt && { offerExpiresOn: dateOf(expiresAt) }),
      }),
    },
  }
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1).toWellFormed()}…` : text
}
