import { createHash } from 'node:crypto'
import { consentTexts, type Scope } from '../kernel/domain/scopes.ts'
import { passkeyScript, passkeyScriptSource } from './page-script.ts'

// All pages share one style, in the colors of the console. They have no fonts or images, and only one
// script, for passkeys.
const style = `
:root { color-scheme: light dark; font: 1rem/1.55 'Inter Variable', system-ui, sans-serif;
  --line: light-dark(#ced4da, #434953); --soft: light-dark(#5a626b, #a3abb3) }
body { margin: 0; display: grid; place-items: center; min-height: 100vh;
  background: light-dark(#f7f8fa, #0f1113); color: light-dark(#16181c, #e6e8eb) }
main { box-sizing: border-box; width: min(30rem, 94vw); margin: 1.5rem 0; padding: 2rem;
  border: 1px solid light-dark(#dee2e6, #2f343c); border-radius: 1rem; background: light-dark(#fff, #1d2025) }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .75rem;
  border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit }
button { font: inherit; font-weight: 600; padding: .6rem 1.2rem; margin: 1.5rem .5rem 0 0;
  border: 1px solid #4338ca; border-radius: .5rem; background: #4338ca; color: #fff; cursor: pointer }
button.plain { background: transparent; color: inherit; border-color: var(--line) }
button[name=person] { margin: 0 .5rem .5rem 0; font-weight: 400 }
:focus-visible { outline: 3px solid #818cf8; outline-offset: 2px }
a { color: light-dark(#4338ca, #a5b4fc) }
.alert { border-left: 4px solid #dc2626; padding: .5rem .75rem; margin: 1rem 0 }
ul { padding-left: 1.2rem }
dt { font-weight: 600; margin-top: .75rem }
dd { margin: 0; font-size: 1.15rem; overflow-wrap: anywhere }
code { font-size: .9em; color: var(--soft) }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Returns the headers of a page. `form-action` includes the origin of the client, because browsers
 * also apply the directive to redirects after a form was sent. `img-src` allows the logo of the client.
 */
export function pageHeaders(redirectUri?: string, logoUri?: string): Record<string, string> {
  const clientOrigin = redirectUri ? ` ${new URL(redirectUri).origin}` : ''
  const images = logoUri ? `img-src ${new URL(logoUri).origin}; ` : ''
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${styleHash}'; script-src ${passkeyScriptSource}; ` +
      `${images}form-action 'self'${clientOrigin}; ` +
      "frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** How a passkey is used on the login page. */
export interface PasskeyChoice {
  /** The options for the browser, as JSON; null if passkeys are not possible on this domain. */
  options: string | null
  /** Whether the person must use a passkey. */
  isRequired: boolean
}

/** Renders the login page. `alert` says why the last attempt failed; null on the first attempt. */
export function loginPage(
  clientName: string,
  username: string,
  alert: string | null,
  { options, isRequired }: PasskeyChoice,
  offeredPeople: readonly OfferedPerson[] = [],
): string {
  const name = escapeHtml(clientName)
  if (isRequired) {
    const form = options ? passkeyForm('get', options, 'Log in with a passkey') : noPasskeysText
    return page(
      'Log in with your passkey',
      `<p>to continue to <strong>${name}</strong></p>${alertOf(alert)}
<p>This step needs your passkey. If you have none yet, <a href="/oauth/passkeys">register one</a>,
then start again in the app.</p>
${form}
<form method="post">
<button class="plain" name="decision" value="deny">Cancel</button>
</form>`,
    )
  }
  const passkey = options ? `\n${passkeyForm('get', options, 'Log in with a passkey')}` : ''
  return page(
    'Log in',
    `<p>to continue to <strong>${name}</strong></p>${alertOf(alert)}
<form method="post" autocomplete="on">
<label for="username">User name</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required${username ? '' : ' autofocus'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required${username ? ' autofocus' : ''}>
<button name="decision" value="allow">Log in</button>
<button class="plain" name="decision" value="deny" formnovalidate>Cancel</button>
</form>${passkey}${offerOf(offeredPeople)}`,
  )
}

/** A person as whom anybody may log in without a password, on the machine of a developer. */
export interface OfferedPerson {
  username: string
  /** Who the person is, such as `Ada, a customer`. */
  label: string
  isEmployee: boolean
}

