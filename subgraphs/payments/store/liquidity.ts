import { bankCaller } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readRows } from '../../_kernel/read-rows.ts'

/** Promises of money that are open, of those who pay or are paid over a rail of their own. */
export interface OpenPromise {
  direction: 'in' | 'out'
  expiresAt: Date | null
  openMinor: bigint
}

// What the bank promised itself is for payments, which are counted where they are.
const openSql = `
  select direction, expires_at as "expiresAt", sum(open)::text as open
  from ledger.authorisation where currency = $1 and open > 0 and client_id <> $2
  group by direction, expires_at`

/** The open authorisations of a currency that are not for payments of this area. */
export async function readOpenPromises(
  { bank }: Context,
  currency: string,
): Promise<OpenPromise[]> {
  const rows = await readRows<{ direction: 'in' | 'out'; expiresAt: Date | null; open: string }>(
    bank,
    openSql,
    [currency, bankCaller.clientId],
  )
  return rows.map(({ open, ...promise }) => ({ ...promise, openMinor: BigInt(open) }))
}
