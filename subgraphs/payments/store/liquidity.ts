import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'

/** The total of the open authorizations with one direction and expiry. */
export interface OpenAuthorizationTotal {
  direction: 'in' | 'out'
  /** The time of expiry; null if the authorizations do not expire. */
  expiresAt: Date | null
  openMinor: bigint
}

// The projection counts payments separately, so the bank's authorizations for them are excluded.
const openAuthorizationsSql = `
  select direction, expires_at as "expiresAt", sum(open)::text as open
  from ledger.authorization where currency = $1 and open > 0 and client_id <> $2
  group by direction, expires_at`

/**
 * Returns the totals of the open authorizations in a currency, except the authorizations that the
 * bank made for payments.
 */
export async function readOpenAuthorizations(
  { bank }: Context,
  currency: string,
): Promise<OpenAuthorizationTotal[]> {
  const rows = await readRows<{ direction: 'in' | 'out'; expiresAt: Date | null; open: string }>(
    bank,
    openAuthorizationsSql,
    [currency, bankCaller.clientId],
  )
  return rows.map(({ open, ...total }) => ({ ...total, openMinor: BigInt(open) }))
}