/** Renders a button for each person of the sandbox. */
function offerOf(people: readonly OfferedPerson[]): string {
  if (people.length === 0) return ''
  const buttons = people.map(
    ({ username, label }) =>
      `<button class="plain" name="person" value="${escapeHtml(username)}">${escapeHtml(label)}</button>`,
  )
  return `\n<form method="post">\n<p>This is the sandbox. Log in as:</p>\n${buttons.join('\n')}\n</form>`
}

export const noPasskeysText =
  '<p class="alert">Passkeys are not possible at this address: they need a domain name and HTTPS.</p>'

/**
 * Renders a form that a passkey completes: `get` uses a passkey, `create` creates one. `options` is
 * the JSON for the browser; `fields` is additional HTML within the form.
 */
export function passkeyForm(
  ceremony: 'get' | 'create',
  options: string,
  button: string,
  fields = '',
): string {
  return `<form method="post" data-passkey="${ceremony}" data-options="${escapeHtml(options)}">
<p class="alert" role="alert" hidden></p>${fields}
<input type="hidden" name="credential">
<button>${escapeHtml(button)}</button>
</form>${passkeyScript}`
}

/** Renders the logo that a client registered. */
function logoOf(logoUri: string | undefined): string {
  if (!logoUri) return ''
  return `<p><img src="${escapeHtml(logoUri)}" alt="" height="64" referrerpolicy="no-referrer"></p>\n`
}

/** Renders the consent page, which describes each requested scope. */
export function consentPage(
  clientName: string,
  username: string,
  requestedScopes: readonly string[],
  logoUri?: string,
) {
  const items = requestedScopes
    .map((scope) => {
      const description = consentTexts[scope as Scope] ?? ''
      return `<li>${escapeHtml(description)} <code>${escapeHtml(scope)}</code></li>`
    })
    .join('\n')
  return page(
    `Let ${escapeHtml(clientName)} act for you?`,
    `${logoOf(logoUri)}<p>You are logged in as <strong>${escapeHtml(username)}</strong>. ${escapeHtml(clientName)} wants to:</p>
<ul>
${items}
</ul>
<p>The app gets access only to your own data, until you revoke it.</p>
<form method="post">
<button name="decision" value="allow" autofocus>Allow</button>
<button class="plain" name="decision" value="deny">Deny</button>
</form>`,
  )
}

/**
 * Renders the logout page. `form` is the form of oidc-provider with its CSRF token. `clientName` is
 * null if no client requested the logout.
 */
export function logoutPage(clientName: string | null, form: string): string {
  const clientNotice = clientName
    ? `<p><strong>${escapeHtml(clientName)}</strong> asks you to log out.</p>`
    : ''
  return page(
    'Log out?',
    `${clientNotice}<p>Apps that act for you in this session lose their access immediately.</p>
${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Log out</button>
<button class="plain" form="op.logoutForm">Stay logged in</button>`,
  )
}

/** Renders the page after a logout for which the client gave no redirect URI. */
export function loggedOutPage(): string {
  return page('You are logged out', '<p>You can close this page.</p>')
}

/** Renders the page on which an employee sets a password with a one-time code. */
export function passwordPage(username: string, alert: string | null): string {
  return page(
    'Set your password',
    `<p>Use the one-time code that you got from the bank.</p>${alertOf(alert)}
<form method="post" autocomplete="on">
<label for="username">User name</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required>
<label for="code">One-time code</label>
<input id="code" name="code" autocomplete="one-time-code" spellcheck="false" required>
<label for="password">New password (at least 12 characters)</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12"
  required>
<button>Set password</button>
</form>`,
  )
}

/** Renders the page after a password was set. */
export function passwordSetPage(): string {
  return page('Your password is set', '<p>You can log in with it now.</p>')
}

/** Renders an error that cannot be reported to the client by a redirect. */
export function errorPage(error: string, description: string): string {
  return page(
    'Something went wrong',
    `${alertOf(description)}<p>Go back to the app and start again. <code>${escapeHtml(error)}</code></p>`,
  )
}

export function alertOf(text: string | null): string {
  return text ? `<p class="alert" role="alert">${escapeHtml(text)}</p>` : ''
}

export function page(heading: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · bankgraph</title><style>${style}</style></head>
<body><main><h1>${heading}</h1>
${body}</main></body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
