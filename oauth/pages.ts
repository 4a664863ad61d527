import { createHash } from 'node:crypto'
import { consentTexts, type Scope } from '../subgraphs/_kernel/scopes.ts'

// One style for every page, and nothing from outside: no script, no font, no picture.
const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh;
  background: Canvas; color: CanvasText }
main { width: min(26rem, 90vw); padding: 2rem 0 }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem;
  border: 1px solid GrayText; border-radius: .4rem; background: Field; color: FieldText }
button { font: inherit; font-weight: 600; padding: .6rem 1.2rem; margin: 1.5rem .5rem 0 0;
  border: 1px solid #1d4ed8; border-radius: .4rem; background: #1d4ed8; color: #fff; cursor: pointer }
button.plain { background: transparent; color: inherit; border-color: GrayText }
:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px }
.alert { border-left: 4px solid #dc2626; padding: .5rem .75rem; margin: 1rem 0 }
ul { padding-left: 1.2rem }
code { font-size: .9em; opacity: .75 }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The headers of a page. A form may lead on to the client's own address: browsers hold the
 * redirects after a form to `form-action` too.
 */
export function pageHeaders(redirectUri?: string): Record<string, string> {
  const onwards = redirectUri ? ` ${new URL(redirectUri).origin}` : ''
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${onwards}; ` +
      "frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** Asks who it is. `alert` says why the last try did not do. */
export function loginPage(clientName: string, username: string, alert: string | null): string {
  const name = escaped(clientName)
  return page(
    'Log in',
    `<p>to go on to <strong>${name}</strong></p>${alertOf(alert)}
<form method="post" autocomplete="on">
<label for="username">User name</label>
<input id="username" name="username" value="${escaped(username)}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required${username ? '' : ' autofocus'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required${username ? ' autofocus' : ''}>
<button name="decision" value="allow">Log in</button>
<button class="plain" name="decision" value="deny" formnovalidate>Cancel</button>
</form>`,
  )
}

/** Asks whether the client may act for the person, scope by scope in the person's words. */
export function consentPage(clientName: string, username: string, asked: readonly string[]) {
  const items = asked
    .map((scope) => {
      const meaning = consentTexts[scope as Scope] ?? ''
      return `<li>${escaped(meaning)} <code>${escaped(scope)}</code></li>`
    })
    .join('\n')
  return page(
    `Let ${escaped(clientName)} act for you?`,
    `<p>You are logged in as <strong>${escaped(username)}</strong>. It asks to:</p>
<ul>
${items}
</ul>
<p>Only for what is yours, and until you end it.</p>
<form method="post">
<button name="decision" value="allow" autofocus>Allow</button>
<button class="plain" name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** Asks whether to log out. `form` is the library's, with its token against forged requests. */
export function logoutPage(clientName: string | null, form: string): string {
  const asking = clientName ? `<p><strong>${escaped(clientName)}</strong> asks you to.</p>` : ''
  return page(
    'Log out?',
    `${asking}<p>Apps that act for you in this session stop at once.</p>
${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Log out</button>
<button class="plain" form="op.logoutForm">Stay logged in</button>`,
  )
}

/** Shown after logging out when the app named no page to go back to. */
export function loggedOutPage(): string {
  return page('You are logged out', '<p>You can close this page.</p>')
}

/** Says what went wrong when there is nowhere to send the person back to. */
export function errorPage(error: string, description: string): string {
  return page(
    'This did not work',
    `${alertOf(description)}<p>Go back to where you came from and begin again. <code>${escaped(error)}</code></p>`,
  )
}

function alertOf(text: string | null): string {
  return text ? `<p class="alert" role="alert">${escaped(text)}</p>` : ''
}

function page(heading: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · bankgraph</title><style>${style}</style></head>
<body><main><h1>${heading}</h1>
${body}</main></body>
</html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
