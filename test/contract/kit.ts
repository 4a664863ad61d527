import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Bank } from '../../kernel/environment/bank.ts'
import type { EnvironmentName } from '../../kernel/environment/config.ts'
import { aPlatform, type Platform, type RestAnswer, type RestOptions } from '../kit/platform.ts'

/** An environment with sample records, created through its API. */
export interface SampleBank extends Platform {
  /** The prefix of the documented paths. */
  prefix: '' | '/v1'
  partyId: string
  customerId: string
  productId: string
  quoteId: string
  /** The code of an active e-mail template. */
  templateCode: string
  /** Runs a mutation and throws its errors. */
  act(document: string, variables?: Record<string, unknown>, options?: RestOptions): Promise<any>
}

/** A text that is unique and safe in ids and keys. */
export const unique = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

const seeding = `mutation Party { createParty(input: {
    partyId: "pty_ada", kind: PERSON, givenName: "Ada", familyName: "Lovelace",
    contactPoints: [{ channel: EMAIL, address: "ada@example.com", verified: true }] }) { partyId } }
  mutation Customer { createCustomer(input: { customerId: "cus_ada", partyId: "pty_ada" }) { customerId } }
  mutation StartKyc { startKyc(customerId: "cus_ada") { customerId } }
  mutation PassKyc { passKyc(customerId: "cus_ada", expiresOn: "2999-12-31") { customerId } }
  mutation Activate { activateCustomer(customerId: "cus_ada") { customerId } }
  mutation Product { createProduct(input: { productId: "prd_current", name: "Everyday",
    productClass: "current-account", status: "active", version: "2026.1" }) { productId } }
  mutation Loan { createProduct(input: { productId: "prd_loan", name: "Loan", productClass: "consumer-loan",
    status: "active", version: "2026.1", interest: { basePct: "5.9" },
    parameters: [{ name: "decisionMode", type: TEXT, default: "manual" }] }) { productId } }
  mutation Account { openAccountArrangement(input: { arrangementId: "arr_money",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }
  mutation Limit { openFacility(input: { facilityId: "fac_money", customerId: "cus_ada", kind: REVOLVING,
    limit: { amount: "1000000000.00", currency: "EUR" }, ratePct: "7.4",
    settlementArrangementId: "arr_money" }) { facilityId } }
  mutation Loan { openFacility(input: { facilityId: "loan_money", customerId: "cus_ada", kind: CONSUMER_LOAN,
    limit: { amount: "1000000.00", currency: "EUR" }, ratePct: "5.4", installments: 900, disburse: true,
    settlementArrangementId: "arr_money" }) { facilityId } }
  mutation Quote { createPricingQuote(input: { pricingQuoteId: "quo_current",
    productId: "prd_current" }) { pricingQuoteId } }
  mutation Template { createNotificationTemplate(input: { templateId: "tpl_welcome",
    templateCode: "welcome", channel: EMAIL, status: "active" }) { templateId } }
  mutation Assistant { createAssistSession(input: { sessionId: "ses_money",
    assistantType: "servicing-agent" }) { sessionId } }`

/** One at a time, because the graph limits concurrent operations. */
const steps = seeding.split(/\n(?= *mutation )/)

/** Starts an environment with Ada, her customer record, a product, a price and a template. */
export async function aSampleBank(
  environment: EnvironmentName,
  isQuiet = false,
  settings: Record<string, string> = {},
): Promise<SampleBank> {
  const platform = await aPlatform(environment, undefined, isQuiet, settings)
  holidays = 0
  const act: SampleBank['act'] = async (document, variables = {}, options) => {
    const { body } = await platform.graph(document, variables, options)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data
  }
  for (const step of steps) await act(step)
  return {
    ...platform,
    prefix: environment === 'sandbox' ? '/v1' : '',
    partyId: 'pty_ada',
    customerId: 'cus_ada',
    productId: 'prd_current',
    quoteId: 'quo_current',
    templateCode: 'welcome',
    act,
  }
}

/** The path of an operation, with ids of existing records. */
export function pathOf({ path }: { path: string }): string {
  const facilityId = path.endsWith('/drawdowns') ? 'fac_money' : 'loan_money'
  const inPaths: Record<string, string> = {
    facilityId,
    loanId: 'loan_money',
    applicationId: 'app_none',
    sessionId: 'ses_money',
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPaths[name]!)
}

