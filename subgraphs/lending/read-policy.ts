import type { Context } from '../_kernel/context.ts'
import { readHeldFacts } from '../_kernel/facts.ts'
import type { Facility } from './domain/facility.ts'
import {
  defaultPolicy,
  policyOf,
  type ProductVersionFact,
  type ReliefPolicy,
} from './domain/relief-policy.ts'

/** What the product of a facility says of relief; the defaults where it has none. */
export async function readPolicy(
  context: Context,
  { productId, productVersion }: Facility,
): Promise<ReliefPolicy> {
  if (productId === null) return defaultPolicy
  const [fact] = await readHeldFacts(context, [`product/${productId}`])
  const versions = (fact?.['versions'] ?? []) as ProductVersionFact[]
  return policyOf(versions, productVersion)
}
