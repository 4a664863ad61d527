import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import {
  offerMoves,
  offerStatuses,
  type OfferStatus,
} from '../../../subgraphs/products/domain/offer.ts'
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
  told,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const fields = `offerId productId productVersion status pricingQuoteId customerId validFrom validTo channel
  headline { ratePct aprcPct currency minAmount { amount } maxAmount { amount } termMonths }
  quote { ratePct } product { name } customer { customerId }`
const draft = `mutation ($input: CreateProductOfferInput!) { createProductOffer(input: $input) { ${fields} } }`
const offerAct = (name: string) => `mutation ($id: ID!) { ${name}(offerId: $id) { ${fields} } }`
const offerActs: Record<string, { from: OfferStatus[]; to: OfferStatus; fact: string }> = {
  publishProductOffer: { from: ['draft'], to: 'active', fact: 'published' },
  acceptProductOffer: { from: ['active'], to: 'accepted', fact: 'accepted' },
  withdrawProductOffer: { from: ['active'], to: 'withdrawn', fact: 'withdrawn' },
}
const move = (name: string, id: string, caller = aCaller()) =>
  bank.execute(offerAct(name), { id }, { caller })

interface OfferAsked {
  productId?: string
  customerId?: string | null
  quoteFor?: string
  [member: string]: unknown
}

async function anOffer({ quoteFor, ...more }: OfferAsked = {}) {
  const productId = more.productId ?? (await aProduct())
  const priced = await price({ productId, customerId: quoteFor })
  const { pricingQuoteId } = priced.data.createPricingQuote
  const input = { productId, pricingQuoteId, customerId: 'cus_ada', ...more }
  return { input, answer: await bank.execute(draft, { input }) }
}

async function offerIn(status: OfferStatus): Promise<string> {
  const { answer } = await anOffer()
  const id = answer.data.createProductOffer.offerId as string
  if (status !== 'draft') expect((await move('publishProductOffer', id)).errors).toEqual([])
  if (status === 'accepted') await move('acceptProductOffer', id)
  if (status === 'withdrawn') await move('withdrawProductOffer', id)
  if (status === 'expired') bank.clock.advance(31 * dayMs)
  return id
}

describe('product offers', () => {
  test('an offer says what it is of, at which price and how long', async () => {
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

  for (const status of offerStatuses) {
    for (const [name, { from, to, fact }] of Object.entries(offerActs)) {
      test(`${name} on ${status} is ${from.includes(status) ? to : 'refused'}`, async () => {
        const id = await offerIn(status)
        const before = await told(`offer/${id}`)
        const stored = await bank.rows('select * from products.product_offer where offer_id = $1', [
          id,
        ])
        const answer = await move(name, id)
        const after = await told(`offer/${id}`)
        if (from.includes(status)) {
          expect(offerMoves[status]).toContain(to)
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

  test('an offer is not published after its quote, nor of a version that is off offer', async () => {
    const late = await offerIn('draft')
    bank.clock.advance(30 * dayMs)
    expect((await move('publishProductOffer', late)).code).toBe('QUOTE_EXPIRED')
    const { input, answer } = await anOffer()
    await change('suspendProduct', input.productId)
    const id = answer.data.createProductOffer.offerId
    expect((await move('publishProductOffer', id)).code).toBe('PRODUCT_NOT_ACTIVE')
  })

  test('an offer never outlives its quote, and ends after it begins', async () => {
    const validTo = new Date(bank.bank.now().getTime() + 31 * dayMs).toISOString()
    expect((await anOffer({ validTo })).answer.code).toBe('INVALID_DATE_RANGE')
    expect((await anOffer({ validFrom: validTo })).answer.code).toBe('INVALID_DATE_RANGE')
  })

  test('a price for one thing or one customer is not offered as another', async () => {
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

  test('what is offered to everybody is not accepted by one, nor anything before its time', async () => {
    const open = (await anOffer({ customerId: null })).answer.data.createProductOffer.offerId
    await move('publishProductOffer', open)
    expect((await move('acceptProductOffer', open)).code).toBe('OFFER_NOT_PERSONALISED')
    const validFrom = new Date(bank.bank.now().getTime() + dayMs).toISOString()
    const early = (await anOffer({ validFrom })).answer.data.createProductOffer.offerId
    await move('publishProductOffer', early)
    expect((await move('acceptProductOffer', early)).code).toBe('STATE_CONFLICT')
    bank.clock.advance(dayMs)
    expect((await move('acceptProductOffer', early)).errors).toEqual([])
  })

  test('the same id with the same content is the same offer', async () => {
    const { input } = await anOffer({ offerId: newId('off') })
    expect((await bank.execute(draft, { input })).errors).toEqual([])
    expect((await bank.execute(draft, { input: { ...input, channel: 'x' } })).code).toBe(
      'RESOURCE_EXISTS',
    )
    expect(await told(`offer/${input['offerId' as keyof typeof input]}`)).toHaveLength(1)
  })

  test('an offer whose time is over is expired at once, and told once', async () => {
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
    expect((await told(`offer/${id}`)).map(({ type }) => type)).toEqual([
      'products.offer.created',
      'products.offer.published',
      'products.offer.expired',
    ])
    expect(await listed('expired')).toEqual([{ offerId: id, status: 'EXPIRED' }])
  })

  test('a delegated user sees what is published for everybody or for them, and nothing else', async () => {
    const productId = await aProduct()
    const ids: Record<string, string> = {}
    for (const customerId of ['cus_ada', 'cus_grace', null]) {
      const { answer } = await anOffer({ productId, customerId })
      ids[customerId ?? 'everybody'] = answer.data.createProductOffer.offerId
      await move('publishProductOffer', answer.data.createProductOffer.offerId)
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
    expect((await move('acceptProductOffer', ids['cus_grace']!, ada)).code).toBe('OFFER_NOT_FOUND')
    expect((await move('acceptProductOffer', ids['cus_ada']!, ada)).errors).toEqual([])
  })

  test('a page has at most 1,000 offers', async () => {
    const list = 'query ($first: Int) { productOffers(first: $first) { pageInfo { pageSize } } }'
    expect((await bank.execute(list, { first: 1000 })).errors).toEqual([])
    for (const first of [0, 1001]) {
      expect((await bank.execute(list, { first })).code).toBe('PAGE_SIZE_INVALID')
    }
  })

  test('references answer many keys, under the scope of their query', async () => {
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
