import { afterAll, beforeAll, expect, test } from 'vitest'
import { bank, content, create, newId, openBank } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const monthly = { code: 'account', frequency: 'MONTHLY' }
const write = (fees: object[], more: object = {}) =>
  bank.execute(create, { input: content(newId('prd'), { fees, ...more }) })

const every = [
  {
    ...monthly,
    name: 'Account fee',
    amount: eur('4.50'),
    waivers: [
      { kind: 'MINIMUM_BALANCE', minimumBalance: eur('2000.00') },
      { kind: 'CUSTOMER_SEGMENT', segment: 'student' },
      { kind: 'ACCOUNT_AGE', months: 6 },
      { kind: 'CAMPAIGN', campaignCode: 'spring', from: '2026-03-01', to: '2026-04-30' },
    ],
  },
  {
    code: 'custody',
    frequency: 'QUARTERLY',
    percent: '0.05',
    minimum: eur('1.00'),
    maximum: eur('9.00'),
  },
  {
    code: 'balance',
    frequency: 'YEARLY',
    tiers: [{ upTo: eur('1000.00'), amount: eur('12.00') }, { percent: '0.10' }],
  },
  { code: 'payment', frequency: 'PER_EVENT', amount: eur('0.25') },
  { code: 'opening', frequency: 'UPFRONT', amount: eur('10.00') },
  { code: 'sent', frequency: 'ON_EVENT', trigger: 'PAYMENT_SENT', amount: eur('0.50') },
  { code: 'copy', frequency: 'ON_REQUEST', thirdParty: 'notary', amount: eur('9.00') },
]

test('returns every kind of fee as it was written, and publishes it', async () => {
  const productId = newId('prd')
  expect(
    (await bank.execute(create, { input: content(productId, { fees: every }) })).errors,
  ).toEqual([])
  const { data } = await bank.execute(
    `query ($productId: ID!) { product(productId: $productId) { fees { code name frequency
      amount { amount currency } percent minimum { amount currency } maximum { amount currency }
      tiers { upTo { amount currency } amount { amount currency } percent } trigger thirdParty
      waivers { kind minimumBalance { amount currency } segment months campaignCode from to } } } }`,
    { productId },
  )
  // Members that were left out are null or empty.
  expect(withoutNothing(data.product.fees)).toEqual(every)
  const fact = (await bank.fact(`product/${productId}`)) as { versions: { fees: object[] }[] }
  expect(fact.versions[0]!.fees).toMatchObject([
    {
      code: 'account',
      amount: { amountMinor: '450', currency: 'EUR' },
      waivers: [{ kind: 'minimum-balance', amount: { amountMinor: '200000' } }, {}, {}, {}],
    },
    { code: 'custody', frequency: 'quarterly', percent: '0.05' },
    { code: 'balance', tiers: [{ upTo: { amountMinor: '100000' } }, { upTo: null }] },
    { code: 'payment', frequency: 'per-event' },
    { code: 'opening', frequency: 'upfront' },
    { code: 'sent', frequency: 'on-event', trigger: 'payment-sent' },
    { code: 'copy', frequency: 'on-request', thirdParty: 'notary' },
  ])
})

test.each<[string, object, string]>([
  ['no price', {}, '/fees/0/amount'],
  ['two prices', { amount: eur('1.00'), percent: '1' }, '/fees/0/amount'],
  ['a negative amount', { amount: eur('-1.00') }, '/fees/0/amount'],
  [
    'a currency that the product does not have',
    { amount: { amount: '1', currency: 'JPY' } },
    '/fees/0/amount',
  ],
  [
    'two currencies',
    { amount: eur('1'), minimum: { amount: '1', currency: 'USD' } },
    '/fees/0/amount',
  ],
  ['a percentage above 100', { percent: '100.01' }, '/fees/0/percent'],
  [
    'a minimum above the maximum',
    { percent: '1', minimum: eur('2'), maximum: eur('1') },
    '/fees/0/minimum',
  ],
  ['tiers without an open end', { tiers: [{ upTo: eur('1'), percent: '1' }] }, '/fees/0/tiers'],
  [
    'an open end before the last tier',
    { tiers: [{ percent: '1' }, { percent: '2' }] },
    '/fees/0/tiers',
  ],
  [
    'tiers in descending order',
    {
      tiers: [{ upTo: eur('2'), percent: '1' }, { upTo: eur('1'), percent: '1' }, { percent: '1' }],
    },
    '/fees/0/tiers',
  ],
  ['a tier without a price', { tiers: [{}] }, '/fees/0/tiers'],
  [
    'an account age of zero months',
    { percent: '1', waivers: [{ kind: 'ACCOUNT_AGE', months: 0 }] },
    '/fees/0/waivers/0',
  ],
  [
    'a waiver without a condition',
    { percent: '1', waivers: [{ kind: 'ACCOUNT_AGE' }] },
    '/fees/0/waivers/0',
  ],
  [
    'a waiver with two conditions',
    { percent: '1', waivers: [{ kind: 'ACCOUNT_AGE', months: 1, segment: 'x' }] },
    '/fees/0/waivers/0',
  ],
  [
    'a campaign that ends before it starts',
    {
      percent: '1',
      waivers: [{ kind: 'CAMPAIGN', campaignCode: 'x', from: '2026-02-01', to: '2026-01-01' }],
    },
    '/fees/0/waivers/0',
  ],
])('rejects %s with a pointer to it', async (_what, terms, pointer) => {
  const { code, errors } = await write([{ ...monthly, ...terms }], { currencies: ['EUR', 'USD'] })
  expect(code).toBe('VALIDATION_FAILED')
  expect(errors[0]!.extensions!['errors']).toMatchObject([{ pointer }])
})

test('applies tiers and bounds in a quote, and counts the quarterly fees of a loan', async () => {
  const productId = newId('prd')
  const loan = {
    productClass: 'consumer-loan',
    fees: [
      { code: 'tiered', frequency: 'UPFRONT', tiers: every[2]!.tiers },
      { code: 'bounded', frequency: 'QUARTERLY', percent: '5', maximum: eur('7.00') },
    ],
  }
  await bank.execute(create, { input: content(productId, loan) })
  const { data } = await bank.execute(
    `mutation ($productId: ID!) { createPricingQuote(input: { productId: $productId, termMonths: 12,
      amount: { amount: "1200.00", currency: "EUR" } }) { fees { code amount { amount } } totalPayable { amount } } }`,
    { productId },
  )
  expect(data.createPricingQuote).toEqual({
    fees: [
      { code: 'tiered', amount: { amount: '1.20' } },
      { code: 'bounded', amount: { amount: '7.00' } },
    ],
    // 1,200.00 without interest, once 1.20, four times 7.00.
    totalPayable: { amount: '1229.20' },
  })
})

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([, item]) => item !== null && !(Array.isArray(item) && item.length === 0),
  )
  return Object.fromEntries(members.map(([name, item]) => [name, withoutNothing(item)]))
}
