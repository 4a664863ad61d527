/** Customers exchange currencies between their own accounts, at the rate in force only. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount } from './kit.ts'
import { aBankWithMoney, ada, findings, grace, publishAccount } from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
  for (const [id, currency, partyId, iban] of [
    ['arr_usd', 'USD', 'pty_ada', 'NL55BKGR0000000003'],
    ['arr_yen', 'JPY', 'pty_ada', 'NL28BKGR0000000004'],
    ['arr_chf', 'CHF', 'pty_ada', 'NL98BKGR0000000005'],
    ['arr_gbp', 'GBP', 'pty_grace', 'NL71BKGR0000000006'],
  ] as const) {
    await anAccount(bank, id, { currency })
    await bank.rows('update ledger.account set party_id = $2 where account_id = $1', [id, partyId])
    await publishAccount(bank, iban, { arrangementId: id, partyId, currency } as never)
  }
  await load('USD', '1.0850')
  await load('JPY', '163.40')
})
afterAll(() => bank.drop())
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

async function load(quoteCurrency: string, rate: string, more: object = {}): Promise<string> {
  const { data, errors } = await bank.execute(
    'mutation ($rates: [ExchangeRateInput!]!) { rates: loadExchangeRates(rates: $rates) { exchangeRateId } }',
    { rates: [{ baseCurrency: 'EUR', quoteCurrency, rate, source: 'ECB', ...more }] },
  )
  expect(errors).toEqual([])
  return data.rates[0].exchangeRateId
}

const exchangeFields = 'exchange { exchangeRateId baseCurrency quoteCurrency rate source asOf }'
const money = (amount: string, currency: string) => ({ amount, currency })
const order = (amount: object, more: object = {}) => ({
  debtorArrangementId: 'arr_ada',
  creditorArrangementId: 'arr_usd',
  amount,
  ...more,
})
const quote = (input: object, caller = ada) =>
  bank.execute(
    `query ($input: ExchangeQuoteInput!) { quote: exchangeQuote(input: $input) {
      sold { amount currency } bought { amount currency } ${exchangeFields} } }`,
    { input },
    { caller },
  )
const transfer = (input: object, options: object = { caller: ada }) =>
  bank.execute(
    `mutation ($input: CreateTransferInput!) { transfer: createTransfer(input: $input) { paymentId state
      amount { amount currency } creditedAmount { amount currency } ${exchangeFields} } }`,
    { input },
    options,
  )

const balanceOf = async (accountId: string) =>
  (
    await bank.rows(
      `select coalesce(sum(case side when 'credit' then amount else -amount end), 0)::int as minor
       from ledger.entry where account_id = $1 and phase = 'committed'`,
      [accountId],
    )
  )[0]!['minor'] as number

const faultOf = ({ code, errors }: Awaited<ReturnType<typeof transfer>>) => [
  code,
  (errors[0]?.extensions?.['errors'] as { pointer: string }[] | undefined)?.[0]?.pointer,
]

describe('currency exchange', () => {
  test('is executed as quoted, through the position accounts of the bank', async () => {
    const before = await Promise.all(
      ['arr_ada', 'arr_usd', 'fx-position/EUR', 'fx-position/USD'].map(balanceOf),
    )
    const { data } = await quote(order(money('100.00', 'EUR')))
    expect(data.quote).toMatchObject({
      sold: money('100.00', 'EUR'),
      bought: money('108.50', 'USD'),
      exchange: { baseCurrency: 'EUR', quoteCurrency: 'USD', rate: '1.0850', source: 'ECB' },
    })
    const { exchangeRateId } = data.quote.exchange
    const made = await transfer(order(money('100.00', 'EUR'), { exchangeRateId }))
    expect(made.errors).toEqual([])
    expect(made.data.transfer).toMatchObject({
      state: 'SETTLED',
      amount: money('100.00', 'EUR'),
      creditedAmount: money('108.50', 'USD'),
      exchange: data.quote.exchange,
    })
    const after = await Promise.all(
      ['arr_ada', 'arr_usd', 'fx-position/EUR', 'fx-position/USD'].map(balanceOf),
    )
    expect(after.map((minor, at) => minor - before[at]!)).toEqual([
      -10_000, 10_850, 10_000, -10_850,
    ])
    const [{ event }] = (await bank.rows(
      `select details::json -> 'narrative' -> 'metadata' -> 'fx' as event from ledger.posting_instruction
       order by booked_at desc, posting_instruction_id desc limit 1`,
    )) as [{ event: object }]
    expect(event).toEqual({
      exchangeRateId,
      rate: 'EUR/USD 1.0850',
      source: 'ECB',
      asOf: data.quote.exchange.asOf,
    })
  })

  test.each([
    [
      'the bought amount, in the other direction',
      'arr_usd',
      'arr_ada',
      money('10.00', 'EUR'),
      money('10.85', 'USD'),
      money('10.00', 'EUR'),
    ],
    [
      'the sold amount, in the other direction',
      'arr_usd',
      'arr_ada',
      money('1.00', 'USD'),
      money('1.00', 'USD'),
      money('0.92', 'EUR'),
    ],
    [
      'the bought amount, in a currency without decimals',
      'arr_ada',
      'arr_yen',
      money('1634', 'JPY'),
      money('10.00', 'EUR'),
      money('1634', 'JPY'),
    ],
    [
      'the sold amount, rounded down to whole yen',
      'arr_ada',
      'arr_yen',
      money('0.01', 'EUR'),
      money('0.01', 'EUR'),
      money('1', 'JPY'),
    ],
  ])('fixes %s', async (_what, from, to, amount, sold, bought) => {
    const made = await transfer({ debtorArrangementId: from, creditorArrangementId: to, amount })
    expect(made.errors).toEqual([])
    expect(made.data.transfer).toMatchObject({ amount: sold, creditedAmount: bought })
  })

  test('is executed once, whatever the rate is when the request is repeated', async () => {
    const options = { caller: ada, idempotencyKey: 'exchange-once' }
    const input = order(money('10.00', 'EUR'))
    const first = await transfer(input, options)
    await load('USD', '1.0900')
    const again = await transfer(input, options)
    expect([again.data, again.isReplayed]).toEqual([first.data, true])
    await load('USD', '1.0850')
  })

  test('can be ordered by the bank for the customer, with an account number as the creditor', async () => {
    const made = await transfer(
      {
        debtorArrangementId: 'arr_ada',
        creditorIban: 'NL55 BKGR 0000 0000 03',
        amount: money('1.00', 'EUR'),
      },
      {},
    )
    expect(made.data?.transfer.creditedAmount, made.code).toEqual(money('1.08', 'USD'))
  })
})

describe('invalid currency exchange', () => {
  test('is rejected without a rate', async () => {
    const input = order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_chf' })
    expect(faultOf(await transfer(input))).toEqual(['FX_RATE_MISSING', '/amount/currency'])
    expect((await quote(input)).code).toBe('FX_RATE_MISSING')
  })

  test('is rejected at a rate that is too old', async () => {
    const asOf = new Date(bank.bank.now().getTime() - 97 * 3_600_000).toISOString()
    await load('CHF', '0.9450', { asOf })
    const input = order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_chf' })
    expect((await transfer(input)).code).toBe('FX_RATE_STALE')
    await load('CHF', '0.9450')
    expect((await transfer(input)).code).toBeUndefined()
  })

  test('is rejected when the rate is no longer the quoted one', async () => {
    const { data } = await quote(order(money('1.00', 'EUR')))
    const { exchangeRateId } = data.quote.exchange
    bank.clock.advance(1000)
    await load('USD', '1.0860')
    const refused = await transfer(order(money('1.00', 'EUR'), { exchangeRateId }))
    expect(faultOf(refused)).toEqual(['FX_QUOTE_OUTDATED', '/exchangeRateId'])
  })

  test.each<[string, object, string]>([
    ['in a third currency', order(money('1.00', 'GBP')), 'CURRENCY_MISMATCH'],
    ['with a zero amount', order(money('0.00', 'EUR')), 'INVALID_AMOUNT'],
    [
      'to another party',
      order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_gbp' }),
      'CURRENCY_MISMATCH',
    ],
    [
      'on a later day',
      order(money('1.00', 'EUR'), { executionDate: '2026-03-20' }),
      'FX_NOT_OFFERED',
    ],
    ['above the available balance', order(money('99999.00', 'EUR')), 'INSUFFICIENT_FUNDS'],
    [
      'with a rate between accounts of one currency',
      order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_grace', exchangeRateId: 'fxr_1' }),
      'FX_NOT_OFFERED',
    ],
  ])('is rejected %s', async (_what, input, code) => {
    expect((await transfer(input)).code).toBe(code)
  })

  test('is rejected when it rounds to zero on the other side', async () => {
    await load('CHF', '250')
    const amount = money('0.01', 'CHF')
    const input = { debtorArrangementId: 'arr_chf', creditorArrangementId: 'arr_ada', amount }
    expect((await quote(input)).code).toBe('INVALID_AMOUNT')
  })

  test.each(['0.02', '0.05', '1.01', '7.77'])(
    'gains nothing by rounding: %s EUR to yen and back',
    async (start) => {
      const buyYen = { creditorArrangementId: 'arr_yen', debtorArrangementId: 'arr_ada' }
      const sellYen = { creditorArrangementId: 'arr_ada', debtorArrangementId: 'arr_yen' }
      const { data: there } = await quote(order(money(start, 'EUR'), buyYen))
      const { data: back } = await quote(order(there.quote.bought, sellYen))
      expect(Number(back.quote.bought.amount)).toBeLessThanOrEqual(Number(start))
      const { data: bought } = await quote(order(money('1', 'JPY'), buyYen))
      // 1 yen is 0.0061 EUR, for which the customer pays a whole cent.
      expect(bought.quote.sold).toEqual(money('0.01', 'EUR'))
    },
  )

  test('is rejected as a standing order', async () => {
    const { code } = await bank.execute(
      `mutation ($input: CreateStandingOrderInput!) { createStandingOrder(input: $input) { standingOrderId } }`,
      { input: { ...order(money('1.00', 'EUR')), frequency: 'MONTHLY', startsOn: '2026-03-20' } },
      { caller: ada },
    )
    expect(code).toBe('CURRENCY_MISMATCH')
  })

  test('is not quoted for the account of another party, or within one account', async () => {
    expect((await quote(order(money('1.00', 'EUR')), grace)).code).toBe('ARRANGEMENT_NOT_FOUND')
    const toGrace = order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_gbp' })
    expect((await quote(toGrace)).code).toBe('ARRANGEMENT_NOT_FOUND')
    const byNumber = {
      debtorArrangementId: 'arr_ada',
      creditorIban: 'NL71BKGR0000000006',
      amount: money('1.00', 'EUR'),
    }
    expect((await quote(byNumber)).code).toBe('ACCOUNT_NUMBER_NOT_FOUND')
    const same = order(money('1.00', 'EUR'), { creditorArrangementId: 'arr_ada' })
    expect((await quote(same, aCaller())).code).toBe('FX_NOT_OFFERED')
  })
})
