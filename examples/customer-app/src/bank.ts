/** The customer's connection to the bank. */
import { createBankClient, finishLogIn, startLogIn, type BankClient } from '@bankgraph/client'

const url: string = import.meta.env['BANK_URL'] ?? 'http://127.0.0.1:4001/v1'

const logInOptions = {
  issuer: new URL(url).origin,
  clientId: 'bankgraph-web',
  redirectUri: `${location.origin}/callback`,
  scope: 'parties:read accounts:read postings:read postings:write events:read',
}

/** An account, as the app shows it. */
export interface Account {
  arrangementId: string
  accountNumber: string
  nickname: string | null
  balances: [{ currency: string; available: string }]
}

/** Sends the browser to the bank, on whose pages the customer logs in. */
export async function logIn(): Promise<void> {
  location.assign(await startLogIn(logInOptions))
}

/** Returns the bank for the customer who comes back from the log-in; null on any other page. */
export async function bankAfterLogIn(): Promise<BankClient | null> {
  if (location.pathname !== '/callback') return null
  const callback = location.href
  // The code in the URL is used once: a reload must not send it again.
  history.replaceState(null, '', '/')
  return createBankClient({ url, tokens: await finishLogIn(logInOptions, callback) })
}
