import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aSession,
  post,
  sessionOf,
  type ABankWithAModel,
  setKillSwitch,
} from './kit.ts'

let bank: ABankWithAModel
beforeAll(async () => {
  bank = await aBankWithAModel()
})
afterAll(() => bank.stop())
beforeEach(() => {
  bank.model.requests.length = 0
  bank.model.replies.length = 0
})

const kill = (scope: string, isOn: boolean) => setKillSwitch(bank, scope, isOn)

test('rejects a message when the session has used up its tokens', async () => {
  const sessionId = await aSession(bank)
  await bank.bank.pool.query(
    'update assist.session set input_tokens = 199990 where session_id = $1',
    [sessionId],
  )
  bank.model.replies.push({ content: 'Yes.' })
  expect((await post(bank, sessionId, 'One more?')).body.usage).toEqual({
    inputTokens: 100,
    outputTokens: 20,
    costMicros: 120,
  })
  const { status, body } = await post(bank, sessionId, 'And one more?')
  expect([status, body.code]).toEqual([429, 'SESSION_BUDGET_EXCEEDED'])
})

test('stops a running turn within three seconds and ends its session on a kill switch', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'word '.repeat(200), pauseMs: 100 })
  const startedAt = performance.now()
  const answer = post(bank, sessionId, 'Tell me a long story.')
  await eventually(() => bank.model.requests.length === 1)
  await kill('type:servicing-agent', true)
  const killedAt = performance.now()
  const { status, body } = await answer
  expect([status, body.status, body.finishReason]).toEqual([200, 'failed', 'kill-switch'])
  expect(performance.now() - killedAt).toBeLessThan(3000)
  expect(performance.now() - startedAt).toBeLessThan(8000)
  expect((await sessionOf(bank, sessionId)).status).toBe('TERMINATED')
  const refused = await bank.rest('POST', '/v1/ai/assist/sessions', {
    assistantType: 'servicing-agent',
  })
  expect([refused.status, refused.body.code]).toEqual([409, 'ASSISTANT_DISABLED'])
  await kill('type:servicing-agent', false)
  await aSession(bank)
})

test('ends idle sessions of the type of a kill switch and no others', async () => {
  const [waiting, other] = [
    await aSession(bank, { assistantType: 'collections-agent' }),
    await aSession(bank),
  ]
  await kill('type:collections-agent', true)
  await eventually(async () => (await sessionOf(bank, waiting)).status === 'TERMINATED')
  expect((await sessionOf(bank, other)).status).toBe('ACTIVE')
})

test('denies a tool that is disabled by a kill switch', async () => {
  await kill('tool:get_balance', true)
  const sessionId = await aSession(bank)
  const tool = { name: 'get_balance', args: { arrangementId: 'arr_money' } }
  bank.model.replies.push({ tool }, { content: 'Not now.' })
  const { body } = await post(bank, sessionId, 'Balance?')
  expect(body.toolCalls).toMatchObject([{ status: 'denied' }])
  await kill('tool:get_balance', false)
})

test('rejects a message with SESSION_BUSY while a turn is running', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'slow words '.repeat(8), pauseMs: 100 })
  const first = post(bank, sessionId, 'First.')
  await eventually(() => bank.model.requests.length === 1)
  const second = await post(bank, sessionId, 'Second.')
  expect([second.status, second.body.code]).toEqual([409, 'SESSION_BUSY'])
  expect((await first).status).toBe(200)
})

test('returns 503 when the model is unavailable, and accepts the next message', async () => {
  const sessionId = await aSession(bank)
  for (let tries = 0; tries < 3; tries++) bank.model.replies.push({ status: 500 })
  const { status, body } = await post(bank, sessionId, 'Hello?')
  expect([status, body.code]).toEqual([503, 'MODEL_UNAVAILABLE'])
  bank.model.replies.push({ content: 'Hello.' })
  expect((await post(bank, sessionId, 'Hello?')).body.content).toBe('Hello.')
  expect((await sessionOf(bank, sessionId)).transcript).toMatchObject({ isComplete: true })
})

test('releases the session after an interrupted turn, even if the session changed meanwhile', async () => {
  const sessionId = await aSession(bank)
  let breakOff = () => {}
  const lastAfter = new Promise<void>((resolve) => (breakOff = resolve))
  bank.model.replies.push({ content: 'Half of a', lastAfter, isCutOff: true })
  const first = post(bank, sessionId, 'Hello?')
  await eventually(() => bank.model.requests.length === 1)
  await bank.bank.pool.query(
    'update assist.session set version = version + 1 where session_id = $1',
    [sessionId],
  )
  bank.model.replies.push({ status: 500 }, { status: 500 }, { status: 500 })
  breakOff()
  expect((await first).body.code).toBe('MODEL_UNAVAILABLE')
  bank.model.replies.length = 0
  bank.model.replies.push({ content: 'Hello.' })
  expect((await post(bank, sessionId, 'Hello?')).body.content).toBe('Hello.')
})

test('expires a session after half an hour without a message', async () => {
  const sessionId = await aSession(bank)
  const to = new Date(bank.bank.now().getTime() + 31 * 60_000).toISOString()
  await bank.act('mutation ($to: DateTime!) { advanceClock(to: $to) { now } }', { to })
  const { body } = await post(bank, sessionId, 'Still there?')
  expect(body.code).toBe('SESSION_NOT_ACTIVE')
  await eventually(async () => (await sessionOf(bank, sessionId)).status === 'EXPIRED')
})

