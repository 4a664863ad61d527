import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Caller } from '../kernel/authorization/caller.ts'
import type { TokenVerifier } from '../kernel/authorization/token.ts'

/** The client of a token, the person for whom it acts and its grant; null if it has none. */
export interface TokenOwner {
  clientId: string
  person: string | null
  grantId: string | null
}

/** Revokes tokens before they expire, in all processes of the environment. */
export interface TokenRevoker {
  /** Revokes. `owner` is the owner of a token, which is recorded. */
  add(kind: 'token' | 'grant' | 'subject', value: string, owner?: TokenOwner): Promise<void>
}

/**
 * Makes `/oauth/revoke` accept access tokens (RFC 7009, 2.1). oidc-provider authenticates the
 * client but rejects signed tokens; this middleware then handles them. A token that is not valid
 * needs no revocation and gets 200 (RFC 7009, 2.2). The token of another client is rejected.
 */
export function revokeSignedTokens(
  provider: Provider,
  verifier: TokenVerifier,
  revoker: TokenRevoker,
): void {
  provider.use(async (ctx, next) => {
    await next()
    // oidc-provider adds `oidc` to the Koa context.
    const { oidc } = ctx as KoaContextWithOIDC
    const response = ctx.body as { error?: string } | undefined
    if (oidc?.route !== 'revocation' || response?.error !== 'unsupported_token_type') return
    const caller = await callerOf(verifier, (oidc.params as { token: string }).token)
    if (caller && caller.clientId !== oidc.client!.clientId) {
      ctx.body = {
        error: 'invalid_request',
        error_description: 'The token belongs to another client.',
      }
      return
    }
    if (caller) await revoker.add('token', caller.tokenId, ownerOf(caller))
    ctx.status = 200
    ctx.body = ''
  })
}

const ownerOf = ({ subject, clientId, grantId }: Caller): TokenOwner => ({
  clientId,
  person: subject === clientId ? null : subject,
  grantId,
})

async function callerOf(verifier: TokenVerifier, token: string): Promise<Caller | null> {
  try {
    return await verifier.verifyWithoutProof(`Bearer ${token}`)
  } catch {
    return null
  }
}