const draft = `createLoanApplication(input: { applicationId: $id, customerId: "cus_ada", productId: "prd_loan",
  requestedAmount: { amount: "6000.00", currency: "EUR" }, termMonths: 12 }) { status }`
const submitted = `submitCreditApplication(input: { applicationId: $id,
  submittedAt: "2025-01-15T09:00:00Z" }) { status }`
const approved = `recordCreditDecision(input: { applicationId: $id, outcome: "approved",
  decidedBy: "officer_1", decidedAt: "2025-01-16T09:00:00Z", expiresAt: "2099-12-31T00:00:00Z" }) { outcome }`

/** The steps that an application needs before an operation can be applied to it. */
const stepsBefore: Record<string, readonly string[]> = {
  'POST /credit-applications/{applicationId}/submit': [draft],
  'POST /credit-applications/{applicationId}/decision': [draft, submitted],
  'POST /consumer-loan-applications/{applicationId}/acceptance': [draft, submitted, approved],
}

/** The path of an operation, with the id of a new record in the state that it needs. */
export async function freshPath(
  bank: SampleBank,
  operation: { name: string; path: string },
): Promise<string> {
  const steps = stepsBefore[operation.name]
  if (!steps) return pathOf(operation)
  const id = unique('app')
  for (const step of steps) await bank.act(`mutation ($id: ID!) { ${step} }`, { id })
  return operation.path.replace('{applicationId}', id)
}

/** A body that the operation accepts; ids chosen by the caller are new each time. */
export function goodBody(name: string): Record<string, unknown> | undefined {
  return bodies[name]?.()
}

/** In the future, so that no worker sends it during the test. */
const sendAt = new Date(Date.now() + 86_400_000).toISOString()

/** The holidays requested since the last bank was started: its loan runs for 75 years. */
let holidays = 0
/** A day more than a year after all previous ones of the bank. */
const nextHoliday = () => {
  const year = new Date().getUTCFullYear() + ++holidays
  return new Date(Date.UTC(year, 0, 1 + (holidays % 28))).toISOString().slice(0, 10)
}

const bodies: Record<string, () => Record<string, unknown>> = {
  'POST /product-catalog/products': () => ({
    productId: unique('prd'),
    name: 'Everyday',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
  }),
  'POST /accounts': () => ({ customerId: 'cus_ada', productId: 'prd_current' }),
  'POST /posting-instructions': () => ({
    arrangementId: 'arr_money',
    direction: 'in',
    amount: { amount: '10.00', currency: 'EUR' },
    endToEndId: unique('e2e'),
  }),
  'POST /credit-applications/{applicationId}/submit': () => ({ purpose: 'A loom' }),
  'POST /credit-applications/{applicationId}/decision': () => ({
    outcome: 'approved',
    decidedBy: 'officer_1',
  }),
  'POST /consumer-loan-applications/{applicationId}/acceptance': () => ({
    acceptedAt: new Date().toISOString(),
    acceptanceChannel: 'web',
  }),
  'POST /consumer-loans/{loanId}/hardship-requests': () => ({
    type: 'term-extension',
    reason: unique('Out of work'),
  }),
  'POST /facilities/{facilityId}/payment-holidays': () => ({ startDate: nextHoliday() }),
  'POST /facilities/{facilityId}/extra-payments': () => ({ amount: '10.00', note: unique('for') }),
  'POST /facilities/{facilityId}/drawdowns': () => ({ amount: '10.00', purpose: unique('for') }),
  'POST /events/subscriptions': () => ({ eventType: 'parties.*', status: 'active' }),
  'POST /ai/assist/sessions': () => ({
    sessionId: unique('ses'),
    assistantType: 'servicing-agent',
  }),
  'POST /ai/assist/sessions/{sessionId}/messages': () => ({
    content: `What is the balance of arr_money? ${unique('q')}`,
  }),
  'POST /collateral': () => ({ collateralType: 'real-estate', status: 'proposed' }),
  'POST /routing-profiles': () => ({ name: unique('Retail') }),
  'POST /notification-templates': () => ({ channel: 'email', status: 'draft' }),
  'POST /notifications': () => ({
    partyId: 'pty_ada',
    channel: 'email',
    templateCode: 'welcome',
    subject: 'Welcome',
    personalization: { message: 'Hello, Ada.' },
    sendAt,
  }),
}

/** Excludes events that workers emit a moment after a request. */
const isCounted = "type <> 'accounts.balance.changed'"

