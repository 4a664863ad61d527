import { behaviorOf, type Behavior } from './product-class.ts'
import { Problem } from './problems.ts'

const depositClasses: readonly (Behavior | null)[] = ['savings-account', 'term-deposit']

/** Checks that customers deposit money under a product. Throws VALIDATION_FAILED. */
export function requireDepositProduct(productId: string, productClass: string): void {
  if (depositClasses.includes(behaviorOf(productClass))) return
  const detail = `${productId} has the class ${productClass}; only savings accounts and term deposits can be opened by customers.`
  const errors = [{ pointer: '/productId', code: 'INVALID', detail, resourceId: productId }]
  throw new Problem('VALIDATION_FAILED', { detail, errors })
}
