import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyScope } from '../../../kernel/domain/scopes.ts'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, post } from './kit.ts'
import { aBankWithMoney, ada, findings } from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
  await anAccount(bank, 'arr_yen', { currency: 'JPY' })
  await bank.rows(`update ledger.account set party_id = 'pty_ada' where account_id = 'arr_yen'`)
})
afterAll(() => bank.drop())

const load = (rates: object[], options: object = {}) =>
  bank.execute(
    'mutation ($rates: [ExchangeRateInput!]!) { rates: loadExchangeRates(rates: $rates) { exchangeRateId rate loadedBy } }',
    { rates },
    options,
  )
const eurJpy = (more: object = {}) => ({
  baseCurrency: 'EUR',
  quoteCurrency: 'JPY',
  rate: '160',
  source: 'ECB',
  tolerancePct: '1',
  ...more,
})
const closingRates = (baseCurrency: string, quoteCurrency: string, days: string[]) =>
  bank.execute(
    `query ($baseCurrency: Currency!, $quoteCurrency: Currency!, $days: [Date!]!) {
      closingRates(baseCurrency: $baseCurrency, quoteCurrency: $quoteCurrency, days: $days) {
        day exchangeRate { rate } } }`,
    { baseCurrency, quoteCurrency, days },
  )
const exchange = (euros: string, yen: string, more: object = {}, options: object = {}) =>
  post(
    bank,
    {
      debtorArrangementId: 'arr_ada',
      creditorArrangementId: 'arr_yen',
      amount: { amount: euros, currency: 'EUR' },
      creditorAmount: { amount: yen, currency: 'JPY' },
      ...more,
    },
    options,
  )
const publisher = aCaller({
  scopes: everyScope.filter((scope) => scope !== 'postings:fx-override'),
})

test('a posting between two currencies is rejected without a rate', async () => {
  const refused = await exchange('0.01', '1000000')
  expect(refused.code).toBe('FX_RATE_MISSING')
  const { errors } = refused.errors[0]!.extensions as { errors: object[] }
  expect(errors).toMatchObject([{ pointer: '/creditorAmount' }])
})

