import type { Caller } from '../kernel/authorization/caller.ts'
import type { Context } from '../kernel/environment/context.ts'
import type { DerivedKeys } from '../kernel/environment/key-ring.ts'
import { Problem } from '../kernel/domain/problem.ts'

/** The credentials with which this process calls the subgraphs of one environment. */
export interface ServiceTokens {
  signingKeys: DerivedKeys<Buffer>
  /**
   * Returns the caller's own `Authorization` header. If there is none, as for subscriptions and
   * for work of the bank itself, returns a service token for the caller, which is valid for at most
   * one minute. Throws TOKEN_EXPIRED if the caller's token has expired.
   */
  authorizationOf(context: Context): string
}

/** Signs a token that identifies the caller. */
export type IssueToken = (caller: Caller, ttlSeconds: number) => string

const serviceTokenSeconds = 60
const renewBeforeMs = 20_000

/**
 * Creates the credentials of one environment. A service token is reused until shortly before it
 * expires.
 */
export function createServiceTokens(
  signingKeys: DerivedKeys<Buffer>,
  issueToken: IssueToken,
  now: () => number,
): ServiceTokens {
  const issuedTokens = new WeakMap<Caller, { header: string; renewAtMs: number }>()
  return {
    signingKeys,
    authorizationOf({ caller, envelope }) {
      if (envelope.authorization !== undefined) return envelope.authorization
      const cachedToken = issuedTokens.get(caller)
      const nowMs = now()
      if (cachedToken && nowMs < cachedToken.renewAtMs) return cachedToken.header
      const ttlSeconds = Math.min(
        serviceTokenSeconds,
        Math.floor((caller.expiresAt - nowMs) / 1000),
      )
      if (ttlSeconds < 1) throw new Problem('TOKEN_EXPIRED')
      const header = `Bearer ${issueToken(caller, ttlSeconds)}`
      issuedTokens.set(caller, { header, renewAtMs: nowMs + ttlSeconds * 1000 - renewBeforeMs })
      return header
    },
  }
}