/** Returns the number of rows of records, keys and events: any stored change changes it. */
export async function countRows({ bank }: Platform): Promise<number> {
  const text = await (countingSql.get(bank) ?? prepareCounting(bank))
  // A named statement is planned once: planning a hundred tables takes longer than counting.
  const { rows } = await bank.pool.query<{ count: string }>({ name: 'count-rows', text })
  return Number(rows[0]!.count)
}

const countingSql = new WeakMap<Bank, Promise<string>>()

function prepareCounting(bank: Bank): Promise<string> {
  const sql = writeCountingSql(bank)
  countingSql.set(bank, sql)
  return sql
}

const conditions = new Map([
  // The first posting to an internal account opens it, even if the posting is then rejected.
  ['ledger.account', "where account_id not like '%/%'"],
  ['ledger.balance', "where account_id not like '%/%'"],
  // The nightly job publishes it.
  ['kernel.fact', "where subject not like 'overdraft-exposure/%'"],
])

/** What workers derive from earlier commits, at any time. */
const derivedTables = [
  'kernel.event_party',
  'kernel.job',
  'kernel.identity_checkpoint',
  'kernel.encryption_progress',
  'general_ledger.dated_posting',
  'general_ledger.daily_total',
  'interest.position',
  'interest.daily_accrual',
  'interest.overdraft_position',
  'interest.overdraft_accrual',
]

async function writeCountingSql(bank: Bank): Promise<string> {
  const { rows: tables } = await bank.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'public', 'oauth')
       and tablename not in ('head', 'consumer', 'clock', 'outbox', 'event', 'checkpoint', 'refusal', 'request_log', 'process_probe')
       and schemaname || '.' || tablename <> all ($1)`,
    [derivedTables],
  )
  const counted = (name: string) => `(select count(*) from ${name} ${conditions.get(name) ?? ''})`
  const sum = tables.map(({ name }) => counted(name)).join(' + ')
  return `select ${sum} + (select count(*) from kernel.event where ${isCounted}) + (select count(*)
    from kernel.outbox, json_populate_recordset(null::kernel.emitted_event, events) where ${isCounted}) as count`
}

/** The number of events of a type about a record, in the event log and on the way to it. */
export async function countEvents({ bank }: Platform, type: string, id: string): Promise<number> {
  const { rows } = await bank.pool.query<{ count: string }>(
    `select count(*) from (select type, subject from kernel.event union all select type, subject
       from kernel.outbox, json_populate_recordset(null::kernel.emitted_event, events)) emitted
     where type = $1 and subject like '%/' || $2`,
    [type, id],
  )
  return Number(rows[0]!.count)
}

/** Violations of the documented format of problems; empty for a valid problem. */
export function faultsOfProblem({ status, headers, body, text }: RestAnswer): string[] {
  const faults: string[] = []
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith('application/problem+json')) faults.push(`content-type ${type}`)
  if (!headers.get('x-request-id')) faults.push('no x-request-id')
  if (body?.requestId !== headers.get('x-request-id')) faults.push('requestId differs')
  if (body?.status !== status) faults.push(`status ${body?.status} in the body`)
  for (const name of ['type', 'title', 'detail', 'code']) {
    if (typeof body?.[name] !== 'string') faults.push(`no ${name}`)
  }
  if (typeof body?.retryable !== 'boolean') faults.push('no retryable')
  const isLocated = ['VALIDATION_FAILED', 'UNKNOWN_PROPERTY'].includes(body?.code)
  if (isLocated && !(body.errors?.length > 0)) faults.push('no pointer')
  const leak =
    /node_modules|\.ts:|\.js:|\bat \w+ \(|select .* from |insert into |\/work\/|SQLSTATE/i
  if (leak.test(text)) faults.push(`leak: ${leak.exec(text)![0]}`)
  if (Object.keys(Object.prototype).length > 0) faults.push('a prototype was changed')
  return faults
}

/** Expects this problem, and that nothing was stored. */
export async function expectRefusal(
  bank: Platform,
  rowsBefore: number,
  answer: RestAnswer,
  status: number,
  code: string,
) {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code })
  expect(faultsOfProblem(answer)).toEqual([])
  expect(await countRows(bank)).toBe(rowsBefore)
}

/** Creates a product with a fee for fee runs: `account` of `prd_fees`. */
export const productWithFee = `mutation { createProduct(input: { productId: "prd_fees", name: "Charged",
  productClass: "current-account", status: "active", version: "2026.1", fees: [{ code: "account",
  frequency: MONTHLY, amount: { amount: "1.00", currency: "EUR" } }] }) { productId } }`
