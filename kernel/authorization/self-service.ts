import { Problem } from '../domain/problem.ts'
import type { Context } from '../environment/context.ts'
import { readHeldFacts } from '../writing/facts.ts'

/** Returns whether customers may open accounts of a product themselves; null if it is not decided. */
async function readSelfService(context: Context, productId: string): Promise<boolean | null> {
  const [fact] = await readHeldFacts(context, [`self-service/${productId}`])
  return fact ? fact['isAllowed'] === true : null
}

/**
 * Checks that the bank does not keep customers from opening accounts of a product themselves. A product
 * of which nothing was decided passes. Throws SELF_SERVICE_NOT_ALLOWED. Never applies to the bank.
 */
export async function requireNotWithheld(context: Context, productId: string): Promise<void> {
  if (context.caller.partyId === null) return
  if ((await readSelfService(context, productId)) === false) throw notAllowed(productId)
}

/**
 * Checks that the bank lets customers open accounts of a product themselves. Throws
 * SELF_SERVICE_NOT_ALLOWED. Never applies to the bank.
 */
export async function requireSelfService(context: Context, productId: string): Promise<void> {
  if (context.caller.partyId === null) return
  if (!(await readSelfService(context, productId))) throw notAllowed(productId)
}

function notAllowed(productId: string): Problem {
  const code = 'SELF_SERVICE_NOT_ALLOWED'
  const detail = `Customers cannot open accounts of ${productId} themselves. The bank can open one for them.`
  const errors = [{ pointer: '/productId', code, detail, resourceId: productId }]
  return new Problem(code, { detail, errors, resourceId: productId })
}
