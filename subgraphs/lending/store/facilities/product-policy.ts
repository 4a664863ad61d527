import type { Context } from '../../../../kernel/environment/context.ts'
import { readHeldFacts } from '../../../../kernel/writing/facts.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import {
  defaultPolicy,
  policyOf,
  type ProductVersionFact,
  type ProductPolicy,
} from '../../domain/facilities/product-policy.ts'

/**
 * Returns the policy of a facility's product, or the default policy for a facility without a
 * product.
 */
export async function readPolicy(
  context: Context,
  { productId, productVersion }: Facility,
): Promise<ProductPolicy> {
  if (productId === null) return defaultPolicy
  const [fact] = await readHeldFacts(context, [`product/${productId}`])
  const versions = (fact?.['versions'] ?? []) as ProductVersionFact[]
  return policyOf(versions, productVersion)
}
