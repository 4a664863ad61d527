import type { LoanApplication } from '../model/application.ts'
import type { CreditDecision, DecisionNotice } from '../model/decision.ts'
import { addMs, dateOf, minuteMs } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { shortened } from '../../../kernel/domain/text-length.ts'

const retryDelayMs = 60 * minuteMs

/** Records that the notice was sent. The notification, not the notice, tracks the delivery. */
export function sentNotice(
  notice: DecisionNotice,
  notificationId: string,
  now: Date,
): DecisionNotice {
  return { ...notice, notificationId, notifiedAt: now, nextAt: null, refusal: null }
}

/**
 * Records a failed attempt, for example because a template is missing. The next attempt is in an
 * hour.
 */
export function noticeWithError(
  notice: DecisionNotice,
  refusal: string,
  now: Date,
): DecisionNotice {
  return { ...notice, refusal, nextAt: addMs(now, retryDelayMs) }
}

/** The template of a notice and the values of its variables. */
export interface NoticeContent {
  templateCode: string
  personalization: Record<string, string | number>
}

/** The maximum length of a template variable's value, in characters. */
const maxTextLength = 1000

/**
 * Returns the content of an adverse action notice: the request, the decision and the principal
 * reasons, the most important first (12 CFR 1002.9(a)(2)). For a counter-offer, it includes the
 * offered terms. Amounts are decimals in major units; dates are ISO 8601.
 */
export function noticeContentOf(
  decision: CreditDecision,
  application: LoanApplication,
): NoticeContent {
  const { outcome, reasons, approvedTerms: offeredTerms, expiresAt } = decision
  const { amountMinor, currency, submittedAt } = application
  const reasonEntries = reasons.map(({ text }, index) => [
    `reason${index + 1}`,
    shortened(maxTextLength, text),
  ])
  const isOffer = outcome === 'counter-offer' && offeredTerms !== null
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
      ...(Object.fromEntries(reasonEntries) as Record<string, string>),
      ...(isOffer && {
        offeredAmount: formatAmount(offeredTerms.amountMinor, offeredTerms.currency),
        offeredRatePct: offeredTerms.ratePct,
        ...(offeredTerms.termMonths !== null && { offeredTermMonths: offeredTerms.termMonths }),
        ...(expiresAt && { offerExpiresOn: dateOf(expiresAt) }),
      }),
    },
  }
}
