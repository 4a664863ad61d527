/** The statements of both accounts of an exchange show the rate and the amount on the other side. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { runMutation, runQuery } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
  await runMutation(
    bank,
    `createProduct(input: { productId: "prd_fx", name: "Foreign currency account", productClass: "current-account",
      status: "active", version: "2026.1", currencies: ["USD"] }) { productId }`,
  )
  await runMutation(
    bank,
    'openAccountArrangement(input: { arrangementId: "arr_ada_usd", customerId: "cus_ada", productId: "prd_fx" }) { currency }',
  )
}, 120_000)
afterAll(() => bank.stop())

test('selling euros for dollars shows the rate and the counter-amount in both statements', async () => {
  const token = bank.token({ partyId: 'pty_ada' })
  const input = `{ debtorArrangementId: "arr_ada_current", creditorArrangementId: "arr_ada_usd",
    amount: { amount: "50.00", currency: "EUR" } }`
  const { exchangeQuote } = await runQuery(
    bank,
    `exchangeQuote(input: ${input}) { bought { amount currency } exchange { exchangeRateId asOf } }`,
    { token },
  )
  expect(exchangeQuote.bought).toEqual({ amount: '54.25', currency: 'USD' })
  const { exchangeRateId, asOf } = exchangeQuote.exchange
  await runMutation(
    bank,
    `createTransfer(input: { debtorArrangementId: "arr_ada_current", creditorArrangementId: "arr_ada_usd",
      amount: { amount: "50.00", currency: "EUR" }, exchangeRateId: "${exchangeRateId}",
      remittanceInformation: "Journey" }) { state }`,
    { token },
  )
  const newest = async (arrangementId: string) => {
    const { accountArrangement } = await runQuery(
      bank,
      `accountArrangement(arrangementId: "${arrangementId}") { entries(first: 1, newestFirst: true) { nodes { side amount
        currency remittanceInformation counterparty { kind name } exchange { counterAmount { amount currency } rate
        source asOf } } } }`,
      { token },
    )
    return accountArrangement.entries.nodes[0]
  }
  const shared = {
    remittanceInformation: 'Journey',
    counterparty: { kind: 'CUSTOMER', name: 'Ada Lovelace' },
  }
  const rate = { rate: 'EUR/USD 1.0850', source: 'sandbox', asOf }
  expect(await newest('arr_ada_current')).toEqual({
    side: 'DEBIT',
    amount: '50.00',
    currency: 'EUR',
    ...shared,
    exchange: { counterAmount: { amount: '54.25', currency: 'USD' }, ...rate },
  })
  expect(await newest('arr_ada_usd')).toEqual({
    side: 'CREDIT',
    amount: '54.25',
    currency: 'USD',
    ...shared,
    exchange: { counterAmount: { amount: '50.00', currency: 'EUR' }, ...rate },
  })
  const { trialBalance } = await runQuery(bank, 'trialBalance(currency: "USD") { difference }')
  expect(trialBalance.difference).toBe('0.00')
})
