import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { FailedAttempts } from './failed-attempts.ts'

/**
 * The limits for wrong client secrets. A request with the right secret is never delayed, because
 * attackers could otherwise lock out the client.
 */
const limit = { free: 10, maxDelayMs: 60_000 }

interface Options {
  pool: Pool
  /** The secrets of the environment. */
  ring: KeyRing
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
}

/**
 * Records wrong client secrets. From the tenth wrong secret for one client from one address on, each
 * one starts a delay. A wrong secret that arrives during a delay gets 429 instead of 401.
 */
export function throttleClientSecrets(
  provider: Provider,
  { pool, ring, addressOf, onFailedAuthentication }: Options,
): void {
  const attempts = new FailedAttempts(pool, ring)
  provider.use(async (ctx, next) => {
    await next()
    const { oidc } = ctx as KoaContextWithOIDC
    const { error } = (ctx.body ?? {}) as { error?: string }
    // The Koa context of a page has no `oidc`.
    if (ctx.status !== 401 || error !== 'invalid_client') return
    const clientId = oidc?.client?.clientId ?? null
    const key = `c ${addressOf(ctx.req)} ${clientId}`
    const { delayMs, counts } = await attempts.count([{ key, limit }], true)
    const count = counts[0]!
    onFailedAuthentication({
      kind: 'client',
      name: clientId,
      partyId: null,
      isThrottled: delayMs > 0,
      count,
    })
    if (delayMs === 0) return
    ctx.status = 429
    ctx.set('retry-after', String(Math.ceil(delayMs / 1000)))
    ctx.body = { error: 'slow_down', error_description: 'Too many wrong client secrets.' }
  })
}
