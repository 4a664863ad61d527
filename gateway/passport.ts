import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'

/** How this process shows a subgraph of one environment that it is one of us, and for whom it asks. */
export interface Passport {
  sealingKey: Buffer
  /**
   * The caller's own `Authorization` header; where the caller sent none with this request (a
   * socket's subscription, the bank itself), a token of a minute that says the same of them.
   * Refuses with TOKEN_EXPIRED to speak for somebody whose token is over.
   */
  authorizationOf(context: Context): string
}

/** Signs a token that says who the caller is. */
export type Mint = (caller: Caller, ttlSeconds: number) => string

const mintedSeconds = 60
const renewBeforeMs = 20_000

/** Promises the passport of one environment. A minted token is used again until it is nearly over. */
export function createPassport(sealingKey: Buffer, mint: Mint, now: () => number): Passport {
  const minted = new WeakMap<Caller, { header: string; renewAtMs: number }>()
  return {
    sealingKey,
    authorizationOf({ caller, envelope }) {
      if (envelope.authorization !== undefined) return envelope.authorization
      const known = minted.get(caller)
      const nowMs = now()
      if (known && nowMs < known.renewAtMs) return known.header
      const ttlSeconds = Math.min(mintedSeconds, Math.floor((caller.expiresAt - nowMs) / 1000))
      if (ttlSeconds < 1) throw new Problem('TOKEN_EXPIRED')
      const header = `Bearer ${mint(caller, ttlSeconds)}`
      minted.set(caller, { header, renewAtMs: nowMs + ttlSeconds * 1000 - renewBeforeMs })
      return header
    },
  }
}