describe('posting at a rate of 160', () => {
  beforeAll(async () => {
    expect((await load([eurJpy()])).errors).toEqual([])
  })

  test.each([
    ['10.00', '1600', null],
    ['10.00', '1616', null],
    ['10.00', '1584', null],
    ['10.00', '1620', 'FX_RATE_OUT_OF_TOLERANCE'],
    ['10.00', '1580', 'FX_RATE_OUT_OF_TOLERANCE'],
    ['0.01', '2', null],
    ['0.01', '1000000', 'FX_RATE_OUT_OF_TOLERANCE'],
  ])('of %s EUR for %s JPY by the bank returns code %s', async (euros, yen, code) => {
    const answer = await exchange(euros, yen)
    expect(answer.code ?? null).toBe(code)
    if (code) return
    const lines = answer.data.createPostingInstruction.entries.map(
      (entry: Record<string, string>) => `${entry['account']} ${entry['side']}`,
    )
    expect(lines).toEqual([
      'arr_ada DEBIT',
      'fx-position/EUR CREDIT',
      'fx-position/JPY DEBIT',
      'arr_yen CREDIT',
    ])
  })

  test('has no tolerance for a customer', async () => {
    expect((await exchange('10.00', '1616', {}, { caller: ada })).code).toBe(
      'FX_RATE_OUT_OF_TOLERANCE',
    )
    // The position accounts are the bank's: so far customers cannot post an exchange by themselves.
    const fair = await exchange('10.00', '1600', {}, { caller: ada })
    expect(fair.code).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('with an override requires a scope and a reason, which is stored with the posting', async () => {
    const more = { fxOverrideReason: 'Agreed with treasury, deal 4711.' }
    expect((await exchange('10.00', '1700', more, { caller: publisher })).code).toBe(
      'INSUFFICIENT_SCOPE',
    )
    expect((await exchange('10.00', '1700', {}, { caller: publisher })).code).toBe(
      'FX_RATE_OUT_OF_TOLERANCE',
    )
    const { data, errors } = await exchange('10.00', '1700', more)
    expect(errors).toEqual([])
    const read = `query ($id: ID!) { postingInstruction(postingInstructionId: $id) { metadata } }`
    const id = data.createPostingInstruction.postingInstructionId
    const found = await bank.execute(read, { id })
    expect(found.data.postingInstruction.metadata.fx).toMatchObject({
      source: 'ECB',
      rate: 'EUR/JPY 160',
      overrideReason: 'Agreed with treasury, deal 4711.',
    })
  })

  test('through the position accounts is held to the rate as a custom posting, too', async () => {
    const entry = (account: string, side: string, amount: string, currency: string) => ({
      account,
      side,
      amount: { amount, currency },
    })
    const custom = (yen: string) =>
      post(bank, {
        entries: [
          entry('arr_ada', 'DEBIT', '1.00', 'EUR'),
          entry('fx-position/EUR', 'CREDIT', '1.00', 'EUR'),
          entry('fx-position/JPY', 'DEBIT', yen, 'JPY'),
          entry('arr_yen', 'CREDIT', yen, 'JPY'),
        ],
      })
    expect((await custom('1000')).code).toBe('FX_RATE_OUT_OF_TOLERANCE')
    expect((await custom('160')).errors).toEqual([])
    const oneSided = await post(bank, {
      entries: [
        entry('arr_ada', 'DEBIT', '1.00', 'EUR'),
        entry('fx-position/EUR', 'CREDIT', '1.00', 'EUR'),
      ],
    })
    expect(oneSided.code).toBe('FX_POSITION_UNBALANCED')
  })

  test('in a batch is checked per instruction, with a pointer to it', async () => {
    const one = {
      debtorArrangementId: 'arr_ada',
      creditorArrangementId: 'arr_yen',
      amount: { amount: '1.00', currency: 'EUR' },
    }
    const instructions = ['160', '500'].map((amount) => ({
      ...one,
      creditorAmount: { amount, currency: 'JPY' },
    }))
    const refused = await post(bank, { instructions })
    expect(refused.code).toBe('FX_RATE_OUT_OF_TOLERANCE')
    expect(refused.errors[0]!.extensions).toMatchObject({
      errors: [{ pointer: '/instructions/1/creditorAmount' }],
    })
  })

  test('is replayed for its idempotency key, whatever the rate has become', async () => {
    const options = { idempotencyKey: 'fx-once' }
    const first = await exchange('2.00', '320', {}, options)
    expect(first.errors).toEqual([])
    await load([eurJpy({ rate: '200' })])
    expect((await exchange('2.00', '320', {}, options)).data).toEqual(first.data)
    expect((await exchange('2.00', '320')).code).toBe('FX_RATE_OUT_OF_TOLERANCE')
    expect((await exchange('2.00', '400')).errors).toEqual([])
    expect(await findings(bank)).toEqual([])
  })
})

describe('exchange rate', () => {
  test.each([
    ['equal currencies', { quoteCurrency: 'EUR' }, '/rates/0/quoteCurrency'],
    ['a rate of zero', { rate: '0' }, '/rates/0/rate'],
    ['a large tolerance', { tolerancePct: '10.1' }, '/rates/0/tolerancePct'],
    ['a time in the future', { asOf: '2030-01-01T00:00:00Z' }, '/rates/0/asOf'],
    ['an end before its start', { validUntil: '2020-01-01T00:00:00Z' }, '/rates/0/validUntil'],
  ])('is rejected with %s', async (_why, more, pointer) => {
    const refused = await load([eurJpy(more)])
    expect(refused.code).toBe('VALIDATION_FAILED')
    expect(refused.errors[0]!.extensions).toMatchObject({ errors: [{ pointer }] })
  })

  test('is loaded by the bank only, found in either direction, and expires', async () => {
    const dollars = { baseCurrency: 'EUR', quoteCurrency: 'USD', rate: '1.08', source: 'ECB' }
    expect((await load([dollars], { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    await load([{ ...dollars, validUntil: '2026-03-02T10:00:00Z' }])
    const read = `{ exchangeRate(baseCurrency: "USD", quoteCurrency: "EUR") { rate source }
      exchangeRates(quoteCurrency: "USD") { nodes { rate } } }`
    expect((await bank.execute(read)).data).toEqual({
      exchangeRate: { rate: '1.08', source: 'ECB' },
      exchangeRates: { nodes: [{ rate: '1.08' }] },
    })
    bank.clock.set('2026-03-02T10:00:00Z')
    expect((await bank.execute(read)).data.exchangeRate).toBeNull()
    bank.clock.set('2026-03-02T09:00:00Z')
    const loaded = (await bank.events()).filter(({ type }) => type.endsWith('exchange-rate.loaded'))
    expect(loaded.at(-1)!.data).toMatchObject({ rate: '1.08', loadedBy: 'test-client' })
  })

  test('is the closing rate of a day if it is the newest one at its end, valid or not', async () => {
    const crowns = (rate: string, asOf: string, more: object = {}) => ({
      baseCurrency: 'CHF',
      quoteCurrency: 'SEK',
      source: 'ECB',
      rate,
      asOf,
      ...more,
    })
    const inverse = { baseCurrency: 'SEK', quoteCurrency: 'CHF' }
    await load([
      crowns('11.1', '2026-02-02T15:00:00Z'),
      crowns('11.2', '2026-02-02T23:59:59.999Z'),
      crowns('11.3', '2026-02-03T00:00:00Z', { validUntil: '2026-02-05T00:00:00Z' }),
      crowns('0.09', '2026-02-06T10:00:00Z', inverse),
      crowns('0.08', '2026-02-06T11:00:00Z', { ...inverse, validUntil: '2026-02-06T20:00:00Z' }),
    ])
    // A correction of the same time replaces the rate.
    bank.clock.advance(1)
    await load([crowns('11.4', '2026-02-03T00:00:00Z', { validUntil: '2026-02-05T00:00:00Z' })])
    const closing = (days: string[]) => closingRates('CHF', 'SEK', days)
    const days = ['2026-02-06', '2026-02-01', '2026-02-02', '2026-02-04', '2026-02-05']
    const { data } = await closing(days)
    expect(data.closingRates.map(({ day, exchangeRate }: any) => [day, exchangeRate.rate])).toEqual(
      [
        ['2026-02-02', '11.2'],
        ['2026-02-04', '11.4'],
        ['2026-02-05', '11.4'],
        ['2026-02-06', '0.08'],
      ],
    )
    expect((await closing([])).code).toBe('VALIDATION_FAILED')
    expect((await closing(Array(367).fill('2026-02-02'))).code).toBe('VALIDATION_FAILED')
  })

  // 31 August 2025 is a Sunday.
  test.each([
    [
      'a rate that is valid until 18:00 of the day',
      'NOK',
      [['1.1', '2025-08-31T14:00:00Z', '2025-08-31T18:00:00Z', 'direct']],
      '1.1',
    ],
    [
      'a rate of Friday that is valid until midnight, on Sunday',
      'PLN',
      [
        ['1.2', '2025-08-28T14:00:00Z', null, 'direct'],
        ['1.3', '2025-08-29T14:00:00Z', '2025-08-30T00:00:00Z', 'direct'],
      ],
      '1.3',
    ],
    [
      'a rate in the other direction that is newer than the direct one',
      'CZK',
      [
        ['0.5', '2025-08-31T15:00:00Z', '2025-08-31T16:00:00Z', 'reverse'],
        ['1.4', '2025-08-31T14:00:00Z', null, 'direct'],
      ],
      '0.5',
    ],
    [
      'a direct rate that is newer than the one in the other direction',
      'HUF',
      [
        ['1.5', '2025-08-31T15:00:00Z', null, 'direct'],
        ['0.4', '2025-08-31T14:59:59.999Z', null, 'reverse'],
        ['0.3', '2025-09-01T00:00:00Z', null, 'reverse'],
      ],
      '1.5',
    ],
    [
      'a rate of 1 August, which a revaluation rejects as too old',
      'RON',
      [['1.6', '2025-08-01T00:00:00Z', null, 'direct']],
      '1.6',
    ],
    ['nothing of July', 'BGN', [['1.7', '2025-07-31T23:59:59.999Z', null, 'direct']], undefined],
  ])('at a month end is %s', async (_what, currency, rates, expected) => {
    const direct = { baseCurrency: 'DKK', quoteCurrency: currency }
    const reverse = { baseCurrency: currency, quoteCurrency: 'DKK' }
    const loaded = rates.map(([rate, asOf, validUntil, direction]) => ({
      ...(direction === 'direct' ? direct : reverse),
      source: 'ECB',
      rate,
      asOf,
      validUntil,
    }))
    expect((await load(loaded)).errors).toEqual([])
    for (const { baseCurrency, quoteCurrency } of [direct, reverse]) {
      const { data } = await closingRates(baseCurrency, quoteCurrency, ['2025-08-31'])
      expect(data.closingRates[0]?.exchangeRate.rate).toBe(expected)
    }
  })
})
