/**
 * A bank exchanges currencies, revalues its positions at three month ends, corrects a rate and closes.
 * The arithmetic beside each figure is by hand. The books balance in every currency after every step.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aLedgerBank, closePeriod, closingOf, paul, reopenPeriod, type LedgerBank } from './kit.ts'
import { gainsOf, revaluationsOf } from './revaluation-kit.ts'

let bank: LedgerBank
let books: ReturnType<typeof revaluationsOf>
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-10T09:00:00.000Z')
  books = revaluationsOf(bank)
})
afterAll(() => bank.drop())

test('a period is revalued when it has ended, at a recent rate', async () => {
  await books.loadRate('EUR/USD', '1.25', '2026-03-10T08:00:00Z')
  await books.loadRate('GBP/USD', '1.3', '2026-03-10T08:00:00Z')
  await books.exchange(['125.00', 'USD'], ['100.00', 'EUR'])
  await books.exchange(['130.00', 'USD'], ['100.00', 'GBP'])
  await expect(books.revalue('2026-03')).rejects.toMatchObject({ code: 'PERIOD_NOT_ENDED' })
  await expect(books.revalue('2026-3')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  bank.clock.set('2026-04-02T09:00:00.000Z')
  await expect(books.revalue('2026-03')).rejects.toMatchObject({
    code: 'CLOSING_RATE_MISSING',
    message: expect.stringContaining('GBP/EUR at the end of 2026-03-31'),
  })
  await books.loadRate('GBP/EUR', '1.1', '2026-03-31T14:00:00Z')
  await expect(books.preview('2026-03')).rejects.toMatchObject({
    code: 'CLOSING_RATE_MISSING',
    message: expect.stringContaining('USD/EUR at the end of 2026-03-31 is as of 2026-03-10'),
  })
  await books.loadRate('EUR/USD', '1.3', '2026-03-31T14:00:00Z')
  // A rate of the next day is not the closing rate.
  await books.loadRate('EUR/USD', '1.9', '2026-04-01T00:00:00Z')
})

test('a preview shows the gains and losses, and books nothing', async () => {
  // 130 USD for pounds are 104.00 EUR at 1.25, so that 255 USD cost 204.00; 255 / 1.3 = 196.15.
  const expected = {
    functionalCurrency: 'EUR',
    gain: '-13.85',
    positions: [
      {
        currency: 'GBP',
        position: '-100.00',
        cost: '-104.00',
        rate: '1.1',
        value: '-110.00',
        bookedBefore: '0.00',
        difference: '-6.00',
      },
      {
        currency: 'USD',
        position: '255.00',
        cost: '204.00',
        rate: '0.7692307692',
        value: '196.15',
        bookedBefore: '0.00',
        difference: '-7.85',
      },
    ],
  }
  await bank.date()
  expect(await books.preview('2026-03')).toEqual({ ...expected, isUpToDate: false })
  expect(await closingOf(bank, '2026-03')).toEqual({ '1110': '-100.00', '1900': '100.00' })
  expect(await books.findings()).toEqual([])
  const done = await books.revalue('2026-03')
  expect(done).toMatchObject({ ...expected, accountingPeriodId: '2026-03', revaluedBy: 'olga' })
  await books.isInBalance('2026-03')
  expect(await closingOf(bank, '2026-03')).toEqual({
    '1110': '-100.00',
    '1900': '100.00',
    '1910': '-13.85',
    '5400': '13.85',
  })
})

test('the entry and the event show it, and it is no year-end entry', async () => {
  const { currencyRevaluations } = await bank.act(`{
    currencyRevaluations(accountingPeriodId: "2026-03") { nodes { currencyRevaluationId journalEntryId } } }`)
  const [{ currencyRevaluationId, journalEntryId }] = currencyRevaluations.nodes
  const { journalEntry, currencyRevaluation } = await bank.act(
    `query ($entry: ID!, $id: ID!) { journalEntry(journalEntryId: $entry) { kind state accountingDate
        entryLines { ledgerAccountId side amount { amount currency } } }
      currencyRevaluation(currencyRevaluationId: $id) { gain } }`,
    { entry: journalEntryId, id: currencyRevaluationId },
  )
  expect(currencyRevaluation).toEqual({ gain: '-13.85' })
  const line = (number: string, side: string) => ({
    ledgerAccountId: `gl+${number}+EUR`,
    side,
    amount: { amount: '13.85', currency: 'EUR' },
  })
  expect(journalEntry).toEqual({
    kind: 'REVALUATION',
    state: 'POSTED',
    accountingDate: '2026-03-31',
    entryLines: [line('1910', 'CREDIT'), line('5400', 'DEBIT')],
  })
  const { profitAndLoss } = await bank.act(
    '{ profitAndLoss(from: "2026-03-01", to: "2026-03-31") { currency expenses } }',
  )
  expect(profitAndLoss).toEqual([{ currency: 'EUR', expenses: '13.85' }])
  const event = (await bank.events()).find(
    ({ type }) => type === 'general-ledger.currency-revaluation.completed',
  )
  expect(event).toMatchObject({
    subject: `currency-revaluation/${currencyRevaluationId}`,
    data: { accountingPeriodId: '2026-03', functionalCurrency: 'EUR', gain: '-13.85' },
  })
})

test('the translated balance sheet balances, and shows the position accounts as zero', async () => {
  const { translatedBalanceSheet: sheet } = await bank.act(`{
    translatedBalanceSheet(asOf: "2026-03-31") { functionalCurrency assets liabilities equity result
      unmapped roundingDifference isBalanced lines { accountNumber amount }
      rates { currency rate asOf } } }`)
  const amountOf = (number: string) =>
    sheet.lines.find((line: any) => line.accountNumber === number)?.amount
  // Nostro accounts: -100.00 EUR, 196.15 for the dollars, -110.00 for the pounds.
  expect([amountOf('1110'), amountOf('1900'), amountOf('1910')]).toEqual([
    '-13.85',
    '13.85',
    '-13.85',
  ])
  expect(sheet).toMatchObject({
    functionalCurrency: 'EUR',
    assets: '-13.85',
    result: '-13.85',
    unmapped: '0.00',
    roundingDifference: '0.00',
    isBalanced: true,
    rates: [
      { currency: 'GBP', rate: '1.1', asOf: '2026-03-31T14:00:00.000Z' },
      { currency: 'USD', rate: '0.7692307692', asOf: '2026-03-31T14:00:00.000Z' },
    ],
  })
})

test('a repetition books nothing, and a corrected rate the difference', async () => {
  const former = await books.revalue('2026-03')
  expect(await books.revalue('2026-03', paul)).toEqual(former)
  expect(await books.preview('2026-03')).toMatchObject({ isUpToDate: true, gain: '0.00' })
  await books.loadRate('EUR/USD', '1.28', '2026-03-31T15:00:00Z')
  expect(await books.findings()).toEqual([
    ['OUTDATED_REVALUATION', '2026-03', expect.stringContaining('Revalue the period again.')],
  ])
  // 255 / 1.28 = 199.22, so that the loss is 4.78 and not 7.85.
  const corrected = await books.revalue('2026-03')
  expect(gainsOf(corrected)).toEqual([
    ['GBP', '-6.00', '0.00'],
    ['USD', '-7.85', '3.07'],
  ])
  await books.isInBalance('2026-03')
  expect(await closingOf(bank, '2026-03')).toMatchObject({
    '1910': '-10.78',
    '4300': '-3.07',
    '5400': '13.85',
  })
  expect(await books.findings()).toEqual([])
})

test('the next period books only what changed; an entry in one currency is no gain', async () => {
  bank.clock.set('2026-04-15T09:00:00.000Z')
  await books.loadRate('EUR/USD', '1.25', '2026-04-15T08:00:00Z')
  await books.exchange(['44.00', 'EUR'], ['55.00', 'USD'])
  await books.bookEntry('jnl_usd', '5900', '2026-04-15')
  bank.clock.set('2026-05-02T09:00:00.000Z')
  await books.loadRate('EUR/USD', '1.2', '2026-04-30T14:00:00Z')
  await books.loadRate('GBP/EUR', '1.15', '2026-04-30T14:00:00Z')
  const done = await books.revalue('2026-04')
  // 255 - 55 + 10 = 210 USD are 175.00; they cost 204 - 44 + 8 = 168.00. Booked before: -4.78.
  expect(done.positions[1]).toEqual({
    currency: 'USD',
    position: '210.00',
    cost: '168.00',
    rate: '0.8333333333',
    value: '175.00',
    bookedBefore: '-4.78',
    difference: '11.78',
  })
  // 100 GBP are 115.00.
  expect(gainsOf(done)[0]).toEqual(['GBP', '-6.00', '-5.00'])
  await books.isInBalance('2026-04')
  expect(await closingOf(bank, '2026-04')).toMatchObject({
    '1910': '-4.00',
    '4300': '-14.85',
    '5400': '18.85',
  })
  // The postings and revaluations of April are not part of March.
  expect(await books.preview('2026-03')).toMatchObject({ isUpToDate: true, gain: '0.00' })
  // An own ledger account of the positions is a position account, too.
  await books.bookEntry('jnl_own', '1900', '2026-04-15')
  expect((await books.revalue('2026-04')).currencyRevaluationId).toBe(done.currencyRevaluationId)
})

test('revaluations, postings and their dating at the same moment agree', async () => {
  await books.loadRate('EUR/USD', '1.22', '2026-04-30T15:00:00Z')
  const other = bank.another()
  other.bank.queryGraph = bank.bank.queryGraph
  const income = () =>
    bank.post({ debit: 'nostro', credit: 'fee-income', amount: '1.00', valueDate: '2026-04-30' })
  const dated = async () => {
    for (let run = 0; run < 10; run++) {
      await income()
      await bank.date()
    }
  }
  const [one, two] = await Promise.all([
    books.revalue('2026-04'),
    books.revalue('2026-04', paul, other.bank),
    dated(),
    ...Array.from({ length: 6 }, income),
  ])
  expect(two.currencyRevaluationId).toBe(one.currencyRevaluationId)
  const [row] = await bank.rows(
    `select count(*)::int as runs from general_ledger.currency_revaluation
     where accounting_period_id = '2026-04'`,
  )
  expect(row).toEqual({ runs: 2 })
  expect(await books.findings()).toEqual([])
  await books.isInBalance('2026-04')
})

test('a closed period is not revalued, and a missing revaluation is found', async () => {
  await closePeriod(bank, '2026-04')
  await expect(books.revalue('2026-04')).rejects.toMatchObject({ code: 'PERIOD_CLOSED' })
  await expect(books.revalue('2026-03')).rejects.toMatchObject({ code: 'PERIOD_CLOSED' })
  expect(await books.findings()).toEqual([])
  bank.clock.set('2026-06-02T09:00:00.000Z')
  await closePeriod(bank, '2026-05')
  expect(await books.findings()).toEqual([
    ['NOT_REVALUED', '2026-05', expect.stringContaining('at the end of 2026-05-31')],
  ])
  await books.loadRate('EUR/USD', '1.2', '2026-05-29T14:00:00Z')
  await books.loadRate('GBP/EUR', '1.15', '2026-05-29T14:00:00Z')
  const detail = 'The positions in GBP, USD were not revalued at the end of 2026-05.'
  expect(await books.findings()).toEqual([['NOT_REVALUED', '2026-05', detail]])
  await reopenPeriod(bank, '2026-05')
  await bank.act('mutation { softCloseAccountingPeriod(accountingPeriodId: "2026-05") { state } }')
  await books.revalue('2026-05')
  await closePeriod(bank, '2026-05')
  expect(await books.findings()).toEqual([])
})

test('only a person of the bank with the scope revalues', async () => {
  const read = aCaller({ subject: 'olga', scopes: ['accounting:read'] })
  await expect(books.revalue('2026-05', read)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
  await expect(books.revalue('2026-05', aCaller())).rejects.toMatchObject({
    code: 'PERSON_REQUIRED',
  })
  const ada = aCaller({ partyId: 'pty_ada' })
  const document = '{ currencyRevaluationPreview(accountingPeriodId: "2026-05") { gain } }'
  await expect(bank.act(document, {}, ada)).rejects.toMatchObject({
    code: 'NOT_FOR_DELEGATED_USERS',
  })
})

test('the functional currency cannot change after the first revaluation', async () => {
  const { config } = bank.bank
  config.functionalCurrency = 'USD'
  try {
    await expect(books.revalue('2026-05')).rejects.toMatchObject({ code: 'PERIOD_CLOSED' })
    await expect(books.preview('2026-05')).rejects.toMatchObject({
      code: 'FUNCTIONAL_CURRENCY_CHANGED',
      message:
        'FUNCTIONAL_CURRENCY is USD, but positions were revalued in EUR. Set FUNCTIONAL_CURRENCY to EUR.',
    })
  } finally {
    config.functionalCurrency = 'EUR'
  }
})
