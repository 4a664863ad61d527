import { CampaignStatus } from '../../../subgraphs/products/model/enumerations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import { eventually } from '../../kit/platform.ts'
import { campaignStates } from '../../../subgraphs/products/model/campaign.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  await bank.act(`mutation { createProduct(input: { productId: "prd_offer_loan", name: "Loan",
    productClass: "consumer-loan", status: "active", version: "2026.1", interest: { basePct: "5.90" } }) { productId } }`)
  await bank.act(`mutation { createProduct(input: { productId: "prd_fee", name: "Account",
    productClass: "current-account", status: "active", version: "2026.1", currencies: ["EUR"],
    fees: [{ code: "account", frequency: MONTHLY, amount: { amount: "4.50", currency: "EUR" } }] }) { productId } }`)
})
afterAll(() => bank.stop())

const create = (more: object) =>
  bank.graph(
    `mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { campaignId status segments } }`,
    {
      input: {
        name: 'Spring',
        status: 'active',
        productIds: ['prd_offer_loan', 'prd_fee'],
        validFrom: '2020-01-01',
        validTo: '2090-12-31',
        ...more,
      },
    },
  )
const codeOf = ({ body }: any) => body.errors?.[0].extensions.code as string | undefined

const quote = (campaignId: string, more: object = {}) =>
  bank.graph(
    `mutation ($input: CreatePricingQuoteInput!) { createPricingQuote(input: $input) {
      ratePct components { kind ratePct source } pricingQuoteId } }`,
    {
      input: {
        productId: 'prd_offer_loan',
        amount: { amount: '5000.00', currency: 'EUR' },
        termMonths: 12,
        campaignId,
        ...more,
      },
    },
  )

test('lowers a quote by its discount and names the source, and an offer at it reaches the customer', async () => {
  await create({ campaignId: 'cmp_spring', discountPct: '0.75' })
  const { body } = await quote('cmp_spring', { customerId: 'cus_ada' })
  const { ratePct, components, pricingQuoteId } = body.data.createPricingQuote
  expect(ratePct).toBe('5.15')
  expect(components.at(-1)).toEqual({
    kind: 'DISCOUNT',
    ratePct: '-0.75',
    source: 'campaign/cmp_spring',
  })
  await bank.act(`mutation { createProductOffer(input: { offerId: "off_spring", productId: "prd_offer_loan",
    pricingQuoteId: "${pricingQuoteId}", customerId: "cus_ada" }) { offerId } }`)
  await bank.act('mutation { publishProductOffer(offerId: "off_spring") { status } }')
  const { customer } = await bank.act(
    `{ customer(customerId: "cus_ada") { offers { nodes { offerId status } } } }`,
  )
  expect(customer.offers.nodes).toEqual([{ offerId: 'off_spring', status: 'ACTIVE' }])
})

test.each([
  ['for other customers', { segments: ['student'] }],
  ['for other products', { productIds: ['prd_fee'] }],
  ['over', { validTo: '2020-02-01' }],
  ['not begun', { status: 'draft' }],
])('rejects a quote with a campaign that is %s', async (name, more) => {
  const campaignId = `cmp_${name.replaceAll(' ', '_')}`
  await create({ campaignId, discountPct: '0.5', ...more })
  expect(codeOf(await quote(campaignId))).toBe('CAMPAIGN_NOT_APPLICABLE')
})

test('rejects a campaign with a manual discount; one that only waives fees leaves the rate', async () => {
  await create({ campaignId: 'cmp_both', discountPct: '0.5' })
  expect(codeOf(await quote('cmp_both', { discountPct: '1' }))).toBe('VALIDATION_FAILED')
  await create({ campaignId: 'cmp_fees', waivedFees: ['other'] })
  const { body } = await quote('cmp_fees', { productId: 'prd_fee', amount: null, termMonths: null })
  expect([body.errors, body.data?.createPricingQuote.ratePct]).toEqual([undefined, null])
})

test('rejects a quote with an unknown campaign, which is null in a query', async () => {
  expect(codeOf(await quote('cmp_none'))).toBe('CAMPAIGN_NOT_FOUND')
  expectAbsent((await bank.graph('{ campaign(campaignId: "cmp_none") { name } }')).body)
})

test.each([
  [{}, 'VALIDATION_FAILED'],
  [{ discountPct: '0' }, 'VALIDATION_FAILED'],
  [{ discountPct: '1', productIds: [] }, 'VALIDATION_FAILED'],
  [{ discountPct: '1', validTo: '2019-01-01' }, 'INVALID_DATE_RANGE'],
  [{ discountPct: '1', status: 'ended' }, 'INVALID_INITIAL_STATUS'],
])('rejects a campaign with %j', async (more, code) => {
  expect(codeOf(await create(more))).toBe(code)
})

test('shows a customer a campaign only while it is active for them', async () => {
  const token = bank.token({ partyId: 'pty_ada' })
  await create({ campaignId: 'cmp_seen', discountPct: '1', status: 'draft' })
  const seen = async () => {
    const queryGraph = (query: string) => bank.graph(query, {}, { token })
    const list = '{ campaigns(productId: "prd_fee", first: 200) { nodes { campaignId } } }'
    const ids = (await queryGraph(list)).body.data.campaigns.nodes.map(
      (node: any) => node.campaignId,
    )
    const one = await queryGraph('{ campaign(campaignId: "cmp_seen") { status } }')
    return [ids.includes('cmp_seen'), one.body.data.campaign?.status]
  }
  expect(await seen()).toEqual([false, undefined])
  await bank.act('mutation { activateCampaign(campaignId: "cmp_seen") { status } }')
  expect(await seen()).toEqual([true, 'ACTIVE'])
  await bank.act('mutation { withdrawCampaign(campaignId: "cmp_seen") { status } }')
  expect(await seen()).toEqual([false, undefined])
})

test('a fee run waives the fee for the segment of the campaign, and charges the others', async () => {
  const accounts = ['arr_fee_ada', 'arr_fee_eve']
  for (const step of [
    'createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Eve", familyName: "E" }) { partyId }',
    'createCustomer(input: { customerId: "cus_eve", partyId: "pty_eve", segment: "student" }) { customerId }',
    'startKyc(customerId: "cus_eve") { customerId }',
    'passKyc(customerId: "cus_eve", expiresOn: "2999-12-31") { customerId }',
    'activateCustomer(customerId: "cus_eve") { customerId }',
  ]) {
    await bank.act(`mutation { ${step} }`)
  }
  for (const [at, customerId] of ['cus_ada', 'cus_eve'].entries()) {
    await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "${accounts[at]}",
      customerId: "${customerId}", productId: "prd_fee", overdraftLimit: { amount: "100.00", currency: "EUR" } }) { state } }`)
  }
  await create({ campaignId: 'cmp_students', segments: ['STUDENT'], waivedFees: ['account'] })
  const to = new Date(bank.bank.now())
  to.setUTCMonth(to.getUTCMonth() + 2, 2)
  await bank.act('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', {
    to: to.toISOString(),
  })
  const runs = await eventually(async () => {
    const { feeRuns } = await bank.act(
      '{ feeRuns(productId: "prd_fee", status: "completed") { nodes { counts { charged waived } } } }',
    )
    return feeRuns.nodes.length > 0 && feeRuns.nodes
  })
  expect(runs.at(-1).counts).toEqual({ charged: 1, waived: 1 })
})

test.each(
  CampaignStatus.values.flatMap((from) =>
    (
      [
        ['activateCampaign', 'active'],
        ['endCampaign', 'ended'],
        ['withdrawCampaign', 'withdrawn'],
      ] as const
    ).map(([act, to]) => [from, act, to] as const),
  ),
)('from %s, %s makes its transition or is rejected', async (from, act, to) => {
  const campaignId = `cmp_${from}_${act}`
  await create({ campaignId, discountPct: '1', status: from === 'draft' ? 'draft' : 'active' })
  if (from === 'ended')
    await bank.act(`mutation { endCampaign(campaignId: "${campaignId}") { status } }`)
  if (from === 'withdrawn') {
    await bank.act(`mutation { withdrawCampaign(campaignId: "${campaignId}") { status } }`)
  }
  const answer = await bank.graph(`mutation { ${act}(campaignId: "${campaignId}") { status } }`)
  const isAllowed = campaignStates.table[from].includes(to)
  expect(codeOf(answer)).toBe(isAllowed ? undefined : 'INVALID_STATE_TRANSITION')
  const { campaign } = await bank.act(`{ campaign(campaignId: "${campaignId}") { status } }`)
  expect(campaign.status).toBe((isAllowed ? to : from).toUpperCase())
})
