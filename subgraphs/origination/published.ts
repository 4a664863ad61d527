import { maySee } from '../_kernel/auth.ts'
import type { Context } from '../_kernel/context.ts'
import { requireAlive } from '../_kernel/deceased.ts'
import { missingReference } from '../_kernel/domain/problem.ts'
import { readHeldFacts, type Fact } from '../_kernel/facts.ts'
import {
  chooseVersion,
  type CustomerFact,
  type Product,
  type ProductFact,
  type QuoteFact,
} from './domain/published.ts'

const factOf = <Known>(fact: Fact | null | undefined) => (fact ?? null) as Known | null

/**
 * The customer named in the request, if the caller may apply for it. Rejects with
 * CUSTOMER_NOT_FOUND, PARTY_DECEASED.
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

/** The product named in the request, in the given version. Rejects with PRODUCT_NOT_FOUND. */
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
 * The quote named in the request, if it applies to everyone or the caller may see it. Rejects with
 * QUOTE_NOT_FOUND.
 */
export async function namedQuote(
  context: Context,
  quoteId: string,
  pointer = '/quoteId',
): Promise<QuoteFact> {
  const [fact] = await readHeldFacts(context, [`quote/${quoteId}`])
  const quote = factOf<QuoteFact>(fact)
  if (quote && (await isTheirs(context, quote))) return quote
  throw missingReference('QUOTE_NOT_FOUND', quoteId, pointer)
}

async function isTheirs(context: Context, { customerId }: QuoteFact): Promise<boolean> {
  if (customerId === null || context.caller.partyId === null) return true
  const [customer] = await readHeldFacts(context, [`customer/${customerId}`])
  return maySee(context.caller, [factOf<CustomerFact>(customer)?.partyId ?? null])
}

/** Checks that the account belongs to the customer. Rejects with ARRANGEMENT_NOT_FOUND. */
export async function requireAccountOf(
  context: Context,
  arrangementId: string,
  partyId: string,
): Promise<void> {
  const [fact] = await readHeldFacts(context, [`arrangement/${arrangementId}`])
  if (fact?.['partyId'] === partyId) return
  throw missingReference('ARRANGEMENT_NOT_FOUND', arrangementId, '/settlementArrangementId')
}
