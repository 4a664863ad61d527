/** Accounts of the sandbox have three months of history, which is created once and stays consistent. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureSteps } from '../../host/fixture-steps.ts'
import { fixturesPath, seedFixtures } from '../../host/fixtures.ts'
import { dateOf, dayMs } from '../../kernel/domain/dates.ts'
import { deleteKeys } from '../../subgraphs/operations/store/kernel.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { dateCommittedPostings } from '../../subgraphs/general-ledger/commands/date-postings.ts'
import { freshDatabase } from '../kit/database.ts'
import { aPlatform, eventually, theGraph, type Platform } from '../kit/platform.ts'
import { runQuery } from './kit.ts'

const [current, savings, graces] = ['arr_ada_current', 'arr_ada_savings', 'arr_grace_current']
let bank: Platform
let startedAt: Date
let dropDatabase: () => Promise<void>
beforeAll(async () => {
  const { url, drop } = await freshDatabase()
  const seeding = await aPlatform('sandbox', url, true)
  startedAt = seeding.bank.now()
  await seedFixtures(await theGraph(), seeding.bank)
  await seeding.stop()
  // As when the program starts: the workers begin once the fixtures are executed.
  bank = await aPlatform('sandbox', url)
  dropDatabase = drop
  await eventually(async () => {
    const { feeRuns } = await runQuery(bank, 'feeRuns { nodes { status } }')
    return feeRuns.nodes[0].status === 'COMPLETED'
  })
})
afterAll(async () => {
  await bank.stop()
  await dropDatabase()
})

const daysAgo = (days: number) => new Date(startedAt.getTime() - days * dayMs)
const select = async (sql: string, values: unknown[] = []) =>
  (await bank.bank.pool.query(sql, values)).rows
const count = async (table: string): Promise<number> =>
  (await select(`select count(*)::int as n from ${table}`))[0].n
const balanceOf = async (arrangementId: string, asOf?: Date): Promise<string> => {
  const at = asOf ? `, asOf: "${asOf.toISOString()}"` : ''
  const { balance } = await runQuery(
    bank,
    `balance(arrangementId: "${arrangementId}"${at}) { committed }`,
  )
  return balance.committed
}

test("entries of Ada's account are spread over three months, none in the future", async () => {
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "${current}") { openedAt entries { nodes { bookedAt valueDate } pageInfo { hasNextPage } } }`,
  )
  const { openedAt, entries } = accountArrangement
  const booked: string[] = entries.nodes.map(({ bookedAt }: any) => bookedAt)
  // A first query, without a page size, shows all of it.
  expect(entries.pageInfo.hasNextPage).toBe(false)
  expect(booked.length).toBeGreaterThan(40)
  expect(booked).toEqual([...booked].sort())
  expect(new Set(booked.map((at) => at.slice(0, 7))).size).toBeGreaterThanOrEqual(3)
  expect(new Set(booked.map((at) => at.slice(0, 10))).size).toBeGreaterThan(20)
  expect(Date.parse(booked[0]!)).toBeLessThan(daysAgo(90).getTime())
  expect(Date.parse(booked.at(-1)!)).toBeLessThanOrEqual(bank.bank.now().getTime())
  expect(Date.parse(openedAt)).toBeLessThan(Date.parse(booked[0]!))
  const history = entries.nodes.filter((each: any) => Date.parse(each.bookedAt) < +startedAt)
  for (const { bookedAt, valueDate } of history) expect(valueDate).toBe(bookedAt.slice(0, 10))
})

test('balances are those that the README states', async () => {
  expect(await balanceOf(current)).toBe('15406.25')
  expect(await balanceOf(savings)).toBe('300.00')
  expect(await balanceOf(graces)).toBe('3095.50')
})

test("Grace's savings have a year of interest, paid each month and less tax", async () => {
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "arr_grace_growth") { entries { nodes { bookedAt } }
       interest { accruedThrough adjustments { nodes { adjustmentId } }
         capitalizations(first: 50) { nodes { periodStart periodEnd createdAt
           gross { amount } taxWithheld { amount } net { amount } } } } }`,
  )
  const { entries, interest } = accountArrangement
  const payments = interest.capitalizations.nodes.toReversed()
  expect(payments.length).toBeGreaterThanOrEqual(12)
  expect(interest.adjustments.nodes).toEqual([])
  const cents = ({ amount }: any) => Math.round(Number(amount) * 100)
  const net = payments.map((each: any) => cents(each.net))
  for (const { gross, taxWithheld, net: paid } of payments) {
    expect(cents(gross)).toBe(cents(taxWithheld) + cents(paid))
    expect(cents(taxWithheld)).toBe(Math.floor(cents(gross) / 4))
  }
  // A full month: 2 % on 10,000 EUR and 3 % on 2,000 EUR and the interest that was paid before.
  const paidBefore = net[0]!
  const month = (20_000_000 + 3 * (200_000 + paidBefore) * 10) / 1200
  expect(Math.abs(cents(payments[1].gross) - month / 10)).toBeLessThanOrEqual(1)
  for (const { periodEnd, createdAt } of payments) {
    // Each month was paid in the month after it.
    const days = (Date.parse(createdAt) - Date.parse(periodEnd)) / dayMs
    expect(days > 0 && days < 34).toBe(true)
  }
  expect(entries.nodes).toHaveLength(payments.length + 1)
  const total = net.reduce((sum: number, each: number) => sum + each, 12_000_00)
  expect(cents({ amount: await balanceOf('arr_grace_growth') })).toBe(total)
})

test("Grace's household account is overdrawn within its limit, and was charged interest", async () => {
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "arr_grace_overdraft") { overdraftLimit { amount }
       balances { committed } overdraft { limit { amount } state }
       overdraftInterest { adjustments { nodes { adjustmentId } }
         charges(first: 50) { nodes { amount { amount } effectiveOn } } accrued { amount } } }`,
  )
  const { overdraft, overdraftInterest, balances } = accountArrangement
  expect([overdraft.limit.amount, overdraft.state]).toEqual(['1000.00', 'APPROVED'])
  expect(overdraftInterest.adjustments.nodes).toEqual([])
  const charged = overdraftInterest.charges.nodes.map(({ amount }: any) => Number(amount.amount))
  expect(charged.length).toBeGreaterThanOrEqual(1)
  const total = charged.reduce((sum: number, each: number) => sum + each, 0)
  expect(Number(balances[0].committed)).toBeCloseTo(-750 - total, 2)
  // 700.00 at 9.9 percent is 0.19 a day, for at most 38 days.
  expect(total + Number(overdraftInterest.accrued.amount)).toBeGreaterThan(6.8)
  expect(total + Number(overdraftInterest.accrued.amount)).toBeLessThan(7.4)
})

test('past balances, statements and transactions show the history', async () => {
  expect(await balanceOf(current, daysAgo(101))).toBe('0.00')
  expect(await balanceOf(current, daysAgo(95))).toBe('250.00')
  expect(await balanceOf(savings, daysAgo(45))).toBe('200.00')
  const [from, to] = [dateOf(daysAgo(70)), dateOf(daysAgo(40))]
  const { accountArrangement, transactions } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "${current}") { statement(from: "${from}", to: "${to}") {
       openingBalance closingBalance entries { amount side remittanceInformation } } }
     transactions(arrangementId: "${current}", first: 200, filter: { from: "${from}", to: "${to}" }) {
       nodes { date description } }`,
  )
  const { entries, openingBalance, closingBalance } = accountArrangement.statement
  expect(entries.map((each: any) => each.remittanceInformation)).toEqual(
    expect.arrayContaining(['Salary', 'Rent', 'Electricity', 'Card payment', 'Cash withdrawal']),
  )
  const turnover = entries.reduce((sum: number, { amount, side }: any) => {
    return sum + Math.round(Number(amount) * 100) * (side === 'CREDIT' ? 1 : -1)
  }, 0)
  expect(Math.round((Number(closingBalance) - Number(openingBalance)) * 100)).toBe(turnover)
  expect(transactions.nodes.length).toBeGreaterThanOrEqual(8)
})

test('events of the history have the time of their posting', async () => {
  const rows = await select(
    `select e.time, p.booked_at from kernel.event e join ledger.posting_instruction p
       on e.subject = 'posting-instruction/' || p.posting_instruction_id where p.booked_at < $1`,
    [startedAt],
  )
  expect(rows.length).toBeGreaterThan(50)
  for (const { time, booked_at: bookedAt } of rows) expect(time).toEqual(bookedAt)
  const [opened] = await select(
    `select time from kernel.event where type = 'accounts.arrangement.opened' and subject like '%${current}'`,
  )
  expect(opened.time.getTime()).toBeLessThan(daysAgo(98).getTime())
})

test('the books have no findings, one loan is current and one is late', async () => {
  const books = await runQuery(
    bank,
    `ledgerFindings { invariant } lendingFindings { invariant } trialBalance(currency: "EUR") { difference }
     loan(loanId: "loan_ada") { state delinquency { stage daysPastDue } } late: loan(loanId: "loan_grace") { state delinquencyBucket { label } }`,
  )
  expect(books).toEqual({
    ledgerFindings: [],
    lendingFindings: [],
    trialBalance: { difference: '0.00' },
    loan: { state: 'ACTIVE', delinquency: { stage: 'CURRENT', daysPastDue: 0 } },
    late: { state: 'IN_ARREARS', delinquencyBucket: { label: '1-29' } },
  })
  const rejected = `select * from ledger.posting_instruction where status = 'rejected'`
  expect(await select(rejected)).toEqual([])
})

test('past months are closed, and the balance sheet agrees with the ledger', async () => {
  const lastMonth = new Date(Date.UTC(startedAt.getUTCFullYear(), startedAt.getUTCMonth(), 0))
  const monthBefore = new Date(Date.UTC(lastMonth.getUTCFullYear(), lastMonth.getUTCMonth(), 0))
  const stateOf = async (day: Date) => {
    const id = day.toISOString().slice(0, 7)
    const { accountingPeriods } = await runQuery(
      bank,
      `accountingPeriods(fiscalYear: ${day.getUTCFullYear()}) { accountingPeriodId state }`,
    )
    return accountingPeriods.find((each: any) => each.accountingPeriodId === id).state
  }
  expect([await stateOf(monthBefore), await stateOf(lastMonth), await stateOf(startedAt)]).toEqual([
    'CLOSED',
    'SOFT_CLOSED',
    'OPEN',
  ])
  await dateCommittedPostings(bankContext(bank.bank))
  const reports = await runQuery(
    bank,
    `generalLedgerFindings { kind subject detail }
     balanceSheets(currency: "EUR") { assets liabilities equity result unmapped
       lines { accountNumber name level amount } }
     trialBalance(currency: "EUR") { accounts { code debit credit } }`,
  )
  expect(reports.generalLedgerFindings).toEqual([])
  const [sheet] = reports.balanceSheets
  const cents = (amount: string) => BigInt(amount.replace('.', ''))
  expect(cents(sheet.assets)).toBe(
    cents(sheet.liabilities) + cents(sheet.equity) + cents(sheet.result),
  )
  const { debit, credit } = reports.trialBalance.accounts.find(
    (each: any) => each.code === 'customer',
  )
  const deposits = sheet.lines.find((each: any) => each.accountNumber === '2100')
  expect(cents(deposits.amount)).toBe(cents(credit) - cents(debit))
})

describe('starting again', () => {
  const startAgain = async () => seedFixtures(await theGraph(), bank.bank)
  const counts = async () => ({
    postings: await count('ledger.posting_instruction'),
    keys: await count('kernel.idempotency'),
    current: await balanceOf(current),
  })

  test('changes nothing', async () => {
    const before = await counts()
    await startAgain()
    expect(await counts()).toEqual(before)
  })

  test('changes nothing 40 days later, after old idempotency keys were deleted', async () => {
    const later = new Date(Date.now() + 40 * dayMs)
    const before = await counts()
    await deleteKeys(bankContext(bank.bank), later, 1000)
    const retained = await select(
      `select distinct key from kernel.idempotency where key like 'fixture:%'`,
    )
    const steps = fixtureSteps(readFileSync(fixturesPath, 'utf8'), dateOf(startedAt))
    expect(new Set(retained.map(({ key }) => key))).toEqual(new Set(steps.map(({ key }) => key)))
    await seedFixtures(await theGraph(), { ...bank.bank, now: () => later })
    const { postings, current: balance } = await counts()
    expect([postings, balance]).toEqual([before.postings, before.current])
  })

  test('adds no history to a sandbox that a previous version seeded', async () => {
    const before = await counts()
    await select(`delete from kernel.idempotency where key like 'fixture:GroceriesAda%'`)
    await startAgain()
    const { postings, current: balance } = await counts()
    expect([postings, balance]).toEqual([before.postings, before.current])
    expect(await runQuery(bank, 'ledgerFindings { invariant }')).toEqual({ ledgerFindings: [] })
  })
})

test('a request cannot set the time of its effects', async () => {
  const token = bank.token()
  const { createParty } = await bank
    .graph(
      'mutation { createParty(input: { kind: PERSON, givenName: "Eve" }) { createdAt } }',
      {},
      { token, headers: { 'bankgraph-happened-at': String(+daysAgo(50)) } },
    )
    .then(({ body }) => body.data)
  expect(Date.parse(createParty.createdAt)).toBeGreaterThanOrEqual(+startedAt)
})

test('gives a statement as a file in which the entries add up to the balances', async () => {
  const day = bank.bank.now().toISOString().slice(0, 10)
  const from = new Date(Date.parse(day) - 300 * 86_400_000).toISOString().slice(0, 10)
  const { accountArrangement } = await runQuery(
    bank,
    `accountArrangement(arrangementId: "arr_ada_current") { statement(from: "${from}", to: "${day}") {
      openingBalance closingBalance entries { amount }
      csv: file(format: CSV) { fileName mediaType content }
      camt: file(format: CAMT_053) { fileName mediaType content } } }`,
  )
  const { openingBalance, closingBalance, entries, csv, camt } = accountArrangement.statement
  expect([csv.fileName, csv.mediaType]).toEqual([
    `arr_ada_current-${from}-${day}.csv`,
    'text/csv; charset=utf-8',
  ])
  const lines = csv.content.trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(entries.length)
  const cents = lines.map((line: string) => Math.round(Number(line.split(',')[2]) * 100))
  const sum = cents.reduce((total: number, each: number) => total + each, 0)
  expect(sum).toBe(Math.round((Number(closingBalance) - Number(openingBalance)) * 100))
  expect([camt.fileName, camt.mediaType]).toEqual([
    `arr_ada_current-${from}-${day}.xml`,
    'application/xml',
  ])
  expect(camt.content.match(/<Ntry>/g)).toHaveLength(entries.length)
  const [account] = await select(
    'select account_number as iban from accounts.arrangement where arrangement_id = $1',
    [current],
  )
  expect(camt.content).toContain(`<IBAN>${account.iban}</IBAN>`)
})
