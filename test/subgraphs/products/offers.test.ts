import { OfferStatus } from '../../../subgraphs/products/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { offerStates } from '../../../subgraphs/products/model/offer.ts'
import { products } from '../../../subgraphs/products/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  openBank,
  aProduct,
  ada,
  bank,
  change,
  dayMs,
  forAmount,
  loan,
  newId,
  price,
  eventsOf,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const fields = `offerId productId productVersion status pricingQuoteId customerId validFrom validTo channel
  headline { ratePct aprcPct currency minAmount { amount } maxAmount { amount } termMonths }
  quote { ratePct } product { name } customer { customerId }`
const draft = `mutation ($input: CreateProductOfferInput!) { createProductOffer(input: $input) { ${fields} } }`
const offerAct = (name: string) => `mutation ($id: ID!) { ${name}(offerId: $id) { ${fields} } }`
const offerActions: Record<string, { from: OfferStatus[]; to: OfferStatus; fact: string }> = {
  publishProductOffer: { from: ['draft'], to: 'active', fact: 'published' },
  acceptProductOffer: { from: ['active'], to: 'accepted', fact: 'accepted' },
  withdrawProductOffer: { from: ['active'], to: 'withdrawn', fact: 'withdrawn' },
}
const transition = (name: string, id: string, caller = aCaller()) =>
  bank.execute(offerAct(name), { id }, { caller })

interface OfferRequest {
  productId?: string
  customerId?: string | null
  quoteFor?: string
  [member: string]: unknown
}

async function anOffer({ quoteFor, ...more }: OfferRequest = {}) {
  const productId = more.productId ?? (await aProduct())
  const priced = await price({ productId, customerId: quoteFor })
  const { pricingQuoteId } = priced.data.createPricingQuote
  const input = { productId, pricingQuoteId, customerId: 'cus_ada', ...more }
  return { input, answer: await bank.execute(draft, { input }) }
}

async function offerIn(status: OfferStatus): Promise<string> {
  const { answer } = await anOffer()
  const id = answer.data.createProductOffer.offerId as string
  if (status !== 'draft') expect((await transition('publishProductOffer', id)).errors).toEqual([])
  if (status === 'accepted') await transition('acceptProductOffer', id)
  if (status === 'withdrawn') await transition('withdrawProductOffer', id)
  if (status === 'expired') bank.clock.advance(31 * dayMs)
  return id
}

