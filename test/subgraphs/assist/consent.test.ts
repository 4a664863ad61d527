import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aSession,
  consent,
  open,
  post,
  sessionOf,
  type ABankWithAModel,
} from './kit.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())
beforeEach(async () => {
  bank.model.requests.length = 0
  bank.model.replies.length = 0
  await consent(bank, 'servicing-agent')
})

test('rejects a session with an external model without the party’s consent', async () => {
  expect(await open(bank, 'relationship-manager')).toBe('CONSENT_REQUIRED')
  const { consent: provided } = await consent(bank, 'relationship-manager')
  expect(provided).toMatchObject({ status: 'GRANTED', decidedBy: 'test-client' })
  expect(await open(bank, 'relationship-manager')).toMatch(/^ses_/)
  expect(await open(bank, 'servicing-agent', 'pty_grace')).toBe('CONSENT_REQUIRED')
})

test('ends open sessions, stops a running turn and emits an event when consent is withdrawn', async () => {
  const [idle, talking] = [await aSession(bank), await aSession(bank)]
  const never = new Promise<void>(() => undefined)
  bank.model.replies.push({ content: 'This takes long. Very long.', lastAfter: never })
  const answer = post(bank, talking, 'Tell me.')
  await eventually(() => bank.model.requests.length === 1)
  await consent(bank, 'servicing-agent', 'withdraw')
  expect((await answer).body).toMatchObject({
    status: 'failed',
    finishReason: 'consent-withdrawn',
    content: 'The consent to share data with this assistant was withdrawn.',
  })
  for (const sessionId of [idle, talking]) {
    const { status, endReason, transcript } = await sessionOf(bank, sessionId)
    expect([status, endReason, transcript.isComplete]).toEqual([
      'TERMINATED',
      'consent-withdrawn',
      true,
    ])
  }
  expect(await open(bank, 'servicing-agent')).toBe('CONSENT_REQUIRED')
  await eventually(async () => {
    const { businessEvents } = await bank.act(
      '{ businessEvents(types: ["ai.consent.withdrawn"], first: 5) { nodes { actor data } } }',
    )
    return businessEvents.nodes[0]?.data.assistantType === 'servicing-agent'
  })
})

test('rejects a message when the consent does not cover the model’s provider', async () => {
  const sessionId = await aSession(bank)
  await bank.bank.pool.query(
    `update assist.consent set provider = 'another' where assistant_type = 'servicing-agent'`,
  )
  const { status, body } = await post(bank, sessionId, 'Hello?')
  expect([status, body.code]).toEqual([422, 'CONSENT_REQUIRED'])
  expect(bank.model.requests).toHaveLength(0)
})

test('reads only data of parties that gave consent in a session without a subject', async () => {
  const sessionId = await aSession(bank, { subject: null })
  const callTool = async (name: string, args: object) => {
    bank.model.replies.push({ tool: { name, args } }, { content: 'So it is.' })
    return (await post(bank, sessionId, 'Balance?')).body.toolCalls[0].status
  }
  expect(await callTool('get_balance', { arrangementId: 'arr_money' })).toBe('executed')
  expect(await callTool('get_balance', { arrangementId: 'arr_grace' })).toBe('denied')
  expect(await callTool('list_accounts', {})).toBe('denied')
  expect(await callTool('list_accounts', { customerId: 'cus_ada' })).toBe('executed')
})

test('permits a delegated user to consent for their own party only; staff must give evidence', async () => {
  const grant = (partyId: string) =>
    bank.graph(
      `mutation ($input: AssistConsentInput!) { grantAssistConsent(input: $input) { status evidence } }`,
      { input: { partyId, assistantType: 'customer-self-service' } },
      { token: bank.token({ partyId: 'pty_grace' }) },
    )
  expect((await grant('pty_grace')).body.data.grantAssistConsent.status).toBe('GRANTED')
  for (const partyId of ['pty_ada', 'pty_none']) {
    const { body } = await grant(partyId)
    expect(body.errors[0].extensions).toMatchObject({
      code: 'PARTY_NOT_FOUND',
      resourceId: partyId,
    })
  }
  const bare = await bank.graph(
    `mutation { grantAssistConsent(input: { partyId: "pty_ada", assistantType: "x" }) { status } }`,
  )
  expect(bare.body.errors[0].extensions.errors[0].pointer).toBe('/input/evidence')
  const { assistConsents } = await bank.act(
    '{ assistConsents(partyId: "pty_grace") { assistantType status } }',
  )
  expect(assistConsents).toEqual([{ assistantType: 'customer-self-service', status: 'GRANTED' }])
})
