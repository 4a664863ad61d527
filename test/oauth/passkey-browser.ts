/** A real browser with a virtual authenticator, for the pages with passkeys. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { theBrowser } from '../kit/browser.ts'

/** A credential as the virtual authenticator has it. */
export interface VirtualCredential {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
}

export interface PasskeyBrowser {
  page: Page
  context: BrowserContext
  /** Whether the person passes the check of the authenticator, such as a fingerprint. */
  setUserVerified(isUserVerified: boolean): Promise<void>
  credentials(): Promise<VirtualCredential[]>
  /** Replaces all credentials. */
  setCredentials(credentials: VirtualCredential[]): Promise<void>
  close(): Promise<void>
}

/** Adds an authenticator to a page, on which a person confirms everything. */
export async function addPasskeyDevice(
  page: Page,
): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

/** Opens a private window with an authenticator of its own, which has no passkeys yet. */
export async function aPasskeyBrowser(): Promise<PasskeyBrowser> {
  const context = await (await theBrowser()).newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const { cdp, authenticatorId } = await addPasskeyDevice(page)
  return {
    page,
    context,
    setUserVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    async setCredentials(credentials) {
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of credentials) {
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
      }
    },
    close: () => context.close(),
  }
}
