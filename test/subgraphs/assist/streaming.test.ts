import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, type RestOptions } from '../../kit/platform.ts'
import {
  aBankWithAModel,
  aSession,
  eventsIn,
  hear,
  kinds,
  say,
  sessionOf,
  words,
  type ABankWithAModel,
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

const balance = { name: 'get_balance', args: { arrangementId: 'arr_money' } }
test('a sentence is there while the next one is still being said', async () => {
  const sessionId = await aSession(bank)
  let letGo = () => {}
  const lastAfter = new Promise<void>((resolve) => (letGo = resolve))
  bank.model.replies.push({ content: 'Accounts are kept safe. They are yours to use.', lastAfter })
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
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    // The model says the rest only when the first sentence has come through.
    if (words(eventsIn(text)).length > 0) letGo()
  }
  const events = eventsIn(text)
  expect(kinds(events)).toEqual(['begun', 'sentence', 'sentence', 'message'])
  expect(words(events)).toEqual(['Accounts are kept safe. ', 'They are yours to use.'])
  expect(events.at(-1)!.data).toMatchObject({
    status: 'completed',
    content: words(events).join(''),
  })
})

test('tools are told when they were used, names come unmasked, the record is the one that is kept', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push(
    { content: 'Let me look. I will be quick.', tool: balance },
    { content: '[NAME_1] has an account. It is open.' },
  )
  const { events } = await hear(bank, sessionId, 'What has Ada Lovelace?')
  expect(kinds(events).join(' ')).toBe('begun sentence withdrawn tool sentence sentence message')
  expect(events[3]!.data.toolCall).toMatchObject({ name: 'get_balance', status: 'executed' })
  const { content } = events.at(-1)!.data
  expect(content).toBe('Ada Lovelace has an account. It is open.')
  const { messages } = await sessionOf(bank, sessionId)
  expect(messages.nodes.at(-1).content).toBe(content)
})

test('what a rule stops is never said; what was said before is taken back', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Your account is open. You have 9,999.00 EUR. So rich!' })
  const { events, text } = await hear(bank, sessionId, 'How rich am I?')
  expect(kinds(events)).toEqual(['begun', 'sentence', 'blocked', 'message'])
  expect(events[2]!.data.guardrail.policyId).toBe('grounded-figures')
  expect(events[3]!.data).toMatchObject({ status: 'blocked', finishReason: 'guardrail' })
  expect(text).not.toContain('9,999')
  expect(text).not.toContain('So rich')
})

test('what is switched off in the middle takes back what it said', async () => {
  const sessionId = await aSession(bank)
  const never = new Promise<void>(() => undefined)
  bank.model.replies.push({ content: 'This is so. And more than that.', lastAfter: never })
  const answer = hear(bank, sessionId, 'Tell me.')
  await eventually(() => bank.model.requests.length === 1)
  const kill = (isOn: boolean) =>
    bank.act(
      `mutation ($isOn: Boolean!) { setAssistKillSwitch(scope: "type:servicing-agent", isOn: $isOn) { isOn } }`,
      { isOn },
    )
  await kill(true)
  const { events } = await answer
  expect(events.at(-1)!.data).toMatchObject({ status: 'failed', finishReason: 'kill-switch' })
  const isTold = kinds(events).includes('sentence')
  expect(kinds(events).includes('withdrawn')).toBe(isTold)
  await kill(false)
})

test.each([
  ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
  ['application/json, text/event-stream;q=0.5', 'application/json'],
  ['*/*', 'application/json'],
  ['text/event-stream;q=0, */*', 'application/json'],
])('accept %j is answered in %s', async (accept, media) => {
  const { status, headers } = await hear(bank, await aSession(bank), 'Hi.', { headers: { accept } })
  expect([status, headers.get('content-type')!.split(';')[0]]).toEqual([200, media])
})

test('frames tell what is left of the rate limit, as JSON does', async () => {
  const left = async (options: RestOptions) => {
    const { headers } = await hear(bank, await aSession(bank), 'Hi.', options)
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  }
  const token = bank.token({ clientId: 'counted' })
  const told = ['"client";q=20000;w=2', '"client";r=19999;t=1']
  expect(await left({ token })).toEqual(told)
  expect(await left({ token, headers: { accept: 'application/json' } })).toEqual(told)
})

test('an act that waits is told as that', async () => {
  const args = { debtorArrangementId: 'arr_money', creditorArrangementId: 'arr_savings' }
  bank.model.replies.push({
    tool: { name: 'transfer', args: { ...args, amount: '1.00', currency: 'EUR' } },
  })
  const { events } = await hear(bank, await aSession(bank), 'Move 1.00 EUR.')
  expect(kinds(events)).toEqual(['begun', 'tool', 'message'])
  expect(events[1]!.data.toolCall).toMatchObject({ requiresApproval: true })
  expect(events[2]!.data.status).toBe('awaiting-approval')
})

test('a replay has the record only, byte for byte, through either door', async () => {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ content: 'Once. And no more.' })
  const first = await hear(bank, sessionId, 'Hello?', { key: 'stream-1' })
  const again = await hear(bank, sessionId, 'Hello?', { key: 'stream-1' })
  expect(kinds(first.events)).toEqual(['begun', 'sentence', 'sentence', 'message'])
  expect(again.text).toBe(first.text.slice(first.text.indexOf('event: message')))
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const path = `/v1/ai/assist/sessions/${sessionId}/messages`
  const json = await bank.rest('POST', path, { content: 'Hello?' }, { key: 'stream-1' })
  expect(again.text).toBe(`event: message\ndata: ${json.text}\n\n`)
  expect(bank.model.requests).toHaveLength(1)
})

test('refused before it began: a problem as always; broken later: the last frame', async () => {
  const sessionId = await aSession(bank)
  const refused = await hear(bank, sessionId, ' ')
  expect([refused.status, refused.body.code]).toEqual([422, 'CONTENT_REQUIRED'])
  expect(refused.headers.get('content-type')).toContain('application/problem+json')
  bank.model.replies.push({ content: 'So far. And then', isCutOff: true })
  const { status, events } = await hear(bank, sessionId, 'Hello?')
  expect([status, ...kinds(events)]).toEqual([200, 'begun', 'sentence', 'problem'])
  expect(events.at(-1)!.data).toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 503 })
  bank.model.replies.push({ content: 'Here again.' })
  expect((await say(bank, sessionId, 'Hello?')).body.content).toBe('Here again.')
})

test('in the graph the steps are read under the name of the stream, by who asked and nobody else', async () => {
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
