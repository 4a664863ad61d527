import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { EnvironmentName } from '../../subgraphs/_kernel/config.ts'
import { aPlatform, type Platform, type RestAnswer } from '../kit/platform.ts'

/** An environment in which business can be done, made through its own doors. */
export interface FurnishedBank extends Platform {
  /** Where the documented paths start. */
  prefix: '' | '/v1'
  partyId: string
  customerId: string
  productId: string
  quoteId: string
  /** The code of an active e-mail template. */
  templateCode: string
  /** Runs a mutation and throws what it was refused with. */
  act(document: string, variables?: Record<string, unknown>): Promise<any>
}

/** Text that nobody had before, safe in ids and keys. */
export const unique = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

const furnishing = `mutation Party { createParty(input: {
    partyId: "pty_ada", kind: PERSON, givenName: "Ada", familyName: "Lovelace",
    contactPoints: [{ channel: EMAIL, address: "ada@example.com", verified: true }] }) { partyId } }
  mutation Customer { createCustomer(input: { customerId: "cus_ada", partyId: "pty_ada" }) { customerId } }
  mutation StartKyc { startKyc(customerId: "cus_ada") { customerId } }
  mutation PassKyc { passKyc(customerId: "cus_ada", expiresOn: "2999-12-31") { customerId } }
  mutation Activate { activateCustomer(customerId: "cus_ada") { customerId } }
  mutation Product { createProduct(input: { productId: "prd_current", name: "Everyday",
    productClass: "current-account", status: "active", version: "2026.1" }) { productId } }
  mutation Account { openAccountArrangement(input: { arrangementId: "arr_money",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }
  mutation Quote { createPricingQuote(input: { pricingQuoteId: "quo_current",
    productId: "prd_current" }) { pricingQuoteId } }
  mutation Template { createNotificationTemplate(input: { templateId: "tpl_welcome",
    templateCode: "welcome", channel: EMAIL, status: "active" }) { templateId } }`
const steps = [...furnishing.matchAll(/^\s*mutation (\w+)/gm)].map(([, name]) => name!)

/** Starts an environment with Ada, her customer record, a product, a price and a template. */
export async function aFurnishedBank(
  environment: EnvironmentName,
  isQuiet = false,
): Promise<FurnishedBank> {
  const platform = await aPlatform(environment, undefined, isQuiet)
  const act = async (document: string, variables: Record<string, unknown> = {}) => {
    const { body } = await platform.graph(document, variables)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data
  }
  for (const operationName of steps) {
    const raw = JSON.stringify({ query: furnishing, operationName })
    const { body } = await platform.rest('POST', '/graphql', undefined, { raw })
    if (body.errors) throw new Error(`${operationName}: ${JSON.stringify(body.errors)}`)
  }
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

/** A body each operation accepts; ids that the caller chooses are new each time. */
export function goodBody(name: string): Record<string, unknown> | undefined {
  return bodies[name]?.()
}

/** Not now, so that nothing happens later by itself. */
const sendAt = new Date(Date.now() + 86_400_000).toISOString()

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
  'POST /events/subscriptions': () => ({ eventType: 'parties.*', status: 'active' }),
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

/** Told and sealed a moment after a request, by workers. */
const told = "type <> 'accounts.balance.changed'"

/** Everything that requests could have left behind, as one number: rows of records, keys and events. */
export async function countRows({ bank }: Platform): Promise<number> {
  const { rows: tables } = await bank.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'public', 'oauth')
       and tablename not in ('head', 'consumer', 'clock', 'outbox', 'event', 'seal')`,
  )
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`).join(' + ')
  const sql = `select ${counts} + (select count(*) from kernel.event where ${told}) + (select count(*)
    from kernel.outbox, json_populate_recordset(null::kernel.told, events) where ${told}) as count`
  const { rows } = await bank.pool.query<{ count: string }>(sql)
  return Number(rows[0]!.count)
}

/** What is wrong with a refusal's form; nothing when it is a problem as documented. */
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
  if (isLocated && !(body.errors?.length > 0)) faults.push('no place')
  const leak =
    /node_modules|\.ts:|\.js:|\bat \w+ \(|select .* from |insert into |\/work\/|SQLSTATE/i
  if (leak.test(text)) faults.push(`leak: ${leak.exec(text)![0]}`)
  if (Object.keys(Object.prototype).length > 0) faults.push('a prototype was changed')
  return faults
}

/** Expects the refusal, and that it left nothing behind. */
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

/** A product with a fee, to run: `account` of `prd_fees`. */
export const productWithFee = `mutation { createProduct(input: { productId: "prd_fees", name: "Charged",
  productClass: "current-account", status: "active", version: "2026.1", fees: [{ code: "account",
  frequency: MONTHLY, amount: { amount: "1.00", currency: "EUR" } }] }) { productId } }`
