/** Interest of accounts through the graph: accrued each night, paid by the calendar, corrected and repriced. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('Nightly accrual', () => {
  test('each night adds the interest of the day, and the ledger has its rounded total', async () => {
    const { arrangementId } = await fresh({ tiers: [{ annualRatePct: '1.111111' }] })
    await bank.night('2026-01-02')
    expect(await interestOf(bank, arrangementId)).toMatchObject({
      accruedThrough: '2026-01-01',
      accrued: { amount: '0.03' },
      accruals: {
        nodes: [
          { accruedOn: '2026-01-01', balance: { amount: '1000.00' }, exactAmount: '0.0304413973' },
        ],
      },
    })
    await bank.night('2026-01-11')
    const { accrued, accruals } = await interestOf(bank, arrangementId)
    // Twenty days of 0.0304414 are 0.61, and not twenty times 0.03: only the total is rounded.

    expect(accrued).toEqual({ amount: '0.30' })
    expect(accruals.nodes).toHaveLength(10)
    await bank.night('2026-01-21')
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '0.61' })
    await reconcile(bank)
  })

  test('a second run of the same night adds nothing', async () => {
    const { arrangementId } = await fresh()
    await bank.night('2026-01-05')
    const [before] = await bank.rows('select count(*)::int as n from ledger.posting_instruction')
    await bank.accrue()
    await bank.act(
      `mutation { accrueInterest(arrangementId: "${arrangementId}") { accruedThrough } }`,
    )
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '0.40' })
    expect(await bank.rows('select count(*)::int as n from ledger.posting_instruction')).toEqual([
      before,
    ])
  })

  test('an account without interest terms has none', async () => {
    bank.clock.set(start)
    const productId = newId('prd')
    await aVersion(bank, productId, '2026.1', null)
    const arrangementId = await anAccount(bank, productId)
    await bank.night('2026-01-05')
    expect(await interestOf(bank, arrangementId)).toBeNull()
  })

  test('customers see the interest of their own accounts only', async () => {
    const { arrangementId } = await fresh()
    expect(await interestOf(bank, arrangementId, ada)).toMatchObject({
      accrued: { amount: '0.00' },
    })
    const other = aCaller({ partyId: 'pty_other' })
    const query = `{ accountArrangement(arrangementId: "${arrangementId}") { interest { accruedThrough } } }`
    expect(await bank.act(query, {}, other)).toEqual({ accountArrangement: null })
    const preview = `{ previewInterest(arrangementId: "${arrangementId}", until: "2026-02-01") { from } }`
    expect(await bank.act(preview, {}, other)).toEqual({ previewInterest: null })
  })
})

describe('Capitalization', () => {
  test('pays each month, withholds tax, and the paid interest earns interest', async () => {
    const { arrangementId } = await fresh({ withholdingTaxPct: '25' })
    await bank.night('2026-02-01')
    // 31 days of 0.10, of which a quarter, rounded down, is withheld.
    expect(await balanceOf(bank, arrangementId)).toBe('1002.33')
    expect(await interestOf(bank, arrangementId)).toMatchObject({
      accrued: { amount: '0.00' },
      paidThisYear: { amount: '3.10' },
      taxWithheldThisYear: { amount: '0.77' },
      nextCapitalizationOn: '2026-03-01',
      capitalizations: {
        nodes: [
          {
            reason: 'CALENDAR',
            periodStart: '2026-01-01',
            periodEnd: '2026-01-31',
            effectiveOn: '2026-02-01',
            gross: { amount: '3.10' },
            taxWithheld: { amount: '0.77' },
            net: { amount: '2.33' },
          },
        ],
      },
    })
    const { accountArrangement } = await bank.act(
      `{ accountArrangement(arrangementId: "${arrangementId}") { entries(newestFirst: true, first: 1) {
        nodes { amount valueDate remittanceInformation counterparty { kind name } } } } }`,
    )
    expect(accountArrangement.entries.nodes).toEqual([
      {
        amount: '2.33',
        valueDate: '2026-02-01',
        remittanceInformation:
          'Interest 2026-01-01 to 2026-01-31 (3.10 EUR less 0.77 EUR withholding tax)',
        counterparty: { kind: 'BANK', name: 'Bank' },
      },
    ])
    await bank.night('2026-02-02')
    const { accruals } = await interestOf(bank, arrangementId)
    expect(accruals.nodes[0].balance).toEqual({ amount: '1002.33' })
    const events = (await bank.events()).filter(
      ({ subject }) => subject === `interest/${arrangementId}`,
    )
    expect(events).toMatchObject([
      { type: 'accounts.interest.capitalized', data: { net: '2.33' }, parties: ['pty_ada'] },
    ])
    await reconcile(bank)
  })

  test('an exemption keeps the tax, and a payout goes to another account of the customer', async () => {
    const { arrangementId } = await fresh({ withholdingTaxPct: '25' })
    const plainId = newId('prd')
    await aVersion(bank, plainId, '2026.1', null)
    const payoutId = await anAccount(bank, plainId, '0.00')
    await bank.act(`mutation { grantInterestTaxExemption(input: { arrangementId: "${arrangementId}",
      validFrom: "2026-01-01", validTo: "2026-02-28", reason: "Certificate 17" }) { state } }`)
    await bank.act(`mutation { setInterestPayout(arrangementId: "${arrangementId}",
      payoutArrangementId: "${payoutId}") { accruedThrough } }`)
    await bank.night('2026-02-01')
    expect(await balanceOf(bank, payoutId)).toBe('3.10')
    expect(await balanceOf(bank, arrangementId)).toBe('1000.00')
    await bank.night('2026-03-01')
    // The exemption ended on the last day of February; 28 days earned 2.80 less 0.70.
    expect(await balanceOf(bank, payoutId)).toBe('5.20')
    await reconcile(bank)
  })

  test('interest that the customer owes stays accrued while the account cannot pay', async () => {
    const { arrangementId } = await fresh({ tiers: [{ annualRatePct: '-3.65' }] })
    bank.clock.set('2026-01-31T12:00:00.000Z')
    await post(bank, arrangementId, 'OUT', '1000.00')
    await bank.night('2026-02-02')
    expect(await interestOf(bank, arrangementId)).toMatchObject({
      accrued: { amount: '-3.00' },
      capitalizations: { nodes: [] },
    })
    await post(bank, arrangementId, 'IN', '500.00')
    await bank.night('2026-03-01')
    const { capitalizations } = await interestOf(bank, arrangementId)
    expect(capitalizations.nodes).toMatchObject([
      { periodStart: '2026-01-01', periodEnd: '2026-02-28', net: { amount: '-4.35' } },
    ])
    expect(await balanceOf(bank, arrangementId)).toBe('495.65')
    await reconcile(bank)
  })
})
