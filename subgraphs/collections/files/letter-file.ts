import { formatAmount } from '../../../kernel/domain/money.ts'
import { renderPdf, type PdfReport } from '../../../kernel/files/pdf.ts'
import { accountOf, facilityOf } from '../domain/contract.ts'
import { paragraphsOf } from '../../../kernel/domain/letter-text.ts'
import type { CollectionsEpisode, CollectionsStep } from '../model/episode.ts'

/** A letter as it was sent. */
export interface SentLetter {
  subject: string | null
  body: string
  language: string
  recipient: string | null
}

/**
 * Renders a letter as PDF/A. The same letter always has the same bytes, so that it can be stored
 * again after a crash.
 */
export function renderLetter(
  step: CollectionsStep,
  episode: CollectionsEpisode,
  letter: SentLetter,
): Promise<Buffer> {
  return renderPdf(letterReport(step, episode, letter))
}

/** Returns a letter as a report: the figures on which it was decided, and its text. */
export function letterReport(
  step: CollectionsStep,
  { contract }: CollectionsEpisode,
  { subject, body, language, recipient }: SentLetter,
): PdfReport {
  const { channel, currency, arrearsMinor, daysPastDue, pastDueSince, notificationId } = step
  const facilityId = facilityOf(contract)
  return {
    title: subject ?? 'Letter about arrears',
    language,
    facts: [
      ...(recipient === null ? [] : [['Recipient', recipient] as const]),
      facilityId === null ? ['Account', accountOf(contract)!] : ['Facility', facilityId],
      ['Arrears', `${formatAmount(arrearsMinor, currency)} ${currency}`],
      ['Past due since', `${pastDueSince} (${daysPastDue} days)`],
      ['Sent by', channel!.replaceAll('-', ' ')],
      ['Notification', notificationId!],
    ],
    paragraphs: paragraphsOf(body, channel === 'email'),
    sections: [],
    createdAt: step.takenAt!,
  }
}
