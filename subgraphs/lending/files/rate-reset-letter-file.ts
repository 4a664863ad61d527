import { paragraphsOf } from '../../../kernel/domain/letter-text.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { PdfTable } from '../../../kernel/files/pdf-table.ts'
import { renderPdf, type PdfReport } from '../../../kernel/files/pdf.ts'
import type { LetterFigures } from '../domain/rate-resets/letter.ts'
import type { RateResetLetter } from '../model/rate-resets/rate-reset-letter.ts'

/** A letter as it was sent. */
export interface SentLetter {
  subject: string | null
  body: string
  language: string
  recipient: string | null
  referenceRateName: string
}

/**
 * Renders a letter about a reset as PDF/A. The same letter always has the same bytes, so that it can
 * be stored again after a crash.
 */
export function renderRateResetLetter(
  letter: RateResetLetter,
  figures: LetterFigures,
  sent: SentLetter,
): Promise<Buffer> {
  return renderPdf(rateResetLetterReport(letter, figures, sent))
}

/**
 * Returns a letter about a reset as a report: the figures, the text that was sent, and all payments
 * after the change. The figures are in the document whatever the template says.
 */
export function rateResetLetterReport(
  { notificationId, acceptedAt }: RateResetLetter,
  { facilityId, currency, reset, frequency, before, after, ...figures }: LetterFigures,
  { subject, body, language, recipient, referenceRateName }: SentLetter,
): PdfReport {
  const money = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`
  const { fixingPct, fixedOn, previousRatePct, ratePct, effectiveFrom } = reset
  return {
    title: subject ?? 'Change of the interest rate',
    language,
    facts: [
      ...(recipient === null ? [] : [['Recipient', recipient] as const]),
      ['Facility', facilityId],
      ['New rate', `${ratePct} % per year, from ${effectiveFrom}`],
      ['Previous rate', `${previousRatePct} % per year`],
      ['Reference rate', `${referenceRateName}, ${fixingPct} % on ${fixedOn}`],
      ['Next payment', `${money(after.first.paymentMinor)} on ${after.first.dueDate}`],
      ['Next payment at the previous rate', money(before.first.paymentMinor)],
      ['Payments left', `${after.count}, ${frequency}, until ${after.last.dueDate}`],
      ['Payments left at the previous rate', `${before.count}, until ${before.last.dueDate}`],
      ['Additional interest over the remaining term', money(figures.additionalInterestMinor)],
      ['Notification', notificationId!],
    ],
    paragraphs: paragraphsOf(body, false),
    sections: [
      { heading: 'Payments after the change', table: paymentTable(after.groups, currency) },
    ],
    createdAt: acceptedAt!,
  }
}

function paymentTable(groups: LetterFigures['after']['groups'], currency: string): PdfTable {
  return {
    columns: [
      { title: 'Payments', share: 0.2, isNumber: true },
      { title: 'First due date', share: 0.25 },
      { title: 'Last due date', share: 0.25 },
      { title: `Amount of each in ${currency}`, share: 0.3, isNumber: true },
    ],
    rows: groups.map(({ count, firstDueDate, lastDueDate, amountMinor }) => [
      String(count),
      firstDueDate,
      lastDueDate,
      formatAmount(amountMinor, currency),
    ]),
  }
}
