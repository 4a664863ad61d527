import { paths } from './metadata.ts'
import { alertOf, escapeHtml, noPasskeysText, page, passkeyForm } from './pages.ts'
import type { Passkey } from './passkeys.ts'

/** Renders the page on which a person manages passkeys. `options` is the JSON for a new one. */
export function passkeysPage(
  username: string,
  passkeys: readonly Passkey[],
  options: string,
  alert: string | null,
): string {
  const items = passkeys.map(itemOf).join('\n')
  const list = items ? `<ul>\n${items}\n</ul>` : '<p>You have no passkey yet.</p>'
  return page(
    'Your passkeys',
    `<p>You are logged in as <strong>${escapeHtml(username)}</strong>.</p>${alertOf(alert)}
${list}
${passkeyForm('create', options, 'Register a passkey', labelField)}`,
  )
}

const labelField = `
<label for="label">Name of the new passkey</label>
<input id="label" name="label" value="Passkey" maxlength="60" required>`

function itemOf({ credentialId, label, createdAt, lastUsedAt }: Passkey): string {
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const use = lastUsedAt ? `last used on ${day(lastUsedAt)}` : 'never used'
  return `<li>${escapeHtml(label)}, registered on ${day(createdAt)}, ${use}
<form method="post"><input type="hidden" name="remove" value="${escapeHtml(credentialId)}">
<button class="plain">Remove</button></form></li>`
}

/** Renders the page after a change of the passkeys. */
export function passkeysChangedPage(text: string): string {
  return page(
    'Your passkeys',
    `<p>${escapeHtml(text)}</p>\n<p><a href="${paths.passkeys}">Your passkeys</a></p>`,
  )
}

/** Renders the page for an address at which passkeys are not possible. */
export function noPasskeysPage(): string {
  return page('Your passkeys', noPasskeysText)
}

/** Renders the page for a person who did not log in. `path` leads back to the page. */
export function notLoggedInPage(path: string): string {
  return page(
    'You are not logged in',
    `<p>This page needs a new log-in.</p>\n<p><a href="${escapeHtml(path)}">Log in</a></p>`,
  )
}
