import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
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
export async function readAccounts(
  context: Context,
  arrangementIds: readonly string[],
): Promise<ArrangementFact[]> {
  const facts = await readFacts(
    context,
    arrangementIds.map((id) => `arrangement/${id}`),
  )
  return facts.flatMap((fact) => (fact ? [fact as unknown as ArrangementFact] : []))
}
