import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { TokenVerifier } from '../subgraphs/_kernel/token.ts'

/** Voids tokens before they expire, in every process of the environment. */
export interface TokenRevoker {
  add(kind: 'token' | 'grant', value: string): Promise<void>
}

/**
 * Lets `/oauth/revoke` accept access tokens (RFC 7009, 2.1). The library refuses signed tokens after
 * it has authenticated the client; this takes over there. A token that is not valid needs no
 * revocation and gets 200 (RFC 7009, 2.2); the token of another client is rejected.
 */
export function revokeSignedTokens(
  provider: Provider,
  verifier: TokenVerifier,
  revoker: TokenRevoker,
): void {
  provider.use(async (ctx, next) => {
    await next()
    // Koa's own context: the library adds what it knows to it.
    const { oidc } = ctx as KoaContextWithOIDC
    const answer = ctx.body as { error?: string } | undefined
    if (oidc?.route !== 'revocation' || answer?.error !== 'unsupported_token_type') return
    const caller = await callerOf(verifier, (oidc.params as { token: string }).token)
    if (caller && caller.clientId !== oidc.client!.clientId) {
      ctx.body = { error: 'invalid_request', error_description: 'The token is of another client.' }
      return
    }
    if (caller) await revoker.add('token', caller.tokenId)
    ctx.status = 200
    ctx.body = ''
  })
}

async function callerOf(verifier: TokenVerifier, token: string): Promise<Caller | null> {
  try {
    return await verifier.verify(`Bearer ${token}`)
  } catch {
    return null
  }
}
