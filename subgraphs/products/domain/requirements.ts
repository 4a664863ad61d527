import type { ProductRequirement } from '../model/enumerations.ts'
import { creditKindOf } from '../../../kernel/domain/credit-class.ts'
import type { Product } from '../model/product.ts'

const exemptStatuses = new Set(['superseded', 'retired', 'withdrawn'])

/**
 * Returns the requirements that a version does not meet. The list is empty for a version that was
 * superseded, retired or withdrawn.
 * A credit product without interest terms would lend at 0 percent by mistake. An explicit rate of 0
 * is accepted as intended.
 */
export function unmetRequirements({
  productClass,
  status,
  interest,
}: Product): ProductRequirement[] {
  if (exemptStatuses.has(status)) return []
  return interest === null && creditKindOf(productClass) !== null ? ['interest'] : []
}
