/** What changes the interest of an account: back-dated postings, repricing, a rate of its own, its closure. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPayments } from '../../../ledger/entries.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  ada,
  anAccount,
  anInterestBank,
  aProduct,
  aVersion,
  balanceOf,
  interestOf,
  newId,
  post,
  reconcile,
  start,
  terms,
  type InterestBank,
} from './kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
})
afterAll(() => bank.drop())

/** Each test has accounts of its own, opened on the same day. */
async function fresh(more: object = {}, holds?: string) {
  bank.clock.set(start)
  const productId = await aProduct(bank, more)
  const arrangementId = await anAccount(bank, productId, holds)
  await bank.follow()
  return { productId, arrangementId }
}

describe('Corrections and repricing', () => {
  test('a back-dated posting accrues the days from its value date again', async () => {
    const { arrangementId } = await fresh()
    await bank.night('2026-01-21')
    const postingId = await post(bank, arrangementId, 'IN', '1000.00', '2026-01-11')
    await bank.night('2026-01-22')
    const found = await interestOf(bank, arrangementId)
    // 21 days on 1,000 and 11 of them on another 1,000.
    expect(found.accrued).toEqual({ amount: '3.20' })
    expect(found.adjustments.nodes).toEqual([
      {
        firstDay: '2026-01-11',
        lastDay: '2026-01-20',
        causedBy: [postingId],
        amount: { amount: '1.00' },
      },
    ])
    expect(found.accruals.nodes[10].balance).toEqual({ amount: '2000.00' })
    const [posting] = await bank.rows(
      `select details from ledger.posting_instruction where details like '%Interest adjustment%'
       order by booked_at desc limit 1`,
    )
    expect(posting!['details']).toContain('2026-01-11 to 2026-01-20')
    await reconcile(bank)
  })

  test('a back-dated posting of a billion is corrected exactly', async () => {
    const { arrangementId } = await fresh()
    await post(bank, arrangementId, 'IN', '1000000000.00')
    await bank.night('2026-01-21')
    await post(bank, arrangementId, 'IN', '1000000000.00', '2026-01-11')
    await bank.night('2026-01-22')
    const { accrued, adjustments } = await interestOf(bank, arrangementId)
    // 21 days on 1,000,001,000.00 and 11 of them on another 1,000,000,000.00.
    expect(accrued).toEqual({ amount: '3200002.10' })
    expect(adjustments.nodes[0].amount).toEqual({ amount: '1000000.00' })
    await reconcile(bank)
  })

  test('a new version reprices existing accounts from its day on', async () => {
    const { arrangementId, productId } = await fresh()
    await bank.night('2026-01-11')
    await aVersion(bank, productId, '2026.2', {
      ...terms,
      tiers: [{ annualRatePct: '7.30' }],
      existingAccountsFrom: '2026-01-16',
    })
    const before = await interestOf(bank, arrangementId)
    expect(before.terms).toEqual({ version: '2026.1' })
    await bank.night('2026-01-21')
    // 15 days of 0.10 and 5 of 0.20.
    expect(await interestOf(bank, arrangementId)).toMatchObject({
      accrued: { amount: '2.50' },
      terms: { version: '2026.2' },
    })
    const late = { ...terms, existingAccountsFrom: '2026-01-20' }
    await expect(aVersion(bank, productId, '2026.3', late)).rejects.toMatchObject({
      code: 'INVALID_DATE_RANGE',
    })
  })

  test('a product that begins to pay interest pays it on its existing accounts', async () => {
    bank.clock.set(start)
    const productId = newId('prd')
    await aVersion(bank, productId, '2026.1', null)
    const arrangementId = await anAccount(bank, productId)
    await bank.night('2026-01-11')
    await aVersion(bank, productId, '2026.2', { ...terms, existingAccountsFrom: '2026-01-11' })
    await bank.night('2026-01-21')
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '1.00' })
  })

  test('a rate for one account applies once another person has approved it', async () => {
    const { arrangementId } = await fresh()
    const proposer = aCaller({ subject: 'employee' })
    const approver = aCaller({ subject: 'officer' })
    const { proposeInterestRateOverride } = await bank.act(
      `mutation { proposeInterestRateOverride(input: { arrangementId: "${arrangementId}",
        annualRatePct: "36.5", validFrom: "2026-01-02", validTo: "2026-01-03", reason: "Promised" }) {
        rateOverrideId state } }`,
      {},
      proposer,
    )
    const { rateOverrideId } = proposeInterestRateOverride
    const approve = `mutation { approveInterestRateOverride(rateOverrideId: "${rateOverrideId}") { state } }`
    await expect(bank.act(approve, {}, proposer)).rejects.toMatchObject({
      code: 'SEGREGATION_OF_DUTIES',
    })
    expect(await bank.act(approve, {}, approver)).toEqual({
      approveInterestRateOverride: { state: 'APPROVED' },
    })
    await bank.night('2026-01-05')
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '2.20' })
  })
})

