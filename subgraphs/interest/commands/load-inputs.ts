import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { AccrualInputs } from '../domain/accrued-day.ts'
import { openPosition } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import { loadPosition } from '../store/position.ts'
import { readAccounts, readProducts } from './read-facts.ts'
import { readInputs } from './read-inputs.ts'

/**
 * Loads the position of an account; null if the account does not exist or is not visible to the
 * caller. The position of an account that was opened just now is not stored yet, so it is created
 * from the published account.
 */
export async function loadVisiblePosition(
  context: Context,
  arrangementId: string,
): Promise<InterestPosition | null> {
  const stored = await loadPosition(context, arrangementId)
  if (stored) return stored
  const [account] = await readAccounts(context, [arrangementId])
  if (!account || !maySee(context.caller, [account.partyId])) return null
  const products = await readProducts(context, [account.productId])
  return openPosition(account, products.get(account.productId)!, context.now())
}

/** Loads what the interest of a position is accrued from. */
export const loadInputs = loader<InterestPosition, AccrualInputs>((context, positions) =>
  readInputs(context, positions),
)
