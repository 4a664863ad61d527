/** The restriction and the erasure of everything about one person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/platform.ts'
import {
  aPersonEverywhere,
  aPrivacyBank,
  endBusiness,
  markers,
  officer,
  secondOfficer,
  type PrivacyBank,
} from './privacy-kit.ts'

let privacy: PrivacyBank
beforeAll(async () => {
  privacy = await aPrivacyBank()
  await aPersonEverywhere(privacy)
})
afterAll(() => privacy.bank.stop())

const console = 'bankgraph-console'
const staff = { subject: officer, clientId: console }
const second = { subject: secondOfficer, clientId: console }
const propose = `mutation ($partyId: ID!, $id: ID) { proposeErasure(input: {
  partyId: $partyId, erasureRequestId: $id, reason: "Asked in a letter" }) { erasureRequestId state } }`
const approve = 'mutation ($id: ID!) { approveErasure(erasureRequestId: $id) { state decidedBy } }'
const reject = 'mutation ($id: ID!) { rejectErasure(erasureRequestId: $id) { state } }'
const read = `query ($id: ID!) { erasureRequest(erasureRequestId: $id) { state cause completedAt
  lines { area tableName columns action rowCount keptCount reason keptUntil } } }`

test('restriction blocks messages, assistants and erasure, but not what a law requires', async () => {
  const { run, rejected } = privacy
  const restrict = `mutation { restrictProcessing(partyId: "pty_mona", reason: "Disputes the data")
    { restrictedAt } }`
  expect((await rejected(restrict, {}, { partyId: 'pty_mona' })).code).toBe('INSUFFICIENT_SCOPE')
  const { restrictProcessing } = await run(restrict, {}, staff)
  expect(restrictProcessing.restrictedAt).not.toBe(null)

  const notify = `mutation { createNotification(input: { partyId: "pty_mona", channel: EMAIL,
    templateCode: "tpl_welcome" }) { status suppressionReason } }`
  expect((await run(notify)).createNotification).toEqual({
    status: 'SUPPRESSED',
    suppressionReason: 'PROCESSING_RESTRICTED',
  })
  const session = `mutation { createAssistSession(input: {
    assistantType: "customer-self-service" }) { sessionId } }`
  const mona = { partyId: 'pty_mona' }
  expect((await rejected(session, {}, mona)).code).toBe('PROCESSING_RESTRICTED')
  const quote = `mutation { createPricingQuote(input: { pricingQuoteId: "quo_mona",
    productId: "prd_current", customerId: "cus_mona" }) { pricingQuoteId } }`
  await run(quote)
  const offer = `mutation { createProductOffer(input: { offerId: "off_mona", customerId: "cus_mona",
    productId: "prd_current", pricingQuoteId: "quo_mona" }) { offerId } }`
  expect((await rejected(offer)).code).toBe('PROCESSING_RESTRICTED')
  const message = `mutation { sendAssistMessage(input: { sessionId: "ses_mona", content: "Hi" })
    { messageId } }`
  expect((await rejected(message, {}, mona)).code).toBe('PROCESSING_RESTRICTED')
  const refused = await rejected(propose, { partyId: 'pty_mona' }, staff)
  expect(refused.code).toBe('PROCESSING_RESTRICTED')

  const lift = 'mutation { liftRestriction(partyId: "pty_mona") { restrictedAt } }'
  expect((await run(lift, {}, staff)).liftRestriction).toEqual({ restrictedAt: null })
  expect((await run(notify)).createNotification.status).not.toBe('SUPPRESSED')
})

test('the data of a party with open business cannot be erased', async () => {
  const refused = await privacy.rejected(propose, { partyId: 'pty_mona' }, staff)
  expect(refused.code).toBe('ERASURE_BLOCKED')
  const codes = refused.errors.map(({ code }: { code: string }) => code)
  expect(codes.sort()).toEqual([
    'ACCOUNT_OPEN',
    'APPLICATION_OPEN',
    'CASE_OPEN',
    'OBLIGATION_OPEN',
    'PARTY_OPEN',
  ])
  const nobody = await privacy.rejected(propose, { partyId: 'pty_nobody' }, staff)
  expect(nobody.code).toBe('PARTY_NOT_FOUND')
})

test('an erasure takes two persons and can be rejected', async () => {
  const { run, rejected } = privacy
  await endBusiness(privacy)
  const variables = { partyId: 'pty_mona', id: 'ers_first' }
  expect((await rejected(propose, variables, { partyId: 'pty_mona' })).code).toBe(
    'INSUFFICIENT_SCOPE',
  )
  expect((await run(propose, variables, staff)).proposeErasure.state).toBe('PROPOSED')
  const twice = await rejected(propose, { partyId: 'pty_mona' }, staff)
  expect(twice.code).toBe('RESOURCE_EXISTS')
  for (const decision of [approve, reject]) {
    const refused = await rejected(decision, { id: 'ers_first' }, staff)
    expect(refused.code).toBe('SEGREGATION_OF_DUTIES')
  }
  const unknown = await rejected(approve, { id: 'ers_none' }, second)
  expect(unknown.code).toBe('ERASURE_REQUEST_NOT_FOUND')
  const weak = { ...second, scopes: ['privacy:write'] }
  expect((await rejected(approve, { id: 'ers_first' }, weak)).code).toBe('INSUFFICIENT_SCOPE')
  expect((await run(reject, { id: 'ers_first' }, second)).rejectErasure.state).toBe('REJECTED')
  expect((await privacy.search(markers.name)).length).toBeGreaterThan(1)
})

/** Performs an erasure that a second person approves, and returns its report. */
async function erase(partyId: string, id: string) {
  await privacy.run(propose, { partyId, id }, staff)
  await privacy.run(approve, { id }, second)
  return eventually(async () => {
    const { erasureRequest } = await privacy.run(read, { id }, staff)
    return erasureRequest.state === 'COMPLETED' && erasureRequest
  })
}

