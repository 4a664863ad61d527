import { addMs, dateOf, minuteMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import type { LoanApplication } from './application.ts'
import type { CreditDecision } from './decision.ts'

/** An adverse action notice and its progress. */
export interface DecisionNotice {
  decisionId: string
  /** The legal due date. */
  dueBy: LocalDate
  /** When the next attempt is due; null once the notice was sent. */
  nextAt: Date | null
  /** Why the latest attempt failed. */
  refusal: string | null
  notificationId: string | null
  toldAt: Date | null
}

const restMs = 60 * minuteMs

/** Records that the notice was sent. Its delivery is tracked by the notification. */
export function noticeSent(
  notice: DecisionNotice,
  notificationId: string,
  now: Date,
): DecisionNotice {
  return { ...notice, notificationId, toldAt: now, nextAt: null, refusal: null }
}

/** Records a failed attempt, usually because of a missing template. It is retried in an hour. */
export function noticeRefused(notice: DecisionNotice, refusal: string, now: Date): DecisionNotice {
  return { ...notice, refusal, nextAt: addMs(now, restMs) }
}

/** The template of a notice and the values for its placeholders. */
export interface Letter {
  templateCode: string
  personalization: Record<string, string | number>
}

/** The maximum length of a template value. */
const longestText = 1000

/**
 * The content of an adverse action notice: the request, the decision, and the principal reasons,
 * the most important first (12 CFR 1002.9(a)(2)); for a counter-offer, also the offered terms.
 * Amounts are decimals, dates ISO 8601.
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
