import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import {
  offerMoves,
  offerStatuses,
  type OfferStatus,
} from '../../subgraphs/products/domain/offer.ts'
import {
  productMoves,
  productStatuses,
  type ProductStatus,
} from '../../subgraphs/products/domain/product.ts'
import { products } from '../../subgraphs/products/index.ts'
import { expireOffers } from '../../subgraphs/products/offers.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

let bank: RunningSubgraph
const start = '2026-03-02T09:00:00.000Z'
const dayMs = 86_400_000

beforeAll(async () => {
  bank = await aSubgraph(products, start)
  for (const [customerId, partyId] of Object.entries({
    cus_ada: 'pty_ada',
    cus_grace: 'pty_grace',
  })) {
    const fact = { customerId, partyId, status: 'active', kycState: 'passed', kycExpiresOn: null }
    await bank.rows('insert into kernel.fact values ($1, 1, $2)', [`customer/${customerId}`, fact])
  }
})
afterAll(() => bank.drop())

const ada = aCaller({ partyId: 'pty_ada' })
const grace = aCaller({ partyId: 'pty_grace' })

const create = `mutation ($input: CreateProductInput!) { createProduct(input: $input) {
  productId name productClass status version currencies maxPerCustomer
  fees { code frequency amount { amount currency } percent } interest { basePct marginPct }
  parameters { name type minimum maximum default } } }`

let serial = 0
const newId = (prefix: string) => `${prefix}_${++serial}`

function content(productId: string, more: object = {}) {
  const [name, productClass, status, version] = ['Everyday', 'current-account', 'active', '2026.1']
  return { productId, name, productClass, status, version, ...more }
}

async function aProduct(more: object = {}): Promise<string> {
  const productId = newId('prd')
  const { errors } = await bank.execute(create, { input: content(productId, more) })
  expect(errors).toEqual([])
  return productId
}