describe('Preview', () => {
  test('equals what the account then earns', async () => {
    const { arrangementId } = await fresh({ withholdingTaxPct: '25' })
    const { previewInterest } = await bank.act(
      `{ previewInterest(arrangementId: "${arrangementId}", until: "2026-04-01") {
        from balance { amount } gross { amount } taxWithheld { amount } net { amount } } }`,
      {},
      ada,
    )
    await bank.night('2026-02-01')
    await bank.night('2026-03-01')
    await bank.night('2026-04-01')
    const { paidThisYear, taxWithheldThisYear } = await interestOf(bank, arrangementId)
    expect(previewInterest).toMatchObject({
      from: '2026-01-01',
      balance: { amount: '1000.00' },
      gross: paidThisYear,
      taxWithheld: taxWithheldThisYear,
    })
  })
})

test('a negative rate charges the customer, and the charge is no payment of the customer', async () => {
  const { arrangementId } = await fresh({ tiers: [{ annualRatePct: '-3.65' }] })
  const after = new Date(start)
  await bank.night('2026-02-01')
  // 31 days of -0.10.
  expect(await balanceOf(bank, arrangementId)).toBe('996.90')
  const month = { after, upTo: bank.bank.now() }
  expect(await readPayments(bank.bank.pool, [arrangementId], month)).toEqual(new Map())
  await post(bank, arrangementId, 'OUT', '20.00')
  const payments = await readPayments(bank.bank.pool, [arrangementId], month)
  expect(payments.get(arrangementId)).toEqual({ count: 1, sumMinor: 2000n })
})

describe('Closure', () => {
  const move = (name: string, arrangementId: string) =>
    bank.act(`mutation { ${name}(arrangementId: "${arrangementId}") { state } }`)

  test('pays the interest through the day before, and waits for it', async () => {
    const { arrangementId } = await fresh({ capitalization: 'AT_MATURITY' })
    await bank.night('2026-01-11')
    await move('requestAccountArrangementClosure', arrangementId)
    await post(bank, arrangementId, 'OUT', '1000.00')
    await expect(move('closeAccountArrangement', arrangementId)).rejects.toMatchObject({
      code: 'INTEREST_OUTSTANDING',
    })
    await bank.follow()
    await bank.accrue()
    expect(await balanceOf(bank, arrangementId)).toBe('1.00')
    await post(bank, arrangementId, 'OUT', '1.00')
    await move('closeAccountArrangement', arrangementId)
    await bank.night('2026-01-20')
    const { rows } = bank
    const [position] = await rows('select * from interest.position where arrangement_id = $1', [
      arrangementId,
    ])
    expect(position).toMatchObject({
      is_ended: true,
      accrued_minor: '100',
      capitalized_minor: '100',
    })
    await reconcile(bank)
  })

  test('tries a rejected payment again when the next day has ended, and not without a pause', async () => {
    const { arrangementId } = await fresh({ capitalization: 'AT_MATURITY' })
    await bank.night('2026-01-11')
    await move('requestAccountArrangementClosure', arrangementId)
    const suspend = (isSuspended: boolean) =>
      bank.rows(
        'update ledger.balance set is_suspended = $2, stamp = gen_random_uuid() where account_id = $1',
        [arrangementId, isSuspended],
      )
    await suspend(true)
    await bank.follow()
    // Ends only if the worker finds nothing more to do.
    await bank.accrue()
    expect(await balanceOf(bank, arrangementId)).toBe('1000.00')
    await suspend(false)
    await bank.night('2026-01-12')
    expect(Number(await balanceOf(bank, arrangementId))).toBeGreaterThan(1000)
  })
})
