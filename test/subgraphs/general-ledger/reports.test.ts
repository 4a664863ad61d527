/** The chart of accounts, journal entries, reports, the end of a year and exports, on a real bank. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { interruptCommit } from '../../kit/interrupted.ts'
import {
  aLedgerBank,
  closePeriod,
  closingOf,
  findingsOf,
  olga,
  paul,
  reopenPeriod,
  type LedgerBank,
} from './kit.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-01-12T09:00:00.000Z')
})
afterAll(() => bank.drop())

const propose = (id: string, debit: string, credit: string, accountingDate: string) => `mutation {
  proposeJournalEntry(input: { journalEntryId: "${id}", accountingDate: "${accountingDate}",
    description: "Rent, \\"January\\"", lines: [
    { accountNumber: "${debit}", side: DEBIT, amount: { amount: "40.00", currency: "EUR" } }
    { accountNumber: "${credit}", side: CREDIT, amount: { amount: "40.00", currency: "EUR" } }] }) { state } }`
const postEntry = (id: string) => `mutation { postJournalEntry(journalEntryId: "${id}") {
  state postingInstructionId decidedBy entryLines { accountNumber ledgerAccountId side amount { amount } } } }`

test('the chart is there from the start, and accounts are added and changed', async () => {
  const { generalLedgerAccounts: chart } = await bank.act(
    '{ generalLedgerAccounts(first: 200) { nodes { accountNumber name type usage parentNumber } } }',
  )
  expect(chart.nodes.length).toBeGreaterThan(25)
  expect(chart.nodes).toContainEqual({
    accountNumber: '2100',
    name: 'Customer deposits',
    type: 'LIABILITY',
    usage: 'POSTING',
    parentNumber: '2000',
  })
  const create = (more: string) => `mutation { createGeneralLedgerAccount(input: {
    name: "Rent", type: EXPENSE, ${more} }) { accountNumber isActive } }`
  await bank.act(create('accountNumber: "5910", parentNumber: "5000", currencies: ["EUR"]'))
  await expect(bank.act(create('accountNumber: "5910"'))).rejects.toMatchObject({
    code: 'RESOURCE_EXISTS',
  })
  const rejected: [string, string][] = [
    ['accountNumber: "59"', 'VALIDATION_FAILED'],
    ['accountNumber: "5920", parentNumber: "5910"', 'INVALID_PARENT_ACCOUNT'],
    ['accountNumber: "5920", parentNumber: "4000"', 'INVALID_PARENT_ACCOUNT'],
    ['accountNumber: "5920", parentNumber: "9999"', 'GENERAL_LEDGER_ACCOUNT_NOT_FOUND'],
  ]
  for (const [more, code] of rejected) {
    await expect(bank.act(create(more))).rejects.toMatchObject({ code })
  }
  const change = (input: string) =>
    bank.act(`mutation { changeGeneralLedgerAccount(input: { ${input} }) { name isActive } }`)
  expect(
    (await change('accountNumber: "5900", name: "Sundry expenses"')).changeGeneralLedgerAccount,
  ).toEqual({ name: 'Sundry expenses', isActive: true })
  await expect(change('accountNumber: "2100", isActive: false')).rejects.toMatchObject({
    code: 'ACCOUNT_IN_USE',
  })
})

test('one person proposes a journal entry, and two who post it at once book it once', async () => {
  await bank.act(propose('jnl_rent', '5910', '2900', '2026-01-05'))
  await expect(bank.act(postEntry('jnl_rent'), {}, olga)).rejects.toMatchObject({
    code: 'SEGREGATION_OF_DUTIES',
  })
  const other = bank.another()
  const third = { ...paul, subject: 'rosa' }
  const results = await Promise.allSettled([
    bank.act(postEntry('jnl_rent'), {}, paul),
    bank.act(postEntry('jnl_rent'), {}, third, other.bank),
  ])
  const codes = results.map((each) => (each.status === 'fulfilled' ? null : each.reason.code))
  expect(new Set(codes)).toEqual(new Set(['INVALID_STATE_TRANSITION', null]))
  const { journalEntry: posted } = await bank.act(
    '{ journalEntry(journalEntryId: "jnl_rent") { postingInstructionId } }',
  )
  const reversal = `mutation { createPostingInstruction(input: { type: REVERSAL,
    reversesId: "${posted.postingInstructionId}" }) { postingInstructionId } }`
  await expect(bank.act(reversal)).rejects.toMatchObject({ code: 'POSTING_NOT_REVERSIBLE' })
  await bank.date()
  expect(await closingOf(bank, '2026-01')).toEqual({ '2900': '-40.00', '5910': '40.00' })
  const { journalEntry } = await bank.act(
    '{ journalEntry(journalEntryId: "jnl_rent") { state entryLines { accountNumber ledgerAccountId side } } }',
  )
  expect(journalEntry).toEqual({
    state: 'POSTED',
    entryLines: [
      { accountNumber: '5910', ledgerAccountId: 'gl+5910+EUR', side: 'DEBIT' },
      { accountNumber: '2900', ledgerAccountId: 'gl+2900+EUR', side: 'CREDIT' },
    ],
  })
  expect(await findingsOf(bank)).toEqual([])
})

test.each([
  ['approveMappingRule(mappingRuleId: "map_none") { state }', 'MAPPING_RULE_NOT_FOUND'],
  ['rejectJournalEntry(journalEntryId: "jnl_none") { state }', 'JOURNAL_ENTRY_NOT_FOUND'],
  [
    'changeGeneralLedgerAccount(input: { accountNumber: "9999" }) { name }',
    'GENERAL_LEDGER_ACCOUNT_NOT_FOUND',
  ],
])('%s: %s', async (mutation, code) => {
  await expect(bank.act(`mutation { ${mutation} }`)).rejects.toMatchObject({ code })
})

test.each([
  ['2100', '2900', 'ACCOUNT_NOT_POSTABLE'],
  ['5000', '2900', 'ACCOUNT_NOT_POSTABLE'],
  ['9999', '2900', 'GENERAL_LEDGER_ACCOUNT_NOT_FOUND'],
])('a journal entry cannot be made on %s and %s: %s', async (debit, credit, code) => {
  const entry = propose('jnl_bad', debit, credit, '2026-01-05')
  await expect(bank.act(entry)).rejects.toMatchObject({ code })
})

test('a client cannot post on an own account of the general ledger', async () => {
  const entry = (account: string, side: string) =>
    `{ account: "${account}", side: ${side}, amount: "1.00" }`
  const post = `mutation { createPostingInstruction(input: { type: CUSTOM, entries: [
    { account: "gl+5910+EUR", side: DEBIT, amount: { amount: "1.00", currency: "EUR" } }
    ${entry('nostro/EUR', 'CREDIT')}] }) { status } }`
  await expect(bank.act(post)).rejects.toMatchObject({ code: 'INTERNAL_ACCOUNT_NOT_FOUND' })
})

test('a mapping rule takes two people, and reclassifies from its first day', async () => {
  await bank.post({ debit: 'nostro', credit: 'suspense', amount: '9.00', valueDate: '2026-01-10' })
  const rule = (more: string) => `mutation { proposeMappingRule(input: { ledgerCode: "suspense",
    reason: "Separate", ${more} }) { state } }`
  const rejected: [string, string][] = [
    ['accountNumber: "2900", validFrom: "2026-02-02"', 'VALIDATION_FAILED'],
    ['accountNumber: "1320", validFrom: "2026-02-01"', 'ACCOUNT_TYPE_MISMATCH'],
    ['accountNumber: "2000", validFrom: "2026-02-01"', 'ACCOUNT_NOT_POSTABLE'],
  ]
  for (const [more, code] of rejected) {
    await expect(bank.act(rule(more))).rejects.toMatchObject({ code })
  }
  const unknown = rule('accountNumber: "2900", validFrom: "2026-02-01"')
  await expect(bank.act(unknown.replace('"suspense"', '"none"'))).rejects.toMatchObject({
    code: 'LEDGER_CODE_UNKNOWN',
  })
  await bank.act(rule('mappingRuleId: "map_1", accountNumber: "2900", validFrom: "2026-02-01"'))
  const approve = 'mutation { approveMappingRule(mappingRuleId: "map_1") { state } }'
  await expect(bank.act(approve)).rejects.toMatchObject({ code: 'SEGREGATION_OF_DUTIES' })
  expect((await bank.act(approve, {}, paul)).approveMappingRule).toEqual({ state: 'ACTIVE' })
  await bank.date()
  const { balances } = await bank.act(`{ balances: generalLedgerTrialBalances(
    accountingPeriodId: "2026-02") { lines { accountNumber opening reclassified closing } } }`)
  expect(balances[0].lines.slice(1, 3)).toEqual([
    { accountNumber: '2200', opening: '-9.00', reclassified: '9.00', closing: '0.00' },
    { accountNumber: '2900', opening: '-40.00', reclassified: '-9.00', closing: '-49.00' },
  ])
  expect(await findingsOf(bank)).toEqual([])
})

test('no rule is approved for an account that becomes inactive meanwhile', async () => {
  await bank.act(`mutation { createGeneralLedgerAccount(input: { accountNumber: "2910",
    name: "Clearing", type: LIABILITY, usage: POSTING, currencies: [], allowsManualEntries: false }) {
    name } }`)
  await bank.act(`mutation { proposeMappingRule(input: { mappingRuleId: "map_2910",
    ledgerCode: "suspense", accountNumber: "2910", validFrom: "2026-03-01", reason: "New" }) { state } }`)
  interruptCommit(bank.bank, 'update general_ledger.mapping_rule', () =>
    bank.act(`mutation { changeGeneralLedgerAccount(input: { accountNumber: "2910",
      isActive: false }) { isActive } }`),
  )
  const approve = 'mutation { approveMappingRule(mappingRuleId: "map_2910") { state } }'
  const code = 'ACCOUNT_NOT_POSTABLE'
  await expect(bank.act(approve, {}, paul)).rejects.toMatchObject({ code })
})

test('the reports agree with each other and with the trial balance of the ledger', async () => {
  await bank.post({
    debit: 'nostro',
    credit: 'interest-income',
    amount: '100.00',
    valueDate: '2026-01-11',
  })
  await bank.date()
  const reports = await bank.act(`{
    balanceSheets(asOf: "2026-01-31") { assets liabilities equity result unmapped
      lines { accountNumber level amount } }
    profitAndLoss(from: "2026-01-01", to: "2026-01-31") { income expenses result }
    generalLedgerTrialBalances(accountingPeriodId: "2026-01") { debit credit }
    trialBalance(currency: "EUR") { debit credit } }`)
  expect(reports.balanceSheets).toEqual([
    {
      assets: '109.00',
      liabilities: '49.00',
      equity: '0.00',
      result: '60.00',
      unmapped: '0.00',
      lines: [
        { accountNumber: '1000', level: 0, amount: '109.00' },
        { accountNumber: '1100', level: 1, amount: '109.00' },
        { accountNumber: '1110', level: 2, amount: '109.00' },
        { accountNumber: '2000', level: 0, amount: '49.00' },
        { accountNumber: '2200', level: 1, amount: '9.00' },
        { accountNumber: '2900', level: 1, amount: '40.00' },
      ],
    },
  ])
  expect(reports.profitAndLoss).toEqual([{ income: '100.00', expenses: '40.00', result: '60.00' }])
  expect(reports.generalLedgerTrialBalances).toEqual([reports.trialBalance])
})

test('exports have stable columns, and come in parts', async () => {
  const read = async (args: string) =>
    (
      await bank.act(`{ accountingExport(accountingPeriodId: "2026-01", ${args}) {
        fileName mediaType content rowCount next } }`)
    ).accountingExport
  const csv = await read('report: TRIAL_BALANCE')
  expect(csv.fileName).toBe('trial-balance-2026-01.csv')
  expect(csv.content.split('\r\n').slice(0, 2)).toEqual([
    'accounting_period,account_number,account_name,account_type,currency,opening,reclassified,debit,credit,closing',
    '2026-01,1110,Nostro accounts,asset,EUR,0.00,0.00,109.00,0.00,109.00',
  ])
  const journal = await read('report: JOURNAL, format: JSON')
  const rows = JSON.parse(journal.content)
  expect([rows.length, journal.rowCount, journal.next]).toEqual([6, 6, null])
  const sum = (side: string) =>
    rows.reduce((total: number, row: any) => total + Number(row[side]), 0)
  expect([sum('debit'), sum('credit')]).toEqual([149, 149])
  const detail = await read('report: DETAIL, accountNumber: "5910"')
  expect(detail.content).toMatch(
    /^accounting_date,.*\r\n2026-01-05,2026-01-05,[^,]+,5910,Rent,gl\+5910\+EUR,pin_\w+,1,40\.00,,EUR\r\n$/,
  )
  await expect(read('report: DETAIL')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('the result of a year goes to retained earnings once, and comes back when the period is reopened', async () => {
  const close = 'mutation { closeFiscalYear(fiscalYear: 2026) { kind accountingDate } }'
  bank.clock.set('2027-01-15T09:00:00.000Z')
  await closePeriod(bank, '2026-10')
  await expect(bank.act(close)).rejects.toMatchObject({ code: 'EARLIER_PERIOD_NOT_CLOSED' })
  await closePeriod(bank, '2026-11')
  const [once, again] = [await bank.act(close), await bank.act(close)]
  expect(once.closeFiscalYear).toEqual([{ kind: 'YEAR_END', accountingDate: '2026-12-31' }])
  expect(again).toEqual(once)
  const sheet = async () => {
    await bank.date()
    const { balanceSheets } = await bank.act(
      '{ balanceSheets(asOf: "2026-12-31") { equity result } }',
    )
    return balanceSheets[0]
  }
  expect(await sheet()).toEqual({ equity: '60.00', result: '0.00' })
  await closePeriod(bank, '2026-12')
  await expect(bank.act(close)).rejects.toMatchObject({ code: 'PERIOD_CLOSED' })
  await reopenPeriod(bank, '2026-12')
  expect(await sheet()).toEqual({ equity: '0.00', result: '60.00' })
  await bank.post({
    debit: 'nostro',
    credit: 'fee-income',
    amount: '5.00',
    valueDate: '2026-12-31',
  })
  expect((await bank.act(close)).closeFiscalYear).toHaveLength(1)
  expect(await sheet()).toEqual({ equity: '65.00', result: '0.00' })
  const { profitAndLoss } = await bank.act(
    '{ profitAndLoss(from: "2026-01-01", to: "2026-12-31") { income expenses result } }',
  )
  expect(profitAndLoss).toEqual([{ income: '105.00', expenses: '40.00', result: '65.00' }])
  await closePeriod(bank, '2026-12')
  expect(await findingsOf(bank)).toEqual([])
})

test('positions in other currencies are valued at the rates in force', async () => {
  await bank.act(`mutation { loadExchangeRates(rates: [
    { baseCurrency: "EUR", quoteCurrency: "USD", rate: "1.25", source: "TEST" }]) { rate } }`)
  const entry = (account: string, side: string, amount: string) =>
    `{ account: "${account}", side: ${side}, amount: "${amount}" }`
  const { createPostingInstruction: posted } = await bank.act(`mutation {
    createPostingInstruction(input: { type: CUSTOM, entries: [
      ${entry('nostro/USD', 'DEBIT', '125.00')} ${entry('fx-position/USD', 'CREDIT', '125.00')}
      ${entry('fx-position/EUR', 'DEBIT', '100.00')} ${entry('nostro/EUR', 'CREDIT', '100.00')}
    ] }) { status } }`)
  expect(posted.status).toBe('ACCEPTED')
  await bank.date()
  const { currencyPositions } = await bank.act(
    '{ currencyPositions { currency position rate value } }',
  )
  expect(currencyPositions).toEqual([
    { currency: 'EUR', position: '-100.00', rate: '1', value: '-100.00' },
    { currency: 'USD', position: '125.00', rate: '0.8', value: '100.00' },
  ])
})
