/** Loans have the product of their facility, also in what was booked and closed before they had. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { attributeHistory } from '../../../subgraphs/general-ledger/store/attribution.ts'
import { aLedgerBank, closePeriod, closingOf, findingsOf, paul, type LedgerBank } from './kit.ts'

const migration = readFileSync(
  new URL('../../../prisma/migrations/20260507000000_loan_products/migration.sql', import.meta.url),
  'utf8',
)
/** The function of the release before, which looked for the ID of the ledger account as a whole. */
const formerFunction = `
  create or replace function general_ledger.product_of(of_account text, of_code text) returns text
  language sql stable as $$
    select coalesce((
      select f.data ->> 'productId' from kernel.fact f
      where of_code in ('customer', 'loan')
        and f.subject in ('arrangement/' || of_account, 'facility/' || of_account)
      order by f.subject limit 1), '')
  $$`

/** The function with which postings are dated now, as if it knew no products of loans either. */
const withoutLoans = `
  create or replace function ledger.attribution_of(of_account text, of_code text)
  returns table (product_id text, segment text) language sql stable as $$
    select coalesce((select f.data ->> 'productId' from kernel.fact f
      where of_code = 'customer' and f.subject = 'arrangement/' || of_account), ''), ''
  $$`

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-01-12T09:00:00.000Z')
  for (const mutation of [
    `createParty(input: { partyId: "pty_1", kind: PERSON, givenName: "A", familyName: "B" }) { partyId }`,
    `createCustomer(input: { customerId: "cus_1", partyId: "pty_1" }) { status }`,
    `startKyc(customerId: "cus_1") { status }`,
    `passKyc(customerId: "cus_1", expiresOn: "2999-12-31") { status }`,
    `activateCustomer(customerId: "cus_1") { status }`,
    ...['prd_home', 'prd_car'].map(
      (productId) => `createProduct(input: { productId: "${productId}", name: "Loan",
        productClass: "consumer-loan", status: "active", version: "2026.1", currencies: ["EUR"],
        interest: { basePct: "2", marginPct: "3" } }) { productId }`,
    ),
    `createProduct(input: { productId: "prd_current", name: "Current", productClass: "current-account",
      status: "active", version: "2026.1", currencies: ["EUR"] }) { productId }`,
    `openAccountArrangement(input: { arrangementId: "arr_1", customerId: "cus_1",
      productId: "prd_current", currency: "EUR" }) { state }`,
  ]) {
    await bank.act(`mutation { ${mutation} }`)
  }
})
afterAll(() => bank.drop())

const lend = (facilityId: string, limit: string, productId: string | null) =>
  bank.act(`mutation { openFacility(input: { facilityId: "${facilityId}", customerId: "cus_1",
    kind: CONSUMER_LOAN, limit: { amount: "${limit}", currency: "EUR" }, ratePct: "5", installments: 12
    settlementArrangementId: "arr_1"
    ${productId ? `productId: "${productId}", productVersion: "2026.1"` : ''} disburse: true }) { state } }`)

async function mapHomeLoansTo(accountNumber: string, validFrom: string): Promise<void> {
  await bank.act(`mutation {
    createGeneralLedgerAccount(input: { accountNumber: "${accountNumber}", name: "Home loans", type: ASSET,
      parentNumber: "1000" }) { isActive }
    proposeMappingRule(input: { mappingRuleId: "map_home", ledgerCode: "loan", productId: "prd_home",
      accountNumber: "${accountNumber}", validFrom: "${validFrom}", reason: "Separate" }) { state } }`)
  await bank.act('mutation { approveMappingRule(mappingRuleId: "map_home") { state } }', {}, paul)
}

/** Attributes what is dated as the migration to products and segments does. */
async function attributeAgain(attribution: string): Promise<void> {
  await bank.rows(attribution)
  await bank.rows('truncate general_ledger.dimension_total')
  await bank.rows(`update general_ledger.dimension_reach set is_complete = false,
    accounting_date = '0001-01-01', position = 0,
    up_to_position = (select position from general_ledger.book)`)
  while ((await attributeHistory(bankContext(bank.bank), 100)) > 0);
}

const revisionSql = 'select revision::text from general_ledger.book'
const totals = async () =>
  (
    await bank.rows(
      `select product_id || ' ' || sum(debit_minor - credit_minor) as total
       from general_ledger.daily_total where ledger_code = 'loan' group by product_id order by 1`,
    )
  ).map(({ total }) => total)

test('what a release booked and closed without products gets them', async () => {
  const [attribution] = await bank.rows(
    `select pg_get_functiondef('ledger.attribution_of'::regproc) as now`,
  )
  await bank.rows(formerFunction)
  await bank.rows(withoutLoans)
  await lend('loan_home', '9000.00', 'prd_home')
  await lend('loan_car', '500.00', 'prd_car')
  await lend('loan_other', '20.00', null)
  await bank.date()
  bank.clock.set('2026-02-03T09:00:00.000Z')
  await closePeriod(bank, '2026-01')
  await lend('loan_late', '7.00', 'prd_home')
  await bank.date()
  expect(await totals()).toEqual([' 952700'])
  const before = [await closingOf(bank, '2026-01'), await closingOf(bank, '2026-02')]

  const revision = async () => Number((await bank.rows(revisionSql))[0]!['revision'])
  const formerRevision = await revision()
  await bank.rows(migration)
  await attributeAgain(String(attribution!['now']))
  // A process that has read the former totals to close a period reads them again.
  expect(await revision()).toBeGreaterThan(formerRevision)
  expect(await totals()).toEqual([' 2000', 'prd_car 50000', 'prd_home 900700'])
  expect([await closingOf(bank, '2026-01'), await closingOf(bank, '2026-02')]).toEqual(before)
  expect(await findingsOf(bank)).toEqual([])
  const stored = await bank.rows(
    `select product_id, opening_minor::int, debit_minor::int, credit_minor::int, closing_minor::int
     from general_ledger.closing_balance where ledger_code = 'loan' order by product_id`,
  )
  expect(stored.map((row) => Object.values(row))).toEqual([
    ['', 0, 2000, 0, 2000],
    ['prd_car', 0, 50_000, 0, 50_000],
    ['prd_home', 0, 900_000, 0, 900_000],
  ])
  await expect(
    bank.rows('update general_ledger.closing_balance set debit_minor = 0'),
  ).rejects.toThrow()
})

test('a mapping rule for the product of a loan moves its balance, and no other', async () => {
  await mapHomeLoansTo('1250', '2026-02-01')
  const { '1250': home, ...others } = await closingOf(bank, '2026-02')
  expect(home).toBe('9007.00')
  expect(Object.values(others)).toContain('520.00')
  await lend('loan_next', '3.00', 'prd_home')
  await bank.date()
  expect(await closingOf(bank, '2026-02')).toMatchObject({ '1250': '9010.00' })
  expect(await findingsOf(bank)).toEqual([])
})
