import { approvalLines } from '../kernel/domain/approval.ts'
import { paths } from './metadata.ts'
import { alertOf, escapeHtml, page, passkeyForm } from './pages.ts'

/**
 * Renders the page on which a customer approves an operation. It shows exactly the data that the
 * passkey signs. `options` is the JSON for the browser; null if the person has no passkey.
 */
export function approvalPage(
  action: string,
  text: string,
  options: string | null,
  alert: string | null,
): string {
  const lines = approvalLines(text).map(
    ([label, value]) => `<dt>${escapeHtml(label)}</dt>\n<dd>${escapeHtml(value)}</dd>`,
  )
  const form = options
    ? passkeyForm('get', options, 'Approve with a passkey')
    : `<p><a href="${paths.passkeys}">Register a passkey</a> to approve this.</p>`
  return page(
    `Approve: ${escapeHtml(action)}`,
    `<p>Approve only what you want to do yourself. The bank never asks you to approve a payment
for its own purposes.</p>${alertOf(alert)}
<dl>
${lines.join('\n')}
</dl>
${form}
<p>If this is wrong, close the page. Nothing happens then.</p>`,
  )
}

/** Renders the page after an approval. */
export function approvedPage(): string {
  return page('Approved', '<p>Go back to the app, which completes the operation now.</p>')
}

/** Renders the page for an approval that does not exist, is used or expired, or is not for the person. */
export function noApprovalPage(): string {
  return page(
    'There is nothing to approve',
    '<p>The approval has expired, was already given, or is for somebody else.</p>',
  )
}
