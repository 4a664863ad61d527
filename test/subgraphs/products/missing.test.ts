import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProduct, bank, loan, openBank } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

async function missingOf(productId: string): Promise<string[]> {
  const query = 'query ($id: ID!) { product(productId: $id) { missing } }'
  const { data, errors } = await bank.execute(query, { id: productId })
  expect(errors).toEqual([])
  return data.product.missing
}

test.each(['consumer-loan', 'MORTGAGE', 'sme-facility', 'revolving-credit', 'overdraft'])(
  'reports INTEREST as missing for a %s without a rate, until a version has one',
  async (productClass) => {
    const productId = await aProduct({ productClass })
    expect(await missingOf(productId)).toEqual(['INTEREST'])
    const next = { ...loan, productClass, productId, name: 'Next', version: '2026.2' }
    const { errors } = await bank.execute(
      'mutation ($input: CreateProductInput!) { createProduct(input: $input) { missing } }',
      { input: { ...next, status: 'active' } },
    )
    expect(errors).toEqual([])
    expect(await missingOf(productId)).toEqual([])
    const old = await bank.execute(
      'query ($id: ID!) { product(productId: $id, version: "2026.1") { status missing } }',
      { id: productId },
    )
    expect(old.data.product).toEqual({ status: 'SUPERSEDED', missing: [] })
  },
)

test('accepts a rate of 0, and requires no rate for accounts', async () => {
  const free = await aProduct({ productClass: 'consumer-loan', interest: { basePct: '0' } })
  expect(await missingOf(free)).toEqual([])
  expect(await missingOf(await aProduct())).toEqual([])
})
