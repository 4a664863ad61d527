/**
 * A random life of savings and current accounts of several products and segments. The reports by product and
 * by segment add up to the reports of the bank, and each says what the accounts themselves say.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { streamJournal } from '../../../subgraphs/general-ledger/commands/journal-file.ts'
import { attributeHistory } from '../../../subgraphs/general-ledger/store/attribution.ts'
import { random } from '../../kit/random.ts'
import { endLeasesOf, killedAfter } from '../interest/crash-kit.ts'
import { anInterestBank, aProduct, newId, post, start, type InterestBank } from '../interest/kit.ts'
import { aCurrentProduct, nightOf } from '../interest/overdraft-kit.ts'
import {
  aCustomerOf,
  balanceSheets,
  date,
  dimensionFindings,
  entriesOf,
  expectSums,
  figuresOf,
  profitAndLoss,
  sumOf,
  trialBalances,
  type Dimension,
} from './dimension-kit.ts'

interface Account {
  arrangementId: string
  productId: string
  /** In lower case; '' for customers without one. */
  segment: string
  isCurrent: boolean
}

let bank: InterestBank
const accounts: Account[] = []
/** The fees that were charged, by account. */
const fees = new Map<string, bigint>()
const next = random(20260511)
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!
const [from, to] = ['2026-01-01', '2026-02-28']

