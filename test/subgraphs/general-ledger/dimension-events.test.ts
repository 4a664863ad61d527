/**
 * Postings whose internal amounts do not follow from the accounts in them belong to the product and the
 * segment for which they were booked.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { controlAccounts, internalAccount, chart } from '../../../ledger/domain/account.ts'
import { dateCommittedPostings } from '../../../subgraphs/general-ledger/commands/date-postings.ts'
import { employee } from '../../kit/subgraph.ts'
import { chargeFee } from '../fees/charge-kit.ts'
import { aCustomer, anAccount, aProduct, eur, newId, pay } from '../fees/fee-kit.ts'
import {
  aProvisioningBank,
  aTable,
  drain,
  officer,
  provide,
  segments,
  type ProvisioningBank,
} from '../provisioning/kit.ts'

let bank: ProvisioningBank
let [accountId, currentId, loanProductId, facilityId] = ['', '', '', '']
const onRequest = {
  code: 'copy',
  name: 'Copy of a statement',
  frequency: 'ON_REQUEST',
  amount: eur('7.00'),
}

beforeAll(async () => {
  bank = await aProvisioningBank()
  const customerId = await aCustomer(bank, 'eve', 'Retail')
  currentId = await aProduct(bank, onRequest)
  accountId = await anAccount(bank, currentId, { customerId })
  loanProductId = newId('prd')
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    {
      input: {
        productId: loanProductId,
        name: 'Loan',
        productClass: 'consumer-loan',
        status: 'active',
        version: '2026.1',
        currencies: ['EUR'],
        interest: { basePct: '2', marginPct: '3' },
        parameters: [{ name: 'prepaymentFeePct', type: 'DECIMAL', default: '1' }],
      },
    },
  )
  facilityId = newId('loan')
  await bank.act(`mutation { openFacility(input: { facilityId: "${facilityId}", customerId: "${customerId}",
    kind: CONSUMER_LOAN, limit: { amount: "1200.00", currency: "EUR" }, ratePct: "6", installments: 12,
    productId: "${loanProductId}", productVersion: "2026.1", disburse: false }) { state }
    createDrawdown(input: { facilityId: "${facilityId}", amount: "1200.00",
      destination: { arrangementId: "${accountId}" } }) { drawdownId } }`)
}, 60_000)
afterAll(() => bank.drop())

/** What each account of the general ledger shows for a product and segment: debits less credits. */
async function entries(filter = ''): Promise<Record<string, number>> {
  await dateCommittedPostings(bankContext(bank.bank))
  const sums: Record<string, number> = {}
  for (const period of ['2026-03', '2026-04']) {
    const { generalLedgerEntries } = await bank.act(`{ generalLedgerEntries(first: 100,
      accountingPeriodId: "${period}" ${filter}) { nodes { accountNumber side amount productId segment }
      pageInfo { hasNextPage } } }`)
    expect(generalLedgerEntries.pageInfo.hasNextPage).toBe(false)
    for (const { accountNumber, side, amount } of generalLedgerEntries.nodes) {
      const cents = Math.round(Number(amount) * 100) * (side === 'DEBIT' ? 1 : -1)
      sums[accountNumber] = (sums[accountNumber] ?? 0) + cents
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0))
}
const ofLoan = () => entries(`productId: "${loanProductId}" segment: "retail"`)
const ofAccount = () => entries(`productId: "${currentId}" segment: "retail"`)

test('an unpaid fee, and its waiver, belong to the account that owes it', async () => {
  const emptyId = await anAccount(bank, currentId, { customerId: 'cus_eve' })
  const fee = { arrangementId: emptyId, feeCode: 'copy', reason: 'Asked at the counter' }
  const { receivable } = await chargeFee(bank, fee)
  expect(receivable.outstanding.amount).toBe('7.00')
  expect(await ofAccount()).toMatchObject({ '1310': 700, '4200': -700 })
  await bank.act(
    `mutation { waiveFeeReceivable(feeReceivableId: "${receivable.feeReceivableId}",
      reason: "Goodwill") { status } }`,
    {},
    employee,
  )
  const { '1310': owed, '4200': income } = await ofAccount()
  expect([owed, income]).toEqual([undefined, undefined])
})

test('a prepayment fee, a loss allowance and a recovery belong to the loan', async () => {
  await bank.act(`mutation { createExtraPayment(input: { facilityId: "${facilityId}", amount: "400.00",
    sourceArrangementId: "${accountId}" }) { status } }`)
  const fee = (await ofLoan())['4200']!
  expect(fee).toBeLessThan(0)
  expect((await ofAccount())['4200']).toBeUndefined()

  await aTable(bank, { segments })
  await provide(bank, '2026-04-01')
  const provided = await ofLoan()
  expect(provided['5300']).toBeGreaterThan(0)
  expect(provided['1220']).toBe(-provided['5300']!)
  expect(provided['4100']).toBeLessThan(0)

  await bank.act(
    `mutation { chargeOffFacility(facilityId: "${facilityId}", reason: "Bankrupt") { state } }`,
    {},
    officer,
  )
  const lost = (await ofLoan())['5200']!
  expect(lost).toBeGreaterThan(0)
  await drain(bank, 'provisioning.end-allowances')
  const used = await ofLoan()
  expect(used['1220']).toBeUndefined()
  expect(used['5200']).toBeLessThan(lost)

  await pay(bank, accountId, 'IN', '50.00')
  await bank.act(
    `mutation { recoverFacility(input: { facilityId: "${facilityId}", amount: "50.00",
      sourceArrangementId: "${accountId}" }) { state } }`,
    {},
    officer,
  )
  expect((await ofLoan())['5200']).toBe(used['5200']! - 5000)
  // Only what has no product at all, and the money in transit, belongs to none.
  const none = Object.keys(await entries('unassignedBy: PRODUCT'))
  expect(none.filter((number) => /^[45]/.test(number))).toEqual([])
  expect(
    (await bank.act('{ generalLedgerFindings { kind subject } }')).generalLedgerFindings,
  ).toEqual([])
})

test('the database attributes the amounts of the same accounts as the code', async () => {
  const [{ source }] = (await bank.rows(
    `select prosrc as source from pg_proc where proname = 'attributed_entries'`,
  )) as [{ source: string }]
  for (const code of Object.keys(chart)) {
    const { type } = internalAccount(`${code}/EUR`)!
    if (type === 'income' || type === 'expense') continue
    expect([code, source.includes(`'${code}'`)]).toEqual([code, controlAccounts.has(code)])
  }
})