describe('product offer', () => {
  test('shows its product, price and validity', async () => {
    const productId = await aProduct(loan)
    const priced = await price({ productId, ...forAmount('12000.00', 24) })
    const { pricingQuoteId, expiresAt, aprcPct } = priced.data.createPricingQuote
    const { data } = await bank.execute(draft, {
      input: { productId, pricingQuoteId, channel: 'web' },
    })
    expect(data.createProductOffer).toMatchObject({
      productVersion: '2026.1',
      status: 'DRAFT',
      customerId: null,
      validTo: expiresAt,
      channel: 'web',
      headline: {
        ratePct: '6',
        aprcPct,
        currency: 'EUR',
        minAmount: { amount: '500.00' },
        maxAmount: { amount: '50000.00' },
        termMonths: [24],
      },
      quote: { ratePct: '6' },
      product: { name: 'Everyday' },
      customer: null,
    })
  })

  for (const status of OfferStatus.values) {
    for (const [name, { from, to, fact }] of Object.entries(offerActions)) {
      test(`${name} in state ${status}: ${from.includes(status) ? to : 'invalid transition'}`, async () => {
        const id = await offerIn(status)
        const before = await eventsOf(`offer/${id}`)
        const stored = await bank.rows('select * from products.product_offer where offer_id = $1', [
          id,
        ])
        const answer = await transition(name, id)
        const after = await eventsOf(`offer/${id}`)
        if (from.includes(status)) {
          expect(offerStates.table[status]).toContain(to)
          expect(answer.data[name].status).toBe(to.toUpperCase())
          expect(after.slice(before.length).map(({ type }) => type)).toEqual([
            `products.offer.${fact}`,
          ])
          expect(await bank.fact(`offer/${id}`)).toMatchObject({ status: to })
        } else {
          expect(answer.code).toBe('INVALID_STATE_TRANSITION')
          expect(answer.errors[0]!.extensions).toMatchObject({ currentState: status })
          expect(after).toEqual(before)
          expect(
            await bank.rows('select * from products.product_offer where offer_id = $1', [id]),
          ).toEqual(stored)
        }
      })
    }
  }

  test('cannot be published after its quote has expired, nor for a suspended product', async () => {
    const late = await offerIn('draft')
    bank.clock.advance(30 * dayMs)
    expect((await transition('publishProductOffer', late)).code).toBe('QUOTE_EXPIRED')
    const { input, answer } = await anOffer()
    await change('suspendProduct', input.productId)
    const id = answer.data.createProductOffer.offerId
    expect((await transition('publishProductOffer', id)).code).toBe('PRODUCT_NOT_ACTIVE')
  })

  test('cannot outlive its quote, nor begin after its end', async () => {
    const validTo = new Date(bank.bank.now().getTime() + 31 * dayMs).toISOString()
    expect((await anOffer({ validTo })).answer.code).toBe('INVALID_DATE_RANGE')
    expect((await anOffer({ validFrom: validTo })).answer.code).toBe('INVALID_DATE_RANGE')
  })

  test('is rejected with a quote for another product, version or customer', async () => {
    const other = await aProduct()
    const { input } = await anOffer()
    const tries = [
      { ...input, productId: other },
      { ...input, version: 'none' },
    ]
    for (const wrong of tries) {
      expect((await bank.execute(draft, { input: wrong })).code).toBe('QUOTE_MISMATCH')
    }
    expect((await anOffer({ quoteFor: 'cus_grace' })).answer.code).toBe('QUOTE_MISMATCH')
    expect((await anOffer({ quoteFor: 'cus_ada', customerId: null })).answer.code).toBe(
      'QUOTE_MISMATCH',
    )
    const missing = { ...input, pricingQuoteId: 'quo_none' }
    expect((await bank.execute(draft, { input: missing })).code).toBe('QUOTE_NOT_FOUND')
    expect((await bank.execute(draft, { input: { ...input, productId: 'x' } })).code).toBe(
      'PRODUCT_NOT_FOUND',
    )
    expect((await bank.execute(draft, { input: { ...input, customerId: 'x' } })).code).toBe(
      'CUSTOMER_NOT_FOUND',
    )
  })

  test('cannot be accepted if it is for everybody, nor before it is valid', async () => {
    const open = (await anOffer({ customerId: null })).answer.data.createProductOffer.offerId
    await transition('publishProductOffer', open)
    expect((await transition('acceptProductOffer', open)).code).toBe('OFFER_NOT_PERSONALISED')
    const validFrom = new Date(bank.bank.now().getTime() + dayMs).toISOString()
    const early = (await anOffer({ validFrom })).answer.data.createProductOffer.offerId
    await transition('publishProductOffer', early)
    expect((await transition('acceptProductOffer', early)).code).toBe('STATE_CONFLICT')
    bank.clock.advance(dayMs)
    expect((await transition('acceptProductOffer', early)).errors).toEqual([])
  })

  test('is created once per id, and rejected with other content', async () => {
    const { input } = await anOffer({ offerId: newId('off') })
    expect((await bank.execute(draft, { input })).errors).toEqual([])
    expect((await bank.execute(draft, { input: { ...input, channel: 'x' } })).code).toBe(
      'RESOURCE_EXISTS',
    )
    expect(await eventsOf(`offer/${input['offerId' as keyof typeof input]}`)).toHaveLength(1)
  })

  test('is expired as soon as its time is over, and emits one event', async () => {
    const id = await offerIn('expired')
    const list = `query ($status: String, $productId: ID) { productOffers(status: $status, productId: $productId) { nodes { offerId status } } }`
    const { data } = await bank.execute(
      'query ($id: ID!) { productOffer(offerId: $id) { status productId } }',
      { id },
    )
    const { productId, status } = data.productOffer
    expect(status).toBe('EXPIRED')
    const listed = async (wanted: string) =>
      (await bank.execute(list, { status: wanted, productId })).data.productOffers.nodes
    expect(await listed('Active')).toEqual([])
    expect(await listed('expired')).toEqual([{ offerId: id, status: 'EXPIRED' }])
    const expireOffers = products.workers.find(({ name }) => name === 'products.expire-offers')!
    const context = () => bankContext(bank.bank, 'test-expiry')
    await Promise.all([expireOffers.run(context()), expireOffers.run(context())])
    expect(await expireOffers.run(context())).toBe(0)
    expect((await eventsOf(`offer/${id}`)).map(({ type }) => type)).toEqual([
      'products.offer.created',
      'products.offer.published',
      'products.offer.expired',
    ])
    expect(await listed('expired')).toEqual([{ offerId: id, status: 'EXPIRED' }])
  })

  test('is visible to a delegated user if it is published for everybody or for them', async () => {
    const productId = await aProduct()
    const ids: Record<string, string> = {}
    for (const customerId of ['cus_ada', 'cus_grace', null]) {
      const { answer } = await anOffer({ productId, customerId })
      ids[customerId ?? 'everybody'] = answer.data.createProductOffer.offerId
      await transition('publishProductOffer', answer.data.createProductOffer.offerId)
    }
    const hidden = (await anOffer({ productId })).answer.data.createProductOffer.offerId
    const list = `query ($productId: ID, $customerId: ID) { productOffers(productId: $productId, customerId: $customerId, first: 1000) { nodes { offerId } } }`
    const seen = async (caller: ReturnType<typeof aCaller>, more = {}) => {
      const { data } = await bank.execute(list, { productId, ...more }, { caller })
      return data.productOffers.nodes.map(({ offerId }: any) => offerId)
    }
    expect(await seen(aCaller())).toHaveLength(4)
    expect(await seen(ada)).toEqual([ids['cus_ada'], ids['everybody']])
    expect(await seen(ada, { customerId: 'cus_grace' })).toEqual([])
    const read = 'query ($id: ID!) { productOffer(offerId: $id) { offerId } }'
    for (const id of [ids['cus_grace'], hidden]) {
      expectAbsent(await bank.execute(read, { id }, { caller: ada }))
    }
    expect((await transition('acceptProductOffer', ids['cus_grace']!, ada)).code).toBe(
      'OFFER_NOT_FOUND',
    )
    expect((await transition('acceptProductOffer', ids['cus_ada']!, ada)).errors).toEqual([])
  })

  test('is listed in pages of at most 1,000', async () => {
    const list = 'query ($first: Int) { productOffers(first: $first) { pageInfo { pageSize } } }'
    expect((await bank.execute(list, { first: 1000 })).errors).toEqual([])
    for (const first of [0, 1001]) {
      expect((await bank.execute(list, { first })).code).toBe('PAGE_SIZE_INVALID')
    }
  })

  test('resolves product references in bulk, under the scope of the query', async () => {
    const productId = await aProduct()
    const entities =
      'query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on Product { name } } }'
    const keys = [
      { __typename: 'Product', productId, version: '2026.1' },
      { __typename: 'Product', productId, version: 'none' },
    ]
    expect((await bank.execute(entities, { keys })).data._entities).toEqual([
      { name: 'Everyday' },
      null,
    ])
    const caller = aCaller({ scopes: ['offers:read'] })
    expect((await bank.execute(entities, { keys }, { caller })).code).toBe('INSUFFICIENT_SCOPE')
  })
})
