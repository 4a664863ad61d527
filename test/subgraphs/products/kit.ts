import type { ProductStatus } from '../../../subgraphs/products/model/enumerations.ts'
import { expect } from 'vitest'

import { products } from '../../../subgraphs/products/index.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

export let bank: RunningSubgraph
export const start = '2026-03-02T09:00:00.000Z'
export const dayMs = 86_400_000

/** The subgraph on its own database, with two known customers. */
export async function openBank(): Promise<void> {
  bank = await aSubgraph(products, start)
  for (const [customerId, partyId] of Object.entries({
    cus_ada: 'pty_ada',
    cus_grace: 'pty_grace',
  })) {
    const fact = { customerId, partyId, status: 'active', kycState: 'passed', kycExpiresOn: null }
    await bank.rows('insert into kernel.fact values ($1, 1, $2)', [`customer/${customerId}`, fact])
  }
}

export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })

export const create = `mutation ($input: CreateProductInput!) { createProduct(input: $input) {
  productId name productClass status version currencies maxPerCustomer
  fees { code frequency amount { amount currency } percent } interest { basePct marginPct }
  parameters { name type minimum maximum default } } }`

let serial = 0
export const newId = (prefix: string) => `${prefix}_${++serial}`

export function content(productId: string, more: object = {}) {
  const [name, productClass, status, version] = ['Everyday', 'current-account', 'active', '2026.1']
  return { productId, name, productClass, status, version, ...more }
}

export async function aProduct(more: object = {}): Promise<string> {
  const productId = newId('prd')
  const { errors } = await bank.execute(create, { input: content(productId, more) })
  expect(errors).toEqual([])
  return productId
}

export const loan = {
  productClass: 'CONSUMER_LOAN',
  interest: { basePct: '3.5', marginPct: '2.5', referenceRate: 'EURIBOR-3M' },
  fees: [
    { code: 'arrangement', frequency: 'UPFRONT', percent: '1' },
    { code: 'account', frequency: 'MONTHLY', amount: { amount: '2.00', currency: 'EUR' } },
  ],
  parameters: [
    { name: 'amount', type: 'AMOUNT', minimum: '500', maximum: '50000' },
    { name: 'termMonths', type: 'INTEGER', minimum: '6', maximum: '84' },
  ],
}

export const versionMutation = (name: string) =>
  `mutation ($productId: ID!, $version: Label!) { ${name}(productId: $productId, version: $version) { status version } }`
export const productActions: Record<
  string,
  { from: ProductStatus[]; to: ProductStatus; fact: string }
> = {
  activateProduct: { from: ['draft'], to: 'active', fact: 'version-activated' },
  suspendProduct: { from: ['active'], to: 'suspended', fact: 'suspended' },
  resumeProduct: { from: ['suspended'], to: 'active', fact: 'resumed' },
  retireProduct: { from: ['active', 'suspended', 'superseded'], to: 'retired', fact: 'retired' },
  withdrawProduct: { from: ['draft'], to: 'withdrawn', fact: 'withdrawn' },
}

export async function change(name: string, productId: string, version = '2026.1') {
  return bank.execute(versionMutation(name), { productId, version })
}

/** A product whose version 2026.1 was brought to a status by commands only. */
export async function productIn(status: ProductStatus): Promise<string> {
  const paths: Record<ProductStatus, string[]> = {
    draft: [],
    active: ['activateProduct'],
    suspended: ['activateProduct', 'suspendProduct'],
    superseded: ['activateProduct'],
    retired: ['activateProduct', 'retireProduct'],
    withdrawn: ['withdrawProduct'],
  }
  const productId = await aProduct({ status: 'draft' })
  for (const name of paths[status]) expect((await change(name, productId)).errors).toEqual([])
  if (status === 'superseded') {
    await bank.execute(create, { input: content(productId, { version: '2026.2' }) })
  }
  return productId
}

export const eventsOf = async (subject: string) =>
  (await bank.events()).filter((event) => event.subject === subject)

export const quote = `mutation ($input: CreatePricingQuoteInput!) { createPricingQuote(input: $input) {
  pricingQuoteId productVersion ruleVersion ratePct aprcPct expiresAt currency
  components { kind ratePct source } fees { code amount { amount } } amount { amount }
  installment { amount } totalPayable { amount } customer { customerId } } }`
export const price = (input: object) => bank.execute(quote, { input })
export const forAmount = (amount: string, termMonths = 12, currency = 'EUR') => ({
  amount: { amount, currency },
  termMonths,
})
