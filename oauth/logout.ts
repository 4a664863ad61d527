import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { loggedOutPage, logoutPage, pageHeaders } from './pages.ts'

type LogoutFeature = NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>

/**
 * Configures RP-initiated logout. After the user confirms, the session ends, and all grants used in
 * it are revoked with their access and refresh tokens.
 */
export const logoutFeature: LogoutFeature = {
  enabled: true,
  logoutSource(ctx, form) {
    const { state } = ctx.oidc.session as unknown as { state: { postLogoutRedirectUri?: string } }
    ctx.set(pageHeaders(state.postLogoutRedirectUri))
    ctx.body = logoutPage(clientNameOf(ctx), form)
  },
  postLogoutSuccessSource(ctx) {
    ctx.set(pageHeaders())
    ctx.body = loggedOutPage()
  },
}

function clientNameOf({ oidc }: KoaContextWithOIDC): string | null {
  return oidc.client ? (oidc.client.clientName ?? oidc.client.clientId) : null
}

/**
 * Returns the allowed redirect URIs after a logout: the client's callbacks and the roots of their
 * origins.
 */
export function postLogoutRedirectUris(redirectUris: readonly string[]): string[] {
  const roots = redirectUris.map((uri) => `${new URL(uri).origin}/`)
  return [...new Set([...redirectUris, ...roots])]
}