test('names the transcript line that was changed in the database', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Yes.' })
  await post(bank, sessionId, 'Yes?')
  const change = `update assist.transcript_line set body = '{}' where session_id = '${sessionId}' and sequence = 2`
  await expect(bank.bank.pool.query(change)).rejects.toMatchObject({ code: 'BG003' })
  await bank.bank.pool.query(
    `alter table assist.transcript_line disable trigger append_only; ${change};
     alter table assist.transcript_line enable trigger append_only`,
  )
  expect((await sessionOf(bank, sessionId)).transcript).toMatchObject({
    isComplete: false,
    firstBadLine: 2,
  })
})

test('returns the first response for the same clientMessageId and rejects it with other content', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Once.' })
  const first = await post(bank, sessionId, 'Hello', { clientMessageId: 'm-1' })
  const again = await post(bank, sessionId, 'Hello', { clientMessageId: 'm-1' })
  expect(again.body).toEqual(first.body)
  expect(bank.model.requests).toHaveLength(1)
  const other = await post(bank, sessionId, 'Goodbye', { clientMessageId: 'm-1' })
  expect([other.status, other.body.code]).toEqual([409, 'RESOURCE_EXISTS'])
})

test.each([
  [{ content: ' ' }, 'CONTENT_REQUIRED'],
  [{}, 'CONTENT_REQUIRED'],
  [{ message: '' }, 'CONTENT_REQUIRED'],
  [{ text: 'x'.repeat(16_001) }, 'CONTENT_TOO_LONG'],
  [{ content: 'x'.repeat(16_001) }, 'CONTENT_TOO_LONG'],
  [{ content: 'x', role: 'system' }, 'ROLE_NOT_ALLOWED'],
])('rejects an invalid message with 422 (case %#)', async (body, code) => {
  const sessionId = await aSession(bank)
  const answer = await bank.rest('POST', `/v1/ai/assist/sessions/${sessionId}/messages`, body)
  expect([answer.status, answer.body.code]).toEqual([422, code])
})

test('accepts message and text as aliases of content, with the same idempotency', async () => {
  const sessionId = await aSession(bank)
  const send = (body: object) =>
    bank.rest('POST', `/v1/ai/assist/sessions/${sessionId}/messages`, body, { key: 'alias-1' })
  bank.model.replies.push({ content: 'Heard.' })
  const first = await send({ message: 'Hello?' })
  expect([first.status, first.body.content]).toEqual([200, 'Heard.'])
  for (const again of [await send({ text: 'Hello?' }), await send({ content: 'Hello?' })]) {
    expect(again.text).toBe(first.text)
  }
  const both = await send({ content: 'Hello?', text: 'Hello?' })
  expect([both.status, both.body.errors[0].pointer]).toEqual([400, '/text'])
})

test('permits a delegated user one assistant type and five sessions, and hides all others', async () => {
  const token = bank.token({ partyId: 'pty_ada' })
  const open = (assistantType: string) =>
    bank.rest('POST', '/v1/ai/assist/sessions', { assistantType }, { token })
  expect((await open('servicing-agent')).body.code).toBe('ASSISTANT_NOT_PERMITTED')
  const opened = []
  for (let count = 0; count < 5; count++) opened.push(await open('customer-self-service'))
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const sixth = await open('customer-self-service')
  expect([sixth.status, sixth.body.code]).toEqual([429, 'SESSION_LIMIT_REACHED'])
  const grace = bank.token({ partyId: 'pty_grace' })
  const [own, foreign] = [opened[0]!.body.sessionId, await aSession(bank)]
  for (const [sessionId, actor] of [
    [own, grace],
    [foreign, token],
  ]) {
    const path = `/v1/ai/assist/sessions/${sessionId}/messages`
    const { status, body } = await bank.rest('POST', path, { content: 'Hi' }, { token: actor! })
    expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND'])
  }
})

test('opens exactly as many sessions as the limit for concurrent requests and their retries', async () => {
  const token = bank.token({ partyId: 'pty_grace' })
  await Promise.all(
    ['servicing-agent', 'customer-self-service'].map((assistantType) =>
      bank.act(
        `mutation ($input: AssistConsentInput!) { grantAssistConsent(input: $input) { consentId } }`,
        { input: { partyId: 'pty_grace', assistantType, evidence: 'Signed form 7' } },
      ),
    ),
  )
  const open = () =>
    bank.rest(
      'POST',
      '/v1/ai/assist/sessions',
      { assistantType: 'customer-self-service' },
      { token },
    )
  const answers = await Promise.all(Array.from({ length: 9 }, open))
  const opened = answers.filter(({ status }) => status === 200)
  expect(opened.length).toBeGreaterThan(0)
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
  for (const code of refused) expect(['SESSION_LIMIT_REACHED', 'VERSION_CONFLICT']).toContain(code)
  let count = opened.length
  while (count <= 5) {
    const { status, body } = await open()
    if (status !== 200) {
      expect(body.code).toBe('SESSION_LIMIT_REACHED')
      break
    }
    count++
  }
  expect(count).toBe(5)
})
