/**
 * Every list of the graph reads the same from a replica. The replica here is the database itself over
 * connections that may not write, so a query that writes, or that needs the primary, fails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { nestedFieldDocuments } from './nested-fields.ts'

const readOnly = `options=${encodeURIComponent('-c default_transaction_read_only=on')}`

let primary: Platform & { databaseUrl: string }
let bank: Platform
beforeAll(async () => {
  primary = await aSeededPlatform('sandbox', true)
  const separator = primary.databaseUrl.includes('?') ? '&' : '?'
  const SANDBOX_READ_DATABASE_URL = primary.databaseUrl + separator + readOnly
  bank = await aPlatform('sandbox', primary.databaseUrl, true, { SANDBOX_READ_DATABASE_URL })
  await eventually(() => bank.bank.replica!.isCurrentFor('a caller', null))
})
afterAll(async () => {
  await bank.stop()
  await primary.stop()
})

test('reads every list and nested field like the primary', { timeout: 120_000 }, async () => {
  const findings: string[] = []
  for (const { name, document } of nestedFieldDocuments(bank.schema)) {
    const [ours, theirs] = await Promise.all(
      [bank, primary].map(async (each) => (await each.graph(document, { first: 10 })).body),
    )
    if (ours.errors || JSON.stringify(ours.data) !== JSON.stringify(theirs.data)) {
      findings.push(`${name}: ${JSON.stringify(ours.errors ?? 'differs')}`)
    }
  }
  expect(findings).toEqual([])
})

test.each([
  '/v1/accounts?pageSize=10',
  '/v1/agreements?pageSize=10',
  '/v1/product-offers?pageSize=10',
  '/v1/fee-runs?pageSize=10',
])('reads %s like the primary', async (path) => {
  const [ours, theirs] = await Promise.all([bank, primary].map((each) => each.rest('GET', path)))
  expect([ours!.status, ours!.body]).toEqual([theirs!.status, theirs!.body])
})

test('shows a customer only their own data', async () => {
  const query = `{ accountArrangements(first: 50) { nodes { arrangementId } }
    payments(first: 50) { nodes { paymentId } } me { partyId } }`
  const request = { token: bank.token({ partyId: 'pty_ada' }) }
  const ours = await bank.graph(query, {}, request)
  const theirs = await primary.graph(query, {}, { token: primary.token({ partyId: 'pty_ada' }) })
  expect(ours.body.errors).toBeUndefined()
  expect(ours.body.data).toEqual(theirs.body.data)
  expect(ours.body.data.accountArrangements.nodes).toHaveLength(2)
})

test('writes to the primary, and a caller reads what they wrote', async () => {
  for (let serial = 0; serial < 20; serial++) {
    const partyId = `pty_${serial}`
    const { body } = await bank.graph(
      `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A" }) { partyId } }`,
    )
    expect(body.errors).toBeUndefined()
    const read = await bank.graph(`{ party(partyId: "${partyId}") { partyId } }`)
    expect(read.body.data.party).toEqual({ partyId })
  }
})

test('names a position after a write, and rejects one that is none', async () => {
  const posted = await bank.rest('POST', '/v1/posting-instructions', {
    debtorArrangementId: 'arr_ada_current',
    creditorArrangementId: 'arr_ada_savings',
    amount: { amount: '1.00', currency: 'EUR' },
  })
  expect(posted.status).toBe(200)
  expect(posted.headers.get('bankgraph-position')).toMatch(/^\d+$/)
  const { status, body } = await bank.rest('GET', '/v1/accounts', undefined, {
    headers: { 'bankgraph-position': 'latest' },
  })
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(body.errors).toMatchObject([{ header: 'Bankgraph-Position' }])
})
