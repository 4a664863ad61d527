import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBankWithAModel, aHeldCall, approve, aSession, type ABankWithAModel } from './kit.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())

const sessions = `query ($status: AssistSessionStatus, $first: Int, $after: String) {
  assistSessions(status: $status, first: $first, after: $after) {
    nodes { sessionId status } pageInfo { hasNextPage endCursor } } }`

test('a caller finds the own sessions, the latest first, page by page', async () => {
  const first = await aSession(bank)
  const second = await aSession(bank)
  await bank.act(`mutation { closeAssistSession(sessionId: "${first}") { status } }`)
  const page = (await bank.act(sessions, { first: 1 })).assistSessions
  expect(page.nodes).toEqual([{ sessionId: second, status: 'ACTIVE' }])
  const next = (await bank.act(sessions, { first: 1, after: page.pageInfo.endCursor }))
    .assistSessions
  expect(next.nodes).toEqual([{ sessionId: first, status: 'CLOSED' }])
  const closed = (await bank.act(sessions, { status: 'CLOSED' })).assistSessions
  expect(closed.nodes).toEqual([{ sessionId: first, status: 'CLOSED' }])
  for (const actor of [{ clientId: 'somebody-else' }, { partyId: 'pty_ada' }]) {
    const { body } = await bank.graph(sessions, {}, { token: bank.token(actor) })
    expect(body.data.assistSessions.nodes).toEqual([])
  }
})

const waiting = `{ assistToolCallsToApprove { nodes { toolCallId name requestedBy
  session { sessionId assistantType } } } }`

test('an approver finds the tool calls that wait, with their session and who requested them', async () => {
  const { sessionId, call } = await aHeldCall(bank)
  const found = (await bank.act(waiting)).assistToolCallsToApprove.nodes
  expect(found).toEqual([
    {
      toolCallId: call.toolCallId,
      name: 'transfer',
      requestedBy: 'test-client',
      session: { sessionId, assistantType: 'servicing-agent' },
    },
  ])
  const ada = await bank.graph(waiting, {}, { token: bank.token({ partyId: 'pty_ada' }) })
  expect(ada.body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  await approve(bank, call)
  expect((await bank.act(waiting)).assistToolCallsToApprove.nodes).toEqual([])
})
