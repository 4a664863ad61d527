/**
 * What a page costs, counted: the calls to each subgraph, and the SQL statements in them. Both must be
 * the minimum, whatever the size of the page.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countCalls, type CallCounts } from '../kit/call-counts.ts'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { nestedFieldDocuments } from './nested-fields.ts'
import { pageSize, seedPage } from './page-kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform('sandbox', true)
  await seedPage(bank)
  for (const sql of [...guarantees, ...fees]) await bank.bank.pool.query(sql)
})
afterAll(() => bank.stop())

/** Each client guarantees the loan of Grace, and the guarantee was called. */
const guarantees = [
  `insert into lending.facility_obligor
     select 'obl_' || party_id, 'loan_grace', party_id, 'pty_grace', 'guarantor', 'active', 'EUR', 100,
       null, null, 'doc_1', 'ruth', null, null, null, null, '', 1, created_at, updated_at
     from parties.party where party_id ~ '^pty_p[0-9]+$'`,
  `insert into lending.guarantee_call
     select 'gcl_' || party_id, obligor_id, facility_id, party_id, borrower_party_id, 'open', 100, 'EUR',
       '2099-01-01', 'ruth', null, '', 1, created_at, updated_at from lending.facility_obligor`,
]

/** Each client owes a fee of a run, and a fee that was charged by itself. */
const fees = [
  `insert into operations.fee_run
     select 'fer_page', 'manual', 'monthly', 'prd_current', 'monthly', '2026-01-01', '2026-01-31', '2026-01-31', now(),
       'completed', false, 'ruth', ${pageSize}, ${pageSize}, 0, 0, 0, '[]', '[]', null, null, null, null, now(), now(),
       null, 1, now(), now(), null`,
  `insert into operations.fee_receivable
     select fee || party_id, 'arr_' || substr(party_id, 5), party_id, 'fer_page', fee, 'Fee', '2026-01-01',
       '2026-01-31', 'EUR', 100, 0, 0, 'open', now(), 'INSUFFICIENT_FUNDS', 'pin_' || fee || party_id, null, null, null,
       false, '', 1, created_at, updated_at, case fee when 'single' then 'fch_' || party_id end
     from parties.party, (values ('monthly'), ('single')) kinds (fee) where party_id ~ '^pty_p[0-9]+$'`,
  `insert into operations.fee_run_item
     select 'fer_page', arrangement_id, party_id, fee_code, period_start, period_end, 'charged', null, 1, amount_minor,
       currency, posting_instruction_id, null, false, created_at, fee_receivable_id
     from operations.fee_receivable where fee_code = 'monthly'`,
  `insert into operations.fee_charge (fee_charge_id, arrangement_id, party_id, product_id, product_version, fee_code,
       fee_name, amount_minor, currency, status, occurred_at, charged_by, reason, posting_instruction_id,
       fee_receivable_id, content_hash, version, created_at, updated_at)
     select fee_charge_id, arrangement_id, party_id, 'prd_current', '2026.1', fee_code, fee_name, amount_minor,
       currency, 'charged', created_at, 'ruth', 'A service', posting_instruction_id, fee_receivable_id, '', 1,
       created_at, updated_at
     from operations.fee_receivable where fee_charge_id is not null`,
]

/** For each subgraph, its calls and its SQL statements, such as `1/2`. */
type Budget = Record<string, string>

const nestedConnections = `
  displayName accounts { arrangementId balances { available } }
  agreements { nodes { agreementId } } notifications { nodes { notificationId } }
  cases { nodes { caseId timeline { nodes { kind at } } documents { nodes { documentId } } } }
  documents { nodes { documentId } } collaterals { nodes { collateralId valuations { nodes { number } } } }
  interactions { nodes { interactionId } } customers {
    facilities { nodes { facilityId coverage { required { amount } } scheduleVersions { version }
      payoffQuote { total { amount } } repayments { nodes { repaymentId } } } }
    loanApplications { nodes { applicationId } } offers { nodes { offerId } } }`

/**
 * What one page may cost. A subgraph is called twice where it starts a path and also continues one
 * of another subgraph. Nested lists take two statements: one for their IDs, and one for their records.
 */