const loan = {
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

const act = (name: string) =>
  `mutation ($productId: ID!, $version: Label!) { ${name}(productId: $productId, version: $version) { status version } }`
const productActs: Record<string, { from: ProductStatus[]; to: ProductStatus; fact: string }> = {
  activateProduct: { from: ['draft'], to: 'active', fact: 'version-activated' },
  suspendProduct: { from: ['active'], to: 'suspended', fact: 'suspended' },
  resumeProduct: { from: ['suspended'], to: 'active', fact: 'resumed' },
  retireProduct: { from: ['active', 'suspended', 'superseded'], to: 'retired', fact: 'retired' },
  withdrawProduct: { from: ['draft'], to: 'withdrawn', fact: 'withdrawn' },
}

async function change(name: string, productId: string, version = '2026.1') {
  return bank.execute(act(name), { productId, version })
}

/** A product whose version 2026.1 got to a status by the commands themselves. */
async function productIn(status: ProductStatus): Promise<string> {
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

const told = async (subject: string) =>
  (await bank.events()).filter((event) => event.subject === subject)

describe('versions of a product', () => {
  test('the five documented members create one, and come back', async () => {
    const productId = newId('prd')
    const input = content(productId, { status: 'ACTIVE' })
    const { data } = await bank.execute(create, { input })
    expect(data.createProduct).toMatchObject({ ...input, status: 'ACTIVE', currencies: ['EUR'] })
    expect((await told(`product/${productId}`)).map(({ type }) => type)).toEqual([
      'products.product.created',
      'products.product.version-activated',
    ])
    expect(await bank.fact(`product/${productId}`)).toEqual({
      productId,
      versions: [
        {
          version: '2026.1',
          name: 'Everyday',
          productClass: 'current-account',
          status: 'active',
          isOpenable: true,
          currencies: ['EUR'],
          effectiveFrom: null,
          effectiveTo: null,
          maxPerCustomer: null,
          parameters: [],
        },
      ],
    })
  })

  test('the same content again is the same version; other content is refused', async () => {
    const productId = await aProduct({ ...loan, status: 'draft' })
    const same = { ...loan, status: 'Draft', currencies: ['EUR'] }
    expect((await bank.execute(create, { input: content(productId, same) })).errors).toEqual([])
    for (const other of [{ name: 'Other' }, { fees: [] }, { status: 'active' }]) {
      const input = content(productId, { ...loan, status: 'draft', ...other })
      expect((await bank.execute(create, { input })).code).toBe('PRODUCT_VERSION_EXISTS')
    }
    expect(await told(`product/${productId}`)).toHaveLength(1)
  })

  test('a new active version supersedes the one that was; the newest label wins when none is active', async () => {
    const productId = await aProduct({ version: '2026.9' })
    await bank.execute(create, { input: content(productId, { version: '2026.10' }) })
    const read =
      'query ($id: ID!, $v: Label) { product(productId: $id, version: $v) { version status } }'
    const of = async (v?: string) => (await bank.execute(read, { id: productId, v })).data.product
    expect(await of('2026.9')).toEqual({ version: '2026.9', status: 'SUPERSEDED' })
    expect(await of()).toEqual({ version: '2026.10', status: 'ACTIVE' })
    await change('retireProduct', productId, '2026.10')
    expect((await of()).version).toBe('2026.10')
    const fact = (await bank.fact(`product/${productId}`)) as any
    expect(fact.versions.map(({ version, status }: any) => [version, status])).toEqual([
      ['2026.9', 'superseded'],
      ['2026.10', 'retired'],
    ])
  })

  test('of many versions activated at once exactly one stays active', async () => {
    const productId = newId('prd')
    const versions = ['2026.1', '2026.2', '2026.3', '2026.4']
    for (const version of versions) {
      await bank.execute(create, { input: content(productId, { version, status: 'draft' }) })
    }
    await Promise.all(versions.map((version) => change('activateProduct', productId, version)))
    const rows = await bank.rows(
      'select status, count(*)::int as n from products.product_version where product_id = $1 group by 1',
      [productId],
    )
    expect(rows.find(({ status }) => status === 'active')).toEqual({ status: 'active', n: 1 })
    const fact = (await bank.fact(`product/${productId}`)) as any
    expect(fact.versions.filter(({ status }: any) => status === 'active')).toHaveLength(1)
    // Each of the four superseded the one before it, but the first.
    expect(await told(`product/${productId}`)).toHaveLength(4 + 4 + 3)
  })

  test('a suspended version does not come back beside another that is active', async () => {
    const productId = await productIn('suspended')
    await bank.execute(create, { input: content(productId, { version: '2026.2' }) })
    expect((await change('resumeProduct', productId)).code).toBe('STATE_CONFLICT')
  })

  for (const status of productStatuses) {
    for (const [name, { from, to, fact }] of Object.entries(productActs)) {
      test(`${name} on ${status} is ${from.includes(status) ? to : 'refused'}`, async () => {
        const productId = await productIn(status)
        const before = await told(`product/${productId}`)
        const published = await bank.fact(`product/${productId}`)
        const answer = await change(name, productId)
        const after = await told(`product/${productId}`)
        const stored = await bank.rows(
          'select status from products.product_version where product_id = $1 and label = $2',
          [productId, '2026.1'],
        )
        if (from.includes(status)) {
          expect(productMoves[status]).toContain(to)
          expect(stored).toEqual([{ status: to }])
          expect(after.at(-1)!.type).toBe(`products.product.${fact}`)
          expect(await bank.fact(`product/${productId}`)).not.toEqual(published)
        } else {
          expect(answer.code).toBe('INVALID_STATE_TRANSITION')
          expect(answer.errors[0]!.extensions).toMatchObject({ currentState: status })
          expect(answer.errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect(stored).toEqual([{ status }])
          expect(after).toEqual(before)
          expect(await bank.fact(`product/${productId}`)).toEqual(published)
        }
      })
    }
  }

  const refused: [string, object, string, string[]][] = [
    ['an unknown status', { status: 'retired' }, 'INVALID_INITIAL_STATUS', ['/status']],
    ['no currency', { currencies: [] }, 'VALIDATION_FAILED', ['/currencies']],
    ['a currency twice', { currencies: ['EUR', 'EUR'] }, 'VALIDATION_FAILED', ['/currencies/1']],
    ['a limit of none', { maxPerCustomer: 0 }, 'VALIDATION_FAILED', ['/maxPerCustomer']],
    [
      'days in the wrong order',
      { effectiveFrom: '2026-02-01', effectiveTo: '2026-01-31' },
      'INVALID_DATE_RANGE',
      ['/effectiveTo'],
    ],
    [
      'a fee of nothing, one in another currency, one above all',
      {
        fees: [
          { code: 'a', frequency: 'YEARLY' },
          { code: 'b', frequency: 'YEARLY', amount: { amount: '1', currency: 'USD' } },
          { code: 'b', frequency: 'YEARLY', percent: '101' },
        ],
      },
      'VALIDATION_FAILED',
      ['/fees/2/code', '/fees/0/amount', '/fees/1/amount', '/fees/2/percent'],
    ],
    [
      'parameters that contradict themselves',
      {
        parameters: [
          { name: 'x', type: 'INTEGER', minimum: '5', maximum: '4' },
          { name: 'x', type: 'INTEGER', maximum: '4', default: '5' },
          { name: 'y', type: 'BOOLEAN', default: 'maybe' },
          { name: 'z', type: 'TEXT', minimum: '1' },
        ],
      },
      'VALIDATION_FAILED',
      [
        '/parameters/1/name',
        '/parameters/0/minimum',
        '/parameters/1/default',
        '/parameters/2/default',
        '/parameters/3/minimum',
      ],
    ],
  ]
  test.each(refused)('%s is refused', async (_what, more, code, pointers) => {
    const answer = await bank.execute(create, { input: content(newId('prd'), more) })
    expect(answer.code).toBe(code)
    const faults = answer.errors[0]!.extensions!['errors'] as { pointer: string }[]
    expect(faults.map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('a delegated user reads no drafts and changes nothing', async () => {
    const productId = await productIn('draft')
    const read = 'query ($id: ID!) { product(productId: $id) { status } }'
    expect((await bank.execute(read, { id: productId }, { caller: ada })).code).toBe(
      'PRODUCT_NOT_FOUND',
    )
    expect((await bank.execute(read, { id: 'prd_none' })).code).toBe('PRODUCT_NOT_FOUND')
    const list = 'query ($id: ID) { products(productId: $id) { nodes { status } } }'
    const { data } = await bank.execute(list, { id: productId }, { caller: ada })
    expect(data.products.nodes).toEqual([])
    const caller = aCaller({ scopes: ['products:read'] })
    const input = content(newId('prd'))
    expect((await bank.execute(create, { input }, { caller })).code).toBe('INSUFFICIENT_SCOPE')
  })

  test('a repeated key answers as the first time', async () => {
    const input = content(newId('prd'))
    const first = await bank.execute(create, { input }, { idempotencyKey: 'k-product' })
    const again = await bank.execute(create, { input }, { idempotencyKey: 'k-product' })
    expect(again).toEqual({ ...first, isReplayed: true })
    expect(await told(`product/${input.productId}`)).toHaveLength(2)
  })

  test('pages of products leave nothing out', async () => {
    const productId = await aProduct({ version: 'a' })
    for (const version of ['b', 'c', 'd', 'e']) {
      await bank.execute(create, { input: content(productId, { version }) })
    }
    const list = `query ($id: ID, $after: String, $status: String) { products(productId: $id, first: 2, after: $after, status: $status) {
      nodes { version } pageInfo { hasNextPage endCursor } } }`
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const page: any = (await bank.execute(list, { id: productId, after })).data.products
      seen.push(...page.nodes.map(({ version }: any) => version))
      ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
    const { data } = await bank.execute(list, { id: productId, status: 'Active' })
    expect(data.products.nodes).toEqual([{ version: 'e' }])
    expect((await bank.execute(list, { status: 'nonsense' })).data.products.nodes).toEqual([])
  })
})

const quote = `mutation ($input: CreatePricingQuoteInput!) { createPricingQuote(input: $input) {
  pricingQuoteId productVersion ruleVersion ratePct aprcPct expiresAt currency
  components { kind ratePct source } fees { code amount { amount } } amount { amount }
  instalment { amount } totalPayable { amount } customer { customerId } } }`
const price = (input: object) => bank.execute(quote, { input })
const forAmount = (amount: string, termMonths = 12, currency = 'EUR') => ({
  amount: { amount, currency },
  termMonths,
})

describe('pricing quotes', () => {
  test('a loan has components that add up, fees, an instalment and an APRC', async () => {
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
      instalment: { amount: '1030.04' },
      expiresAt: '2026-04-01T09:00:00.000Z',
    })
    expect(Number(data.createPricingQuote.aprcPct)).toBeGreaterThan(5.64)
    const { pricingQuoteId } = data.createPricingQuote
    expect(await bank.fact(`quote/${pricingQuoteId}`)).toMatchObject({
      ratePct: '5.5',
      amountMinor: '1200000',
    })
    expect((await told(`quote/${pricingQuoteId}`)).map(({ type }) => type)).toEqual([
      'pricing.quote.created',
    ])
  })

  test('the same id with the same content is the same quote', async () => {
    const productId = await aProduct()
    const input = { pricingQuoteId: newId('quo'), productId }
    const first = await price(input)
    bank.clock.advance(1000)
    expect((await price(input)).data).toEqual(first.data)
    expect((await price({ ...input, discountPct: '0' })).code).toBe('RESOURCE_EXISTS')
  })

  test('what cannot be priced is refused', async () => {
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

  test('a personal quote is seen by whom it is for', async () => {
    const productId = await aProduct()
    const { data } = await price({ productId, customerId: 'cus_ada' })
    const read = 'query ($id: ID!) { pricingQuote(pricingQuoteId: $id) { customerId } }'
    const id = data.createPricingQuote.pricingQuoteId
    expect((await bank.execute(read, { id }, { caller: ada })).data.pricingQuote).toEqual({
      customerId: 'cus_ada',
    })
    expect((await bank.execute(read, { id }, { caller: grace })).code).toBe('QUOTE_NOT_FOUND')
  })
})

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
      expect((await bank.execute(read, { id }, { caller: ada })).code).toBe('OFFER_NOT_FOUND')
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
