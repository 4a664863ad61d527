import type { Bank } from '../kernel/environment/bank.ts'
import { readRows } from '../kernel/database/read-rows.ts'
import { internalAccount, isAttributable } from './domain/account.ts'
import type { Attribution, Leg } from './domain/balance.ts'
import type { Posting } from './journal.ts'

const noAttribution: Attribution = { productId: '', segment: '' }

const attributionsSql = `select a.account_id as "accountId", k.product_id as "productId", k.segment
  from ledger.account a cross join lateral ledger.attribution_of(a.account_id, a.code) k
  where a.account_id = any($1)`

interface AttributionRow extends Attribution {
  accountId: string
  [column: string]: unknown
}

/** Returns the attribution of an account by its ID. */
export type AttributionOf = (accountId: string) => Attribution

/**
 * Reads the products of customer accounts and loan accounts, and the segments of their customers, for
 * postings that have no entry on these accounts.
 */
export async function readAttributions(
  bank: Bank,
  accountIds: readonly string[],
): Promise<AttributionOf> {
  if (accountIds.length === 0) return () => noAttribution
  const rows = await readRows<AttributionRow>(bank, attributionsSql, [[...new Set(accountIds)]])
  const byAccount = new Map(
    rows.map(({ accountId, productId, segment }) => [accountId, { productId, segment }]),
  )
  return (accountId) => byAccount.get(accountId) ?? noAttribution
}

/**
 * Returns a posting whose amounts of income, expenses and control accounts belong to a product and a
 * segment, whatever other accounts it has.
 */
export function attributePosting(posting: Posting, attribution: Attribution): Posting {
  const { instruction } = posting
  if (instruction.type !== 'custom') return posting
  const legs = instruction.legs.map((leg): Leg => {
    const account = internalAccount(leg.accountId)
    return account && isAttributable(account) ? { ...leg, attribution } : leg
  })
  return { ...posting, instruction: { ...instruction, legs } }
}
