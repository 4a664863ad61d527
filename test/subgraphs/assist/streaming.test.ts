import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RestOptions } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aSession,
  eventsIn,
  listenTo,
  kinds,
  post,
  sessionOf,
  words,
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

/** Sends a message, calls `onSentence` with the first sentence and returns all events of the stream. */
async function listenUntilEnd(sessionId: string, onSentence: () => unknown) {
  const answer = await fetch(`${bank.url}/v1/ai/assist/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bank.token()}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ content: 'Well?' }),
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const decoder = new TextDecoder()
  let text = ''
  let isCalled = false
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (isCalled || words(eventsIn(text)).length === 0) continue
    isCalled = true
    await onSentence()
  }
  return eventsIn(text)
}

const balance = { name: 'get_balance', args: { arrangementId: 'arr_money' } }
test('sends a sentence before the model has finished the next one', async () => {
  const sessionId = await aSession(bank)
  let letGo = () => {}
  const lastAfter = new Promise<void>((resolve) => (letGo = resolve))
  bank.model.replies.push({ content: 'Accounts are kept safe. They are yours to use.', lastAfter })
  // The model continues only when the first sentence has been received.
  const events = await listenUntilEnd(sessionId, letGo)
  expect(kinds(events)).toEqual(['begun', 'sentence', 'sentence', 'message'])
  expect(words(events)).toEqual(['Accounts are kept safe. ', 'They are yours to use.'])
  expect(events.at(-1)!.data).toMatchObject({
    status: 'completed',
    content: words(events).join(''),
  })
})

test('streams tool calls and unmasked text, and ends with the message that is stored', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push(
    { content: 'Let me look. I will be quick.', tool: balance },
    { content: '[NAME_1] has an account. It is open.' },
  )
  const { events } = await listenTo(bank, sessionId, 'What has Ada Lovelace?')
  expect(kinds(events).join(' ')).toBe('begun sentence withdrawn tool sentence sentence message')
  expect(events[3]!.data.toolCall).toMatchObject({ name: 'get_balance', status: 'executed' })
  const { content } = events.at(-1)!.data
  expect(content).toBe('Ada Lovelace has an account. It is open.')
  const { messages } = await sessionOf(bank, sessionId)
  expect(messages.nodes.at(-1).content).toBe(content)
})

test('does not send a sentence that a guardrail blocks, and withdraws earlier ones', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Your account is open. You have 9,999.00 EUR. So rich!' })
  const { events, text } = await listenTo(bank, sessionId, 'How rich am I?')
  expect(kinds(events)).toEqual(['begun', 'sentence', 'blocked', 'message'])
  expect(events[2]!.data.guardrail.policyId).toBe('grounded-figures')
  expect(events[3]!.data).toMatchObject({ status: 'blocked', finishReason: 'guardrail' })
  expect(text).not.toContain('9,999')
  expect(text).not.toContain('So rich')
})

test('withdraws sentences that were sent when a kill switch stops the turn', async () => {
  const sessionId = await aSession(bank)
  const never = new Promise<void>(() => undefined)
  bank.model.replies.push({ content: 'This is so. And more than that.', lastAfter: never })
  const kill = (isOn: boolean) => setKillSwitch(bank, 'type:servicing-agent', isOn)
  const events = await listenUntilEnd(sessionId, () => kill(true))
  await kill(false)
  expect(kinds(events)).toEqual(['begun', 'sentence', 'withdrawn', 'message'])
  expect(words(events)).toEqual(['This is so. '])
  expect(events.at(-1)!.data).toMatchObject({ status: 'failed', finishReason: 'kill-switch' })
})

test.each([
  ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
  ['application/json, text/event-stream;q=0.5', 'application/json'],
  ['*/*', 'application/json'],
  ['text/event-stream;q=0, */*', 'application/json'],
])('responds to Accept %j with %s', async (accept, media) => {
  const { status, headers } = await listenTo(bank, await aSession(bank), 'Hi.', {
    headers: { accept },
  })
  expect([status, headers.get('content-type')!.split(';')[0]]).toEqual([200, media])
})

test('sends the same rate limit headers with a stream as with JSON', async () => {
  const left = async (options: RestOptions) => {
    const { headers } = await listenTo(bank, await aSession(bank), 'Hi.', options)
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  }
  const token = bank.token({ clientId: 'counted' })
  const expected = ['"client";q=20000;w=2', '"client";r=19999;t=1']
  expect(await left({ token })).toEqual(expected)
  expect(await left({ token, headers: { accept: 'application/json' } })).toEqual(expected)
})

test('reports a tool call that waits for approval', async () => {
  const args = { debtorArrangementId: 'arr_money', creditorArrangementId: 'arr_savings' }
  bank.model.replies.push({
    tool: { name: 'transfer', args: { ...args, amount: '1.00', currency: 'EUR' } },
  })
  const { events } = await listenTo(bank, await aSession(bank), 'Move 1.00 EUR.')
  expect(kinds(events)).toEqual(['begun', 'tool', 'message'])
  expect(events[1]!.data.toolCall).toMatchObject({ requiresApproval: true })
  expect(events[2]!.data.status).toBe('awaiting-approval')
})

test('replays only the final message, identical over JSON and SSE', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Once. And no more.' })
  const first = await listenTo(bank, sessionId, 'Hello?', { key: 'stream-1' })
  const again = await listenTo(bank, sessionId, 'Hello?', { key: 'stream-1' })
  expect(kinds(first.events)).toEqual(['begun', 'sentence', 'sentence', 'message'])
  expect(again.text).toBe(first.text.slice(first.text.indexOf('event: message')))
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const path = `/v1/ai/assist/sessions/${sessionId}/messages`
  const json = await bank.rest('POST', path, { content: 'Hello?' }, { key: 'stream-1' })
  expect(again.text).toBe(`event: message\ndata: ${json.text}\n\n`)
  expect(bank.model.requests).toHaveLength(1)
})

test('returns a problem before the stream begins, and a problem event when it breaks later', async () => {
  const sessionId = await aSession(bank)
  const refused = await listenTo(bank, sessionId, ' ')
  expect([refused.status, refused.body.code]).toEqual([422, 'CONTENT_REQUIRED'])
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
  bank.model.replies.push({ content: 'So far. And then', isCutOff: true })
  const { status, events } = await listenTo(bank, sessionId, 'Hello?')
  expect([status, ...kinds(events)]).toEqual([200, 'begun', 'sentence', 'problem'])
  expect(events.at(-1)!.data).toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 503 })
  bank.model.replies.push({ content: 'Here again.' })
  expect((await post(bank, sessionId, 'Hello?')).body.content).toBe('Here again.')
})

test('returns the frames of a stream only to the caller who started it', async () => {
  const sessionId = await aSession(bank)
  const follow = `query ($s: ID!) { assistTurn(sessionId: $s, streamId: "mine", waitMs: 5000) {
    frames { sequence kind text } isOver } }`
  const token = bank.token({ clientId: 'somebody-else' })
  const waiting = bank.act(follow, { s: sessionId })
  bank.model.replies.push({ content: 'Yes. No.' })
  await bank.act(
    `mutation ($s: ID!) { sendAssistMessage(input: { sessionId: $s, content: "Well?",
      streamId: "mine" }) { content } }`,
    { s: sessionId },
  )
  expect((await waiting).assistTurn.frames[0]).toMatchObject({ sequence: 1, kind: 'BEGUN' })
  const { assistTurn } = await bank.act(follow, { s: sessionId })
  expect(assistTurn.isOver).toBe(true)
  expect(assistTurn.frames.map(({ text }: any) => text)).toEqual([null, 'Yes. ', 'No.'])
  const other = await bank.graph(follow.replace('5000', '0'), { s: sessionId }, { token })
  expect(other.body.data.assistTurn).toEqual({ frames: [], isOver: false })
})
