import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aBankWithAModel,
  approve,
  aSession,
  balanceOf,
  sessionOf,
  transferCall,
  type ABankWithAModel,
} from './kit.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())

const sendAs = (token: string, sessionId: string) =>
  bank.rest(
    'POST',
    `/v1/ai/assist/sessions/${sessionId}/messages`,
    { content: 'Move 40.00 EUR to my savings.' },
    { token },
  )

/** A transfer that the subject requested in a session of a client, and that waits for approval. */
async function heldCallOf(subject: string, opener = 'test-client') {
  const sessionId = `ses_${subject}`
  const { body } = await bank.graph(
    `mutation { createAssistSession(input: { sessionId: "${sessionId}",
      assistantType: "servicing-agent", subject: { partyId: "pty_ada" } }) { sessionId } }`,
    {},
    { token: bank.token({ clientId: opener }) },
  )
  expect(body.errors).toBeUndefined()
  bank.model.replies.push({ tool: transferCall })
  const sent = await sendAs(bank.token({ subject }), sessionId)
  expect(sent.body).toMatchObject({ status: 'awaiting-approval' })
  return (await sessionOf(bank, sessionId)).toolCalls.at(-1)
}

test('denies a tool that changes data to a sender without its scope', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ tool: transferCall }, { content: 'I cannot do that.' })
  const token = bank.token({ clientId: 'other-app', subject: 'poor', scopes: ['assist:use'] })
  const { body } = await sendAs(token, sessionId)
  expect(body).toMatchObject({ status: 'completed', content: 'I cannot do that.' })
  expect(body.toolCalls).toMatchObject([{ name: 'transfer', status: 'denied' }])
  const [call] = (await sessionOf(bank, sessionId)).toolCalls
  expect(call.result.error).toContain('postings:write')
})

const revoke = (kind: 'subject' | 'client', value: string) => () =>
  bank.bank.revocations.add(kind, value)

test.each([
  ['scopes that the sender did not have', 'narrow', 'INSUFFICIENT_SCOPE', narrowToken],
  ['roles that the sender lost', 'demoted', 'INSUFFICIENT_SCOPE', demote],
  ['a revoked token of the sender', 'gone', 'REQUESTER_RIGHTS_REVOKED', revoke('subject', 'gone')],
  [
    'a revoked token of the user who opened the session',
    'stays',
    'REQUESTER_RIGHTS_REVOKED',
    revoke('client', 'lost-app'),
  ],
] as const)('an approved call fails with %s', async (_what, subject, code, lose) => {
  const before = await balanceOf(bank, 'arr_savings')
  const call = await heldCallOf(subject, subject === 'stays' ? 'lost-app' : undefined)
  await lose()
  const { approveToolCall } = (await approve(bank, call)).body.data
  expect(approveToolCall).toMatchObject({ state: 'FAILED', result: { code } })
  expect(await balanceOf(bank, 'arr_savings')).toBe(before)
})

test('executes an approved call whose requesters kept their rights', async () => {
  const call = await heldCallOf('keeps')
  const { body } = await approve(bank, call)
  expect(body.data.approveToolCall).toMatchObject({ state: 'EXECUTED' })
})

async function narrowToken(): Promise<void> {
  await bank.bank.pool.query(
    `update assist.tool_call set requester_token = requester_token || '{"scopes":["assist:use"]}'
     where requested_by = 'narrow'`,
  )
}

async function demote(): Promise<void> {
  const fact = { employeeId: 'emp_1', isActive: false, roles: [], scopes: [] }
  await bank.bank.pool.query(
    `insert into kernel.fact (subject, version, data) values ('employee/demoted', 1, $1)`,
    [JSON.stringify(fact)],
  )
}
