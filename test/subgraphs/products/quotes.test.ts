import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import {
  openBank,
  aProduct,
  ada,
  bank,
  forAmount,
  grace,
  loan,
  newId,
  price,
  productIn,
  start,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('pricing quote', () => {
  test('of a loan has components that add up, fees, an installment and an APRC', async () => {
    const productId = await aProduct(loan)
    const input = {
      productId,
      ...forAmount('12000.00'),
      discountPct: '0.5',
      discountReason: 'loyalty',
    }
    const { data } = await price(input)
    expect(data.createPricingQuote).toMatchObject({
      productVersion: '2026.1',
      ratePct: '5.5',
      components: [
        { kind: 'BASE', ratePct: '3.5', source: 'EURIBOR-3M' },
        { kind: 'MARGIN', ratePct: '2.5', source: null },
        { kind: 'DISCOUNT', ratePct: '-0.5', source: 'loyalty' },
      ],
      fees: [
        { code: 'arrangement', amount: { amount: '120.00' } },
        { code: 'account', amount: { amount: '2.00' } },
      ],
      installment: { amount: '1030.04' },
      expiresAt: '2026-04-01T09:00:00.000Z',
    })
    expect(Number(data.createPricingQuote.aprcPct)).toBeGreaterThan(5.64)
    const { pricingQuoteId } = data.createPricingQuote
    expect(await bank.fact(`quote/${pricingQuoteId}`)).toMatchObject({
      ratePct: '5.5',
      amountMinor: '1200000',
    })
    expect((await eventsOf(`quote/${pricingQuoteId}`)).map(({ type }) => type)).toEqual([
      'pricing.quote.created',
    ])
  })

  test('is created once per id, and rejected with other content', async () => {
    const productId = await aProduct()
    const input = { pricingQuoteId: newId('quo'), productId }
    const first = await price(input)
    bank.clock.advance(1000)
    expect((await price(input)).data).toEqual(first.data)
    expect((await price({ ...input, discountPct: '0' })).code).toBe('RESOURCE_EXISTS')
  })

  test('is rejected with a pointer to what cannot be priced', async () => {
    const productId = await aProduct(loan)
    const retired = await productIn('retired')
    const refusals: [object, string, string][] = [
      [{ productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/productId'],
      [{ productId, version: 'none' }, 'PRODUCT_NOT_FOUND', '/version'],
      [
        { productId, customerId: 'cus_none', ...forAmount('1000') },
        'CUSTOMER_NOT_FOUND',
        '/customerId',
      ],
      [{ productId: retired }, 'PRODUCT_NOT_ACTIVE', '/productId'],
      [{ productId }, 'VALIDATION_FAILED', '/amount'],
      [
        { productId, amount: { amount: '1000', currency: 'EUR' } },
        'VALIDATION_FAILED',
        '/termMonths',
      ],
      [{ productId, ...forAmount('499.99') }, 'AMOUNT_OUT_OF_RANGE', '/amount'],
      [{ productId, ...forAmount('50000.01') }, 'AMOUNT_OUT_OF_RANGE', '/amount'],
      [{ productId, ...forAmount('1000', 5) }, 'TERM_OUT_OF_RANGE', '/termMonths'],
      [{ productId, ...forAmount('1000', 85) }, 'TERM_OUT_OF_RANGE', '/termMonths'],
      [{ productId, ...forAmount('1000', 12, 'USD') }, 'CURRENCY_NOT_OFFERED', '/amount/currency'],
      [
        { productId, ...forAmount('1000'), currency: 'USD' },
        'CURRENCY_MISMATCH',
        '/amount/currency',
      ],
      [
        { productId, ...forAmount('1000'), discountPct: '6.1' },
        'VALIDATION_FAILED',
        '/discountPct',
      ],
      [{ productId, ...forAmount('1000'), discountPct: '-1' }, 'VALIDATION_FAILED', '/discountPct'],
      [{ productId, ...forAmount('1000'), expiresAt: start }, 'INVALID_DATE_RANGE', '/expiresAt'],
    ]
    for (const [input, code, pointer] of refusals) {
      const answer = await price(input)
      expect([answer.code, answer.errors[0]!.extensions!['errors']]).toMatchObject([
        code,
        [{ pointer }],
      ])
    }
  })

  test('for a customer is hidden from other customers', async () => {
    const productId = await aProduct()
    const { data } = await price({ productId, customerId: 'cus_ada' })
    const read = 'query ($id: ID!) { pricingQuote(pricingQuoteId: $id) { customerId } }'
    const id = data.createPricingQuote.pricingQuoteId
    expect((await bank.execute(read, { id }, { caller: ada })).data.pricingQuote).toEqual({
      customerId: 'cus_ada',
    })
    expectAbsent(await bank.execute(read, { id }, { caller: grace }))
  })
})

test.each([
  ['0', '99999999999999.99', 600],
  ['999999999999999', '50000.00', 600],
  ['999999999999999', '999999999999999.99', 6],
  ['999999999999999.9999999999', '500.00', 1],
])(
  'a margin of %s on %s over %i months returns a price or a rejection',
  async (marginPct, amount, termMonths) => {
    const productId = await aProduct({ ...loan, parameters: [] })
    const money = { amount, currency: 'EUR' }
    const { code } = await price({ productId, amount: money, termMonths, marginPct })
    expect([undefined, 'AMOUNT_OUT_OF_RANGE', 'VALIDATION_FAILED']).toContain(code)
  },
)

describe('the preview of a pricing quote', () => {
  const previewing = `query ($input: CreatePricingQuoteInput!) { previewPricingQuote(input: $input) {
    ratePct aprcPct installment { amount } totalPayable { amount } fees { code amount { amount } } } }`

  test('has the price of the quote that would be created, and stores nothing', async () => {
    const productId = await aProduct(loan)
    const input = { productId, ...forAmount('12000.00'), discountPct: '0.5' }
    const preview = await bank.execute(previewing, { input })
    expect(preview.errors).toEqual([])
    expect(preview.data.previewPricingQuote).toMatchObject({
      ratePct: '5.5',
      installment: { amount: '1030.04' },
      fees: [
        { code: 'arrangement', amount: { amount: '120.00' } },
        { code: 'account', amount: { amount: '2.00' } },
      ],
    })
    const [{ count }] = (await bank.rows(
      'select count(*)::int as count from products.pricing_quote where product_id = $1',
      [productId],
    )) as [{ count: number }]
    expect(count).toBe(0)
  })

  test('is rejected like the quote, and for delegated users', async () => {
    const productId = await aProduct(loan)
    const input = { productId, ...forAmount('999999.00') }
    const { errors } = await bank.execute(previewing, { input })
    expect(errors[0]!.extensions).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
    const { errors: refusals } = await bank.execute(
      previewing,
      { input: { productId } },
      { caller: ada },
    )
    expect(refusals[0]!.extensions!['code']).toBe('NOT_FOR_DELEGATED_USERS')
  })
})
