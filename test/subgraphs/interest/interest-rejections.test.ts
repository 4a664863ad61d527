/** What the bank rejects about interest, and who may change it. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller, employee } from '../../kit/subgraph.ts'
import {
  ada,
  anAccount,
  anInterestBank,
  aProduct,
  aVersion,
  eur,
  newId,
  terms,
  type InterestBank,
} from './kit.ts'

let bank: InterestBank
let earning: string
let plain: string
beforeAll(async () => {
  bank = await anInterestBank()
  earning = await anAccount(bank, await aProduct(bank))
  const plainId = newId('prd')
  await aVersion(bank, plainId, '2026.1', null)
  plain = await anAccount(bank, plainId)
  await bank.follow()
})
afterAll(() => bank.drop())

const codeOf = (document: string, caller = employee) =>
  bank.act(document, {}, caller).then(
    () => null,
    (problem: { code?: string }) => problem.code,
  )

describe('Changes', () => {
  const propose = (more: string, account = earning) =>
    `mutation { proposeInterestRateOverride(input: { arrangementId: "${account}", reason: "Promised",
      ${more} }) { state } }`
  const grant = (more: string, account = earning) =>
    `mutation { grantInterestTaxExemption(input: { arrangementId: "${account}", reason: "Certificate",
      ${more} }) { state } }`
  const payout = (to: string) =>
    `mutation { setInterestPayout(arrangementId: "${earning}", payoutArrangementId: "${to}") { accruedThrough } }`

  test.each<[string, () => string, string]>([
    [
      'interest of an account that earns none',
      () => `mutation { accrueInterest(arrangementId: "${plain}") { accruedThrough } }`,
      'INTEREST_NOT_FOUND',
    ],
    [
      'a payment of interest that is not earned',
      () => `mutation { payOutInterest(arrangementId: "${plain}") { accruedThrough } }`,
      'INTEREST_NOT_FOUND',
    ],
    ['a payout to an unknown account', () => payout('arr_unknown'), 'PAYOUT_ACCOUNT_NOT_ALLOWED'],
    ['a payout to the account itself', () => payout(earning), 'PAYOUT_ACCOUNT_NOT_ALLOWED'],
    [
      'a rate from a day that has passed',
      () => propose('annualRatePct: "1", validFrom: "2025-12-31"'),
      'INVALID_DATE_RANGE',
    ],
    [
      'a rate that ends before it begins',
      () => propose('annualRatePct: "1", validFrom: "2026-02-02", validTo: "2026-02-01"'),
      'INVALID_DATE_RANGE',
    ],
    [
      'a rate above 100 percent',
      () => propose('annualRatePct: "100.1", validFrom: "2026-02-01"'),
      'VALIDATION_FAILED',
    ],
    [
      'a rate with too many decimals',
      () => propose('annualRatePct: "1.0000001", validFrom: "2026-02-01"'),
      'VALIDATION_FAILED',
    ],
    [
      'a rate for an account that earns none',
      () => propose('annualRatePct: "1", validFrom: "2026-02-01"', plain),
      'INTEREST_NOT_FOUND',
    ],
    [
      'a decision on an unknown rate',
      () => 'mutation { approveInterestRateOverride(rateOverrideId: "iro_none") { state } }',
      'RATE_OVERRIDE_NOT_FOUND',
    ],
    [
      'an exemption that ends before it begins',
      () => grant('validFrom: "2026-02-02", validTo: "2026-02-01"'),
      'INVALID_DATE_RANGE',
    ],
    [
      'the revocation of an unknown exemption',
      () => 'mutation { revokeInterestTaxExemption(taxExemptionId: "itx_none") { state } }',
      'TAX_EXEMPTION_NOT_FOUND',
    ],
  ])('%s is rejected', async (_name, document, code) => {
    expect(await codeOf(document())).toBe(code)
  })

  test.each<[string, () => string]>([
    [
      'accrueInterest',
      () => `mutation { accrueInterest(arrangementId: "${earning}") { accruedThrough } }`,
    ],
    [
      'payOutInterest',
      () => `mutation { payOutInterest(arrangementId: "${earning}") { accruedThrough } }`,
    ],
    ['setInterestPayout', () => payout(plain)],
    ['proposeInterestRateOverride', () => propose('annualRatePct: "9", validFrom: "2026-02-01"')],
    ['grantInterestTaxExemption', () => grant('validFrom: "2026-02-01"')],
  ])('the customer cannot call %s', async (_name, document) => {
    expect(await codeOf(document(), ada)).toBe('NOT_FOR_DELEGATED_USERS')
  })

  test('a machine cannot grant an exemption or redirect interest', async () => {
    const machine = aCaller()
    expect(await codeOf(grant('validFrom: "2026-02-01"'), machine)).toBe('PERSON_REQUIRED')
    expect(await codeOf(payout(plain), machine)).toBe('PERSON_REQUIRED')
  })

  test('a revoked exemption cannot be revoked again', async () => {
    await bank.act(grant('taxExemptionId: "itx_one", validFrom: "2026-02-01"'))
    const revoke =
      'mutation { revokeInterestTaxExemption(taxExemptionId: "itx_one") { state revokedOn } }'
    expect(await bank.act(revoke)).toEqual({
      revokeInterestTaxExemption: { state: 'REVOKED', revokedOn: '2026-01-01' },
    })
    expect(await codeOf(revoke)).toBe('INVALID_STATE_TRANSITION')
    const { interestTaxExemptions } = await bank.act(
      `{ interestTaxExemptions(arrangementId: "${earning}", state: REVOKED) { nodes { taxExemptionId } } }`,
    )
    expect(interestTaxExemptions.nodes).toEqual([{ taxExemptionId: 'itx_one' }])
  })
})

test('clients cannot post to the payable account, nor reverse its postings', async () => {
  const account = await anAccount(bank, await aProduct(bank))
  await bank.night('2026-02-01')
  const [row] = await bank.rows(
    'select posting_instruction_id as id from interest.capitalization where arrangement_id = $1',
    [account],
  )
  const reversal = `mutation { createPostingInstruction(input: { reversesId: "${row!['id']}" }) { status } }`
  expect(await codeOf(reversal, aCaller())).toBe('POSTING_NOT_REVERSIBLE')
  const entry = (side: string, internal: string) =>
    `{ account: "${internal}/EUR", side: ${side}, amount: { amount: "1.00", currency: "EUR" } }`
  const custom = `mutation { createPostingInstruction(input: { entries: [
    ${entry('DEBIT', 'interest-expense')}, ${entry('CREDIT', 'accrued-interest-payable')} ] }) { status } }`
  expect(await codeOf(custom, aCaller())).toBe('CONTROL_ACCOUNT_NOT_POSTABLE')
})

describe('Terms of a product version', () => {
  const create = (depositInterest: object, more: object = {}) =>
    bank
      .act(
        'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
        {
          input: {
            productId: newId('prd'),
            name: 'Savings',
            productClass: 'savings-account',
            status: 'active',
            version: '2026.1',
            depositInterest: { ...terms, ...depositInterest },
            ...more,
          },
        },
      )
      .then(
        () => [],
        (problem) =>
          problem.members.errors.map(({ pointer }: { pointer: string }) =>
            pointer.replace('/input/', '/'),
          ),
      )
  const bounded = [{ upTo: eur('100.00'), annualRatePct: '1' }, { annualRatePct: '2' }]

  test.each<[string, object, object, string[]]>([
    ['tiers', { tiers: bounded }, {}, []],
    ['no tier', { tiers: [] }, {}, ['/depositInterest/tiers']],
    ['a last tier with a bound', { tiers: bounded.slice(0, 1) }, {}, ['/depositInterest/tiers']],
    [
      'descending bounds',
      { tiers: [{ upTo: eur('200.00'), annualRatePct: '1' }, ...bounded] },
      {},
      ['/depositInterest/tiers'],
    ],
    [
      'a rate above 100',
      { tiers: [{ annualRatePct: '100.5' }] },
      {},
      ['/depositInterest/tiers/0/annualRatePct'],
    ],
    [
      'seven decimals',
      { tiers: [{ annualRatePct: '1.0000001' }] },
      {},
      ['/depositInterest/tiers/0/annualRatePct'],
    ],
    ['a tax above 100', { withholdingTaxPct: '101' }, {}, ['/depositInterest/withholdingTaxPct']],
    [
      'bounds in one of two currencies',
      { tiers: bounded },
      { currencies: ['EUR', 'USD'] },
      ['/depositInterest'],
    ],
    ['two currencies without bounds', {}, { currencies: ['EUR', 'USD'] }, []],
    [
      'a negative minimum',
      { minimumBalance: eur('-1.00') },
      {},
      ['/depositInterest/minimumBalance'],
    ],
    ['a loan', {}, { productClass: 'consumer-loan' }, ['/productClass']],
    [
      'a repricing in the past',
      { existingAccountsFrom: '2025-12-31' },
      {},
      ['/depositInterest/existingAccountsFrom'],
    ],
  ])('%s', async (_name, depositInterest, more, pointers) => {
    expect(await create(depositInterest, more)).toEqual(pointers)
  })

  test('are returned as they were created', async () => {
    const productId = await aProduct(bank, { tiers: bounded, minimumBalance: eur('5.00') })
    const { product } = await bank.act(
      `{ product(productId: "${productId}") { depositInterest { tierMethod dayCount capitalization
        withholdingTaxPct existingAccountsFrom minimumBalance { amount currency }
        tiers { upTo { amount currency } annualRatePct } } } }`,
    )
    expect(product.depositInterest).toEqual({
      tierMethod: 'BAND',
      dayCount: 'ACT_365',
      capitalization: 'MONTHLY',
      withholdingTaxPct: '0',
      existingAccountsFrom: null,
      minimumBalance: eur('5.00'),
      tiers: [bounded[0], { upTo: null, annualRatePct: '2' }],
    })
  })
})
