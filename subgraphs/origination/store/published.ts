import { maySee } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAlive } from '../../../kernel/lifecycle/deceased.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { readHeldFacts, type Fact } from '../../../kernel/writing/facts.ts'
import {
  chooseVersion,
  type CustomerFact,
  type Product,
  type ProductFact,
  type QuoteFact,
} from '../domain/published.ts'

const factOf = <Known>(fact: Fact | null | undefined) => (fact ?? null) as Known | null

/**
 * Returns the customer that the request names. Throws CUSTOMER_NOT_FOUND, also if the customer is
 * not visible to the caller, and PARTY_DECEASED.
 */
export async function namedCustomer(context: Context, customerId: string): Promise<CustomerFact> {
  const [fact] = await readHeldFacts(context, [`customer/${customerId}`])
  const customer = factOf<CustomerFact>(fact)
  if (customer && maySee(context.caller, [customer.partyId])) {
    await requireAlive(context, customer.partyId, '/customerId')
    return customer
  }
  throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
}

/**
 * Returns the version of the product that the request names. If `version` is null, returns the
 * active version, or else the newest one. Throws PRODUCT_NOT_FOUND.
 */
export async function namedProduct(
  context: Context,
  productId: string,
  version: string | null,
  pointer = '/productId',
): Promise<Product> {
  const [fact] = await readHeldFacts(context, [`product/${productId}`])
  const product = factOf<ProductFact>(fact)
  if (product) return chooseVersion(product, version, pointer)
  throw missingReference('PRODUCT_NOT_FOUND', productId, pointer)
}

/**
 * Returns the quote that the request names. Throws QUOTE_NOT_FOUND, also if the quote is for a
 * customer who is not visible to the caller.
 */
export async function namedQuote(
  context: Context,
  quoteId: string,
  pointer = '/quoteId',
): Promise<QuoteFact> {
  const [fact] = await readHeldFacts(context, [`quote/${quoteId}`])
  const quote = factOf<QuoteFact>(fact)
  if (quote && (await isVisibleQuote(context, quote))) return quote
  throw missingReference('QUOTE_NOT_FOUND', quoteId, pointer)
}

async function isVisibleQuote(context: Context, { customerId }: QuoteFact): Promise<boolean> {
  if (customerId === null || context.caller.partyId === null) return true
  const [customer] = await readHeldFacts(context, [`customer/${customerId}`])
  return maySee(context.caller, [factOf<CustomerFact>(customer)?.partyId ?? null])
}

/** Checks that the account belongs to the party. Throws ARRANGEMENT_NOT_FOUND. */
export async function requireAccountOf(
  context: Context,
  arrangementId: string,
  partyId: string,
): Promise<void> {
  const [fact] = await readHeldFacts(context, [`arrangement/${arrangementId}`])
  if (fact?.['partyId'] === partyId) return
  throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/settlementArrangementId')
}
