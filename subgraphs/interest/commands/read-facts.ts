import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts, readHeldFacts } from '../../../kernel/writing/facts.ts'
import type { ArrangementFact } from '../domain/open-position.ts'
import type { ProductFact } from '../domain/terms.ts'

/** Reads the published products with these IDs, by ID. */
export async function readProducts(
  context: Context,
  productIds: readonly string[],
): Promise<Map<string, ProductFact>> {
  const ids = [...new Set(productIds)]
  const facts = await readFacts(
    context,
    ids.map((id) => `product/${id}`),
  )
  return new Map(ids.map((id, index) => [id, facts[index] as unknown as ProductFact]))
}

/** Reads the published accounts with these IDs; accounts that do not exist are left out. */
export const readAccounts = accountsBy(readFacts)

/**
 * Reads accounts like `readAccounts`, for a command whose decision would be wrong if one of them
 * changed before the commit.
 */
export const readHeldAccounts = accountsBy(readHeldFacts)

function accountsBy(read: typeof readFacts) {
  return async (context: Context, arrangementIds: readonly string[]) => {
    const facts = await read(
      context,
      arrangementIds.map((id) => `arrangement/${id}`),
    )
    return facts.flatMap((fact) => (fact ? [fact as unknown as ArrangementFact] : []))
  }
}