/** The tables in which a text of the person is still stored. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const found = (await Promise.all(texts.map((text) => privacy.search(text)))).flat()
  return [...new Set(found.map((row) => row.slice(0, row.indexOf(':'))))].sort()
}

test('a request erases what no law keeps, and reports the rest with its reason and end', async () => {
  const { lines, cause, completedAt } = await erase('pty_mona', 'ers_request')
  expect([cause, completedAt === null]).toEqual(['REQUEST', false])
  const kept = lines.filter(({ keptCount }: any) => keptCount > 0)
  const keptTables: string[] = kept.map(({ tableName }: any) => tableName)
  const still = await tablesWith(Object.values(markers))
  // Nothing is left where the report does not say so.
  expect(still.filter((table) => !keptTables.includes(table))).toEqual([])
  expect(still).toEqual([
    'accounts.arrangement',
    'casework.case_entry',
    'casework.case_file',
    'casework.content',
    'casework.document',
    'ledger.posting_instruction',
    'lending.facility_obligor',
    'origination.loan_application',
    'parties.party',
    'payments.payment',
  ])
  const lineOf = (table: string, column: string) =>
    lines.find(({ tableName, columns }: any) => tableName === table && columns.includes(column))
  const year = new Date().getUTCFullYear()
  expect(lineOf('payments.payment', 'creditor_name')).toMatchObject({
    area: 'payments',
    action: 'KEPT',
    rowCount: 0,
    keptCount: 1,
    reason: expect.stringContaining('HGB section 257'),
    keptUntil: `${year + 11}-01-01T00:00:00.000Z`,
  })
  expect(lineOf('parties.party', 'given_name').reason).toContain('2015/849')
  expect(lineOf('ledger.posting_instruction', 'details').keptUntil).toBe(null)
  expect(lineOf('assist.message', 'content')).toMatchObject({ action: 'DELETED', reason: null })
  expect(lineOf('assist.message', 'content').rowCount).toBeGreaterThan(1)
  expect(lineOf('channels.interaction', 'subject')).toMatchObject({ action: 'ERASED', rowCount: 1 })
})

test('an erased response is not replayed as if it were the original', async () => {
  const document = `mutation { updateParty(input: { partyId: "pty_mona", familyName: "${markers.name}" })
    { familyName displayName } }`
  const { body } = await privacy.bank.graph(document, {}, { key: 'mona-name' })
  expect(body.errors[0].extensions).toMatchObject({ code: 'RESPONSE_ERASED' })
})

test('the transcript can still be verified', async () => {
  const { verifyAssistTranscript: transcript } = await privacy.run(
    'query { verifyAssistTranscript(sessionId: "ses_mona") { isComplete firstBadLine } }',
  )
  expect(transcript).toEqual({ isComplete: true, firstBadLine: null })
  const { rows } = await privacy.bank.bank.pool.query(
    "select hash, body from assist.transcript_line where session_id = 'ses_mona' order by sequence",
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(new Set(rows.map(({ body }) => body))).toEqual(new Set(['{"erased":true}']))
})

test('when every retention period has ended, only the journal still has texts', async () => {
  const { pool } = privacy.bank.bank
  // The relationship ended twelve years ago.
  await eventually(async () => {
    const ended = `update privacy.relationship_end set ended_at = ended_at - interval '12 years',
      next_due_at = now() - interval '1 day', version = version + 1 where subject = 'party/pty_mona'`
    return (await pool.query(ended)).rowCount === 1
  })
  await privacy.run('mutation { runJob(name: "privacy.erase-expired") { name } }')
  const query = `query { erasureRequests(partyId: "pty_mona") { nodes { erasureRequestId cause state
    proposedBy lines { tableName action rowCount } } } }`
  const retention = await eventually(async () => {
    const { erasureRequests } = await privacy.run(query, {}, staff)
    const last = erasureRequests.nodes.at(-1)
    return last.cause === 'RETENTION' && last.state === 'COMPLETED' && last
  })
  expect(await tablesWith(Object.values(markers))).toEqual(['ledger.posting_instruction'])
  const party = retention.lines.find(({ tableName }: any) => tableName === 'parties.party')
  expect(party).toMatchObject({ action: 'ERASED', rowCount: 1 })
  const { rows } = await pool.query(
    "select next_due_at from privacy.relationship_end where subject = 'party/pty_mona'",
  )
  expect(rows).toEqual([{ next_due_at: null }])
})