beforeAll(async () => {
  bank = await anInterestBank()
  bank.bank.log.level = 'silent'
  bank.clock.set(start)
  const savings = [
    await aProduct(bank, { withholdingTaxPct: '27' }),
    await aProduct(bank, { tiers: [{ annualRatePct: '1.10' }] }),
  ]
  const current = [await aCurrentProduct(bank), await aCurrentProduct(bank)]
  for (const segment of ['retail', 'Private', null]) {
    const customerId = await aCustomerOf(bank, segment)
    for (const [productId, isCurrent] of [
      ...savings.map((id) => [id, false] as const),
      ...current.map((id) => [id, true] as const),
    ]) {
      const arrangementId = newId('arr')
      const limit = isCurrent ? ', overdraftLimit: { amount: "4000.00", currency: "EUR" }' : ''
      await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "${arrangementId}",
        customerId: "${customerId}", productId: "${productId}"${limit} }) { state } }`)
      await post(bank, arrangementId, isCurrent ? 'OUT' : 'IN', `${100 + accounts.length * 97}.13`)
      accounts.push({
        arrangementId,
        productId,
        segment: segment?.toLowerCase() ?? '',
        isCurrent,
      })
    }
  }
  await bank.follow()
  // The interest of one savings account is paid into an account with another product.
  const [one, other] = [accounts[0]!, accounts[2]!]
  await bank.act(`mutation { setInterestPayout(arrangementId: "${one.arrangementId}",
    payoutArrangementId: "${other.arrangementId}") { accruedThrough } }`)
}, 120_000)
afterAll(() => bank.drop())

async function charge({ arrangementId }: Account): Promise<void> {
  const cents = BigInt(1 + Math.floor(next() * 900))
  const amount = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
  await bank.act(`mutation { createPostingInstruction(input: { type: CUSTOM, entries: [
    { account: "${arrangementId}", side: DEBIT, amount: "${amount}" },
    { account: "fee-income/EUR", side: CREDIT, amount: "${amount}" }] }) { status } }`)
  fees.set(arrangementId, (fees.get(arrangementId) ?? 0n) + cents)
}

async function expected(by: Dimension): Promise<Record<string, Record<string, bigint>>> {
  const figures = await figuresOf(bank, fees)
  const result: Record<string, Record<string, bigint>> = {}
  for (const account of accounts) {
    const value = by === 'PRODUCT' ? account.productId : account.segment
    const sums = (result[value] ??= {})
    for (const [number, minors] of Object.entries(figures)) {
      sums[number] = (sums[number] ?? 0n) + (minors.get(account.arrangementId) ?? 0n)
    }
  }
  return result
}

/** The amounts of the accounts in question, without those of zero. */
const only = (amounts: Record<string, bigint> = {}, numbers: readonly string[]) =>
  sumOf({ '': Object.fromEntries(numbers.map((number) => [number, amounts[number] ?? 0n])) })

async function expectValues(): Promise<void> {
  const segments = ['retail', 'private']
  for (const by of ['PRODUCT', 'SEGMENT'] as const) {
    const [sheets, results] = [
      await balanceSheets(bank, to, by),
      await profitAndLoss(bank, [from, to], by),
    ]
    const accountsSay = await expected(by)
    const values = by === 'PRODUCT' ? Object.keys(accountsSay) : segments
    expect(values.length).toBeGreaterThan(1)
    for (const value of values) {
      const sheetNumbers = ['2100', '2300', '1330']
      expect(only(sheets[value], sheetNumbers)).toEqual(only(accountsSay[value], sheetNumbers))
      const resultNumbers = ['5100', '4100', '4200']
      expect(only(results[value], resultNumbers)).toEqual(only(accountsSay[value], resultNumbers))
    }
  }
}

test(
  'the reports by product and segment say what the accounts say',
  { timeout: 240_000 },
  async () => {
    const days = ['2026-01-09', '2026-01-31', '2026-02-01', '2026-02-12', '2026-02-27']
    for (const [at, day] of days.entries()) {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const account = pick(accounts)
          await post(bank, account.arrangementId, account.isCurrent ? 'OUT' : 'IN', '11.37')
          await charge(account)
        }),
      )
      // Back-dated, so that days are accrued again.
      await post(
        bank,
        pick(accounts).arrangementId,
        'IN',
        '400.01',
        at > 1 ? '2026-01-20' : undefined,
      )
      bank.clock.set(`${day}T00:05:00.000Z`)
      await bank.follow()
      await killedAfter(bank, at % 3, () => bank.accrue())
      await endLeasesOf(bank)
      await nightOf(bank, day)
      await date(bank)
    }
    // Belongs to nothing.
    await bank.act(`mutation { createPostingInstruction(input: { type: CUSTOM, entries: [
    { account: "nostro/EUR", side: DEBIT, amount: "9.99" },
    { account: "fee-income/EUR", side: CREDIT, amount: "9.99" }] }) { status } }`)
    await date(bank)
    await expectValues()
    for (const period of ['2026-01', '2026-02']) {
      await expectSums(bank, period, period === '2026-01' ? [from, '2026-01-31'] : [from, to])
    }
    const { '': unassigned } = await profitAndLoss(bank, [from, to], 'PRODUCT')
    expect(unassigned).toMatchObject({ '4200': 999n, result: 999n })
    expect(await dimensionFindings(bank)).toEqual([])
  },
)

test('a line of a product leads to its entries', async () => {
  const closings = {
    PRODUCT: await trialBalances(bank, '2026-01', 'PRODUCT', 'closing'),
    SEGMENT: await trialBalances(bank, '2026-01', 'SEGMENT', 'closing'),
  }
  const { productId } = accounts[0]!
  for (const [filter, line] of [
    [`accountNumber: "5100", productId: "${productId}"`, closings.PRODUCT[productId]!['5100']],
    [`accountNumber: "2100", productId: "${productId}"`, closings.PRODUCT[productId]!['2100']],
    ['accountNumber: "2300", segment: "retail"', closings.SEGMENT['retail']!['2300']],
    ['accountNumber: "2300", unassignedBy: SEGMENT', closings.SEGMENT['']!['2300']],
  ] as const) {
    const { sum, count } = await entriesOf(bank, '2026-01', filter)
    expect(sum).toBe(line)
    expect(count).toBeGreaterThan(0)
  }
  const none = 'accountNumber: "5100", productId: "prd_unknown"'
  expect(await entriesOf(bank, '2026-01', none)).toEqual({ sum: 0n, count: 0 })
})

test('files have the products and segments of their rows', async () => {
  const { accountingExport: file } =
    await bank.act(`{ accountingExport(report: TRIAL_BALANCE, by: SEGMENT,
    accountingPeriodId: "2026-01", format: CSV) { fileName content } }`)
  expect(file.fileName).toBe('trial-balance-by-segment-2026-01.csv')
  const [header, ...lines] = file.content.trim().split('\r\n')
  expect(header).toMatch(/,closing,segment$/)
  expect(new Set(lines.map((line: string) => line.split(',').at(-1)))).toEqual(
    new Set(['private', 'retail', '']),
  )
  const wrong = `{ accountingExport(report: JOURNAL, by: PRODUCT, accountingPeriodId: "2026-01") { content } }`
  await expect(bank.act(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })

  const { throughPosition } = (
    await bank.act('{ journalFile(accountingPeriodId: "2026-01") { throughPosition } }')
  ).journalFile
  const sums = new Map<string, bigint>()
  const request = { accountingPeriodId: '2026-01', throughPosition: BigInt(throughPosition) }
  let text = ''
  for await (const chunk of streamJournal(bank.bank, { ...request, format: 'ndjson' })) {
    text += chunk.toString()
  }
  for (const line of text.trim().split('\n')) {
    const { account_number: account, product_id: product, amount_minor: minor } = JSON.parse(line)
    const key = `${product} ${account}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(minor))
  }
  const closings = await trialBalances(bank, '2026-01', 'PRODUCT', 'closing')
  for (const [productId, accountsOf] of Object.entries(closings)) {
    for (const [account, minor] of Object.entries(accountsOf)) {
      expect(sums.get(`${productId} ${account}`)).toBe(minor)
    }
  }
})