const federated: Record<string, { document: string; budget: Budget }> = {
  'notifications with parties': {
    document: `query ($first: Int) { notifications(first: $first) { nodes {
      notificationId status party { partyId displayName } } } }`,
    budget: { notifications: '1/1', parties: '1/1' },
  },
  'accounts with owners and balances': {
    document: `query ($first: Int) { accountArrangements(first: $first) { nodes {
      arrangementId customer { customerId party { displayName } } party { displayName }
      balances { available committed } product { name } } } }`,
    // The parties of the accounts and those of the customers are read with different columns.
    budget: { accounts: '1/2', parties: '2/3', products: '1/1' },
  },
  'accounts with entries and transactions': {
    document: `query ($first: Int) { accountArrangements(first: $first) { nodes {
      entries(first: 5) { nodes { amount balanceAfter } }
      transactions(first: 3) { nodes { status } } } } }`,
    budget: { accounts: '1/2', payments: '1/2', parties: '1/1' },
  },
  'accounts with interest': {
    document: `query ($first: Int) { accountArrangements(first: $first) { nodes {
      interest { accrued { amount } accruals(first: 5) { nodes { exactAmount } }
        adjustments(first: 5) { nodes { firstDay } } capitalizations(first: 5) { nodes { effectiveOn } } } } } }`,
    // One account of the page earns interest: the position, and three lists. The others have no
    // position yet, and are read from their accounts and products.
    budget: { accounts: '1/1', interest: '1/6' },
  },
  'loans with schedules and owners': {
    document: `query ($first: Int) { facilities(kind: CONSUMER_LOAN, first: $first) { nodes {
      facilityId schedule { dueDate } delinquency { daysPastDue } payoffQuote { total { amount } }
      customer { party { displayName } }
      settlementArrangement { balances { available } } product { name } } } }`,
    budget: { lending: '1/3', parties: '1/2', accounts: '1/2', products: '1/1' },
  },
  'parties with what they guarantee': {
    document: `query ($first: Int) { parties(first: $first) { nodes { obligations(first: 5) { nodes {
      facility { state } guaranteed { amount } guaranteeCalls(first: 5) { nodes {
        received { amount } } } } } } } }`,
    // Two nested lists, the facility for the caller and for the amount, the calls and the payments.
    budget: { parties: '1/1', lending: '1/8' },
  },
  'fee charges with what is owed': {
    document: `query ($first: Int) { feeCharges(first: $first) { nodes {
      receivable { outstanding { amount } movements { amount { amount } } } owed { amount } } } }`,
    budget: { fees: '1/3' },
  },
  'the items of a fee run with what is owed': {
    document: `query ($first: Int) { feeRun(feeRunId: "fer_page") { items(first: $first) { nodes {
      receivable { outstanding { amount } } } } } }`,
    budget: { fees: '1/3' },
  },
  'cases with documents': {
    document: `query ($first: Int) { cases(first: $first) { nodes {
      caseId party { displayName } timeline { nodes { kind } }
      documents { nodes { documentId } } interactions { nodes { interactionId } } } } }`,
    budget: { casework: '1/4', parties: '1/1', channels: '1/1' },
  },
  'events with their subjects': {
    document: `query ($first: Int) { businessEvents(first: $first) { nodes {
      type subject { __typename ... on Party { displayName }
        ... on AccountArrangement { balances { available } } } } } }`,
    budget: { events: '1/1', parties: '1/1', accounts: '1/2' },
  },
  'parties with nested connections': {
    document: `query ($first: Int) { parties(first: $first) { nodes { ${nestedConnections} } } }`,
    budget: {
      parties: '1/4',
      accounts: '1/2',
      notifications: '1/1',
      casework: '1/7',
      collateral: '2/5',
      channels: '1/1',
      lending: '1/6',
      origination: '1/2',
      products: '1/1',
    },
  },
}

const documented: Record<string, Budget> = {
  [`/v1/agreements?pageSize=${pageSize}`]: { parties: '1/1' },
  [`/v1/accounts?pageSize=${pageSize}`]: { accounts: '1/1' },
  [`/v1/product-offers?pageSize=${pageSize}`]: { products: '1/1' },
  [`/v1/fee-runs?pageSize=${pageSize}`]: { fees: '1/1' },
}

const budgetOf = (counts: CallCounts): Budget =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { calls, statements }]) => [name, `${calls}/${statements}`]),
  )

/** The counts of a page, the second time it is read: its plan is compiled then. */
async function countsOf(name: string, document: string, first: number): Promise<CallCounts> {
  const read = () => bank.graph(document, { first })
  await read()
  const { result, counts } = await countCalls(read)
  expect(result.body.errors, name).toBeUndefined()
  return counts
}

test.each(Object.entries(federated))(
  'reads %s with the fewest calls and statements',
  async (name, { document, budget }) => {
    const counts = budgetOf(await countsOf(name, document, pageSize))
    expect(counts, `${name}: calls/statements`).toEqual(budget)
  },
)

test('reads nested lists of a page as it reads those of one record', async () => {
  const { body } = await bank.graph(
    `query ($first: Int) { parties(first: $first) { nodes { partyId ${nestedConnections} } } }`,
    { first: pageSize },
  )
  const parties = body.data.parties.nodes as { partyId: string }[]
  expect(parties).toHaveLength(pageSize)
  for (const { partyId, ...nested } of parties) {
    const one = await bank.graph(
      `query ($partyId: ID!) { party(partyId: $partyId) { ${nestedConnections} } }`,
      { partyId },
    )
    expect(one.body.data.party).toEqual(nested)
  }
})

test.each(Object.entries(documented))('reads %s with one call', async (path, budget) => {
  await bank.rest('GET', path)
  const { result, counts } = await countCalls(() => bank.rest('GET', path))
  expect(result.status).toBe(200)
  expect(budgetOf(counts), `${path}: calls/statements`).toEqual(budget)
})

/**
 * Statements for one list and one nested field: a list and its balances, the keys and the records of
 * others, or what interest is accrued from, with the terms of deposits.
 */
const maxStatements = 11

test('reads no nested field of a list record by record', { timeout: 120_000 }, async () => {
  const documents = nestedFieldDocuments(bank.schema)
  expect(documents.length).toBeGreaterThan(100)
  const statementsIn = (counts: CallCounts) =>
    Object.values(counts).reduce((sum, { statements }) => sum + statements, 0)
  const findings: string[] = []
  for (const { name, document } of documents) {
    const half = statementsIn(await countsOf(name, document, pageSize / 2))
    const whole = statementsIn(await countsOf(name, document, pageSize))
    if (whole > half || whole > maxStatements) findings.push(`${name}: ${half}, ${whole}`)
  }
  expect(findings, 'statements of half a page and of a page').toEqual([])
})
