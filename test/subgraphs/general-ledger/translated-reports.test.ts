/** Income in dollars at two rates, and three reports that explain each other. The arithmetic is by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aLedgerBank, closePeriod, type LedgerBank } from './kit.ts'
import { revaluationsOf } from './revaluation-kit.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-20T09:00:00.000Z')
  const { loadRate } = revaluationsOf(bank)
  await loadRate('EUR/USD', '1.25', '2026-03-10T08:00:00Z')
  await loadRate('EUR/USD', '1.6', '2026-03-17T08:00:00Z')
  const income = { debit: 'nostro', credit: 'fee-income', amount: '100.00', currency: 'USD' }
  await bank.post({ ...income, valueDate: '2026-03-10' })
  await bank.post({ ...income, valueDate: '2026-03-17' })
  await bank.post({ ...income, currency: 'EUR', valueDate: '2026-03-11' })
  bank.clock.set('2026-04-02T09:00:00.000Z')
  await bank.date()
})
afterAll(() => bank.drop())

const document = `{
  translatedTrialBalance(accountingPeriodId: "2026-03") { asOf functionalCurrency debit credit
    roundingDifference isBalanced rates { currency rate }
    lines { accountNumber type opening reclassified debit credit translationDifference closing } }
  translatedProfitAndLoss(from: "2026-03-01", to: "2026-03-31") { from to functionalCurrency income
    expenses result translationDifference resultAtClosingRates lines { accountNumber amount }
    rates { currency } }
  translatedBalanceSheet(asOf: "2026-03-31") { assets result roundingDifference } }`

test('a missing rate is a problem that names the day', async () => {
  await expect(bank.act(document)).rejects.toMatchObject({
    code: 'CLOSING_RATE_MISSING',
    message: expect.stringContaining('USD/EUR at the end of 2026-03-31'),
  })
  await revaluationsOf(bank).loadRate('EUR/USD', '2', '2026-03-31T14:00:00Z')
})

test('the three reports agree, and show what the rates changed', async () => {
  const reports = await bank.act(document)
  // 100 / 1.25 + 100 / 1.6 = 142.50 and 200 / 2 = 100.00, so that the rates take 42.50.
  const line = { opening: '0.00', reclassified: '0.00' }
  expect(reports.translatedTrialBalance).toEqual({
    asOf: '2026-03-31',
    functionalCurrency: 'EUR',
    debit: '242.50',
    credit: '242.50',
    roundingDifference: '0.00',
    isBalanced: true,
    rates: [{ currency: 'USD', rate: '0.5' }],
    lines: [
      {
        ...line,
        accountNumber: '1110',
        type: 'ASSET',
        debit: '242.50',
        credit: '0.00',
        translationDifference: '-42.50',
        closing: '200.00',
      },
      {
        ...line,
        accountNumber: expect.stringMatching(/^4/),
        type: 'INCOME',
        debit: '0.00',
        credit: '242.50',
        translationDifference: '42.50',
        closing: '-200.00',
      },
    ],
  })
  expect(reports.translatedProfitAndLoss).toMatchObject({
    from: '2026-03-01',
    to: '2026-03-31',
    functionalCurrency: 'EUR',
    income: '242.50',
    expenses: '0.00',
    result: '242.50',
    translationDifference: '-42.50',
    resultAtClosingRates: '200.00',
    rates: [{ currency: 'USD' }],
  })
  expect(reports.translatedBalanceSheet).toEqual({
    assets: '200.00',
    result: '200.00',
    roundingDifference: '0.00',
  })
})

test('the reports are files, too', async () => {
  const read = async (report: string, format: string) =>
    (
      await bank.act(`{ accountingExport(report: ${report}, accountingPeriodId: "2026-03",
        format: ${format}) { fileName content rowCount next } }`)
    ).accountingExport
  const trial = await read('TRANSLATED_TRIAL_BALANCE', 'CSV')
  expect(trial).toMatchObject({
    fileName: 'translated-trial-balance-2026-03.csv',
    rowCount: 2,
    next: null,
  })
  expect(trial.content.split('\r\n').slice(0, 2)).toEqual([
    'accounting_period,as_of,account_number,account_name,account_type,functional_currency,opening,reclassified,debit,credit,translation_difference,closing',
    '2026-03,2026-03-31,1110,Nostro accounts,asset,EUR,0.00,0.00,242.50,0.00,-42.50,200.00',
  ])
  const amounts = async (report: string) =>
    JSON.parse((await read(report, 'JSON')).content).map((row: any) => [row.level, row.amount])
  expect((await amounts('TRANSLATED_PROFIT_AND_LOSS')).at(0)).toEqual(['0', '242.50'])
  expect((await amounts('TRANSLATED_BALANCE_SHEET')).at(0)).toEqual(['0', '200.00'])
})

test('the next month opens with the closing balances, and a period in progress ends today', async () => {
  await closePeriod(bank, '2026-03')
  await revaluationsOf(bank).loadRate('EUR/USD', '1', '2026-04-02T08:00:00Z')
  const { translatedTrialBalance: april } = await bank.act(`{
    translatedTrialBalance(accountingPeriodId: "2026-04") { asOf
      lines { opening debit translationDifference closing } } }`)
  // 100.00 EUR and 200.00 USD, at 2 dollars for a euro and then at 1.
  const [asset] = april.lines
  expect([april.asOf, asset]).toEqual([
    '2026-04-02',
    { opening: '200.00', debit: '0.00', translationDifference: '100.00', closing: '300.00' },
  ])
})

test('the reports are for the bank', async () => {
  for (const caller of [
    aCaller({ subject: 'ada', partyId: 'pty_ada', scopes: ['accounting:read'] }),
    aCaller({ subject: 'olga', scopes: ['accounts:read'] }),
  ]) {
    for (const query of [
      'translatedTrialBalance(accountingPeriodId: "2026-03") { debit }',
      'translatedProfitAndLoss(from: "2026-03-01", to: "2026-03-31") { result }',
    ]) {
      await expect(bank.act(`{ ${query} }`, {}, caller)).rejects.toMatchObject({
        code: expect.stringMatching(/^(FORBIDDEN|NOT_FOR_DELEGATED_USERS|INSUFFICIENT_SCOPE)$/),
      })
    }
  }
})

test('a period that has not begun has the balances of today', async () => {
  const { translatedTrialBalance } = await bank.act(`{
    translatedTrialBalance(accountingPeriodId: "2026-07") { asOf debit
      lines { accountNumber opening translationDifference closing } } }`)
  expect(translatedTrialBalance).toMatchObject({ asOf: '2026-04-02', debit: '0.00' })
  for (const { opening, closing, translationDifference } of translatedTrialBalance.lines) {
    expect([opening, translationDifference]).toEqual([closing, '0.00'])
  }
  expect(translatedTrialBalance.lines.length).toBeGreaterThan(0)
})

test('a profit and loss statement cannot begin after today', async () => {
  const query = 'translatedProfitAndLoss(from: "2026-04-03", to: "2026-04-30") { result }'
  await expect(bank.act(`{ ${query} }`)).rejects.toMatchObject({
    code: 'INVALID_DATE_RANGE',
    message: expect.stringContaining('only up to today, 2026-04-02'),
  })
})