const totals = () =>
  bank.rows('select * from general_ledger.dimension_total order by 1, 2, 3, 4, 5, 6')

test('what was booked before the upgrade is shown as belonging to none, and is then attributed', async () => {
  const before = await totals()
  await bank.rows('truncate general_ledger.dimension_total')
  await bank.rows(`update general_ledger.dimension_reach set accounting_date = '0001-01-01', position = 0,
    is_complete = false, up_to_position = (select position from general_ledger.book)`)
  const sheets = await balanceSheets(bank, to, 'PRODUCT')
  expect(Object.keys(sheets)).toEqual([''])
  await expectSums(bank, '2026-02', [from, to])
  // A posting of after the upgrade, while the ones of before are added.
  const context = bankContext(bank.bank)
  expect(await attributeHistory(context, 7)).toBe(7)
  await charge(accounts[0]!)
  await date(bank)
  await expectSums(bank, '2026-02', [from, to])
  expect(await dimensionFindings(bank)).toEqual([])
  for (;;) if ((await attributeHistory(context, 7)) === 0) break
  await expectValues()
  await expectSums(bank, '2026-02', [from, to])
  expect(await dimensionFindings(bank)).toEqual([])
  expect((await totals()).length).toBeGreaterThanOrEqual(before.length)
})

test('a total that is not the sum of its entries is found', async () => {
  const change = (minor: number) =>
    bank.rows(`update general_ledger.dimension_total set debit_minor = debit_minor + ${minor}
      where ledger_code = 'interest-expense' and segment = 'retail'
        and accounting_date = (select min(accounting_date) from general_ledger.dimension_total
          where ledger_code = 'interest-expense' and segment = 'retail')`)
  await change(1)
  const found = await dimensionFindings(bank)
  expect(new Set(found.map(({ kind }: any) => kind))).toEqual(new Set(['DIMENSION_DIFFERENCE']))
  expect(found.map(({ subject }: any) => subject)).toContain('interest-expense retail EUR')
  await change(-1)
  expect(await dimensionFindings(bank)).toEqual([])
})

test(
  'the result of a year is transferred for each product and segment',
  { timeout: 120_000 },
  async () => {
    await nightOf(bank, '2026-12-31')
    await nightOf(bank, '2027-01-01')
    bank.clock.set('2027-01-15T09:00:00.000Z')
    for (let month = 1; month < 12; month++) {
      const period = `2026-${String(month).padStart(2, '0')}`
      await bank.act(
        `mutation { closeAccountingPeriod(accountingPeriodId: "${period}") { state } }`,
      )
    }
    const year = ['2026-01-01', '2026-12-31']
    const results = {
      PRODUCT: await profitAndLoss(bank, year, 'PRODUCT'),
      SEGMENT: await profitAndLoss(bank, year, 'SEGMENT'),
    }
    await bank.act('mutation { closeFiscalYear(fiscalYear: 2026) { kind } }')
    await date(bank)
    for (const by of ['PRODUCT', 'SEGMENT'] as const) {
      const sheets = await balanceSheets(bank, year[1]!, by)
      for (const [value, { result }] of Object.entries(results[by])) {
        expect(sheets[value]!['result']).toBe(0n)
        expect(sheets[value]!['3200'] ?? 0n).toBe(result)
      }
      // The profit and loss statement leaves year-end entries out.
      expect(await profitAndLoss(bank, year, by)).toEqual(results[by])
    }
    await expectSums(bank, '2026-12', year)
    expect(await dimensionFindings(bank)).toEqual([])
  },
)
