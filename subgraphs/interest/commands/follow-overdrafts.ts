import type { Context } from '../../../kernel/environment/context.ts'
import { openPosition, type ArrangementFact } from '../domain/open-position.ts'
import { overdrafts } from './book.ts'
import { followLifecycles, readPositions, type EnrollmentDecision } from './enroll.ts'
import { readAccounts, readProducts } from './read-facts.ts'

/**
 * Returns the writes that open the overdraft positions of accounts whose product version has no
 * overdraft terms, if they have a limit or one of `overdrawnIds` names them, and that record in the
 * others whether the account is closed. Such a position is accrued without interest.
 */
export async function decideFollowing(
  context: Context,
  arrangementIds: readonly string[],
  overdrawnIds: ReadonlySet<string>,
): Promise<EnrollmentDecision> {
  const positions = await readPositions(context, overdrafts, arrangementIds)
  const accounts = await accountsWithoutTerms(context, arrangementIds)
  const now = context.now()
  const opened = accounts.filter(
    ({ arrangementId, overdraftLimitMinor }) =>
      !positions.has(arrangementId) &&
      (overdrawnIds.has(arrangementId) || BigInt(overdraftLimitMinor) > 0n),
  )
  const inserts = overdrafts.positions.insert(
    opened.map((account) => openPosition(account, false, now)),
  )
  const followed = followLifecycles(context, overdrafts, accounts, positions)
  return { ...followed, writes: [...inserts, ...followed.writes] }
}

async function accountsWithoutTerms(
  context: Context,
  arrangementIds: readonly string[],
): Promise<ArrangementFact[]> {
  const accounts = await readAccounts(context, arrangementIds)
  const products = await readProducts(
    context,
    accounts.map(({ productId }) => productId),
  )
  return accounts.filter(
    ({ productId, productVersion }) =>
      !overdrafts.isBearing(products.get(productId)!, productVersion),
  )
}
