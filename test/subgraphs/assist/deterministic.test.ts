import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'
import {
  aSession,
  balanceOf,
  consent,
  seedSample,
  listenTo,
  kinds,
  open,
  post,
  sessionOf,
  words,
} from './kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
  await seedSample(bank)
})
afterAll(() => bank.stop())

test('answers without a model, with figures from tools that it cites', async () => {
  const sessionId = await aSession(bank)
  const committed = await balanceOf(bank, 'arr_money')
  const { status, body } = await post(bank, sessionId, 'What is the balance of arr_money?')
  expect([status, body.status]).toEqual([200, 'completed'])
  expect(body.content).toContain(`arr_money has ${committed} EUR`)
  expect(body.citations).toMatchObject([{ source: 'get_balance arr_money' }])
  expect(body.model).toEqual({
    alias: 'deterministic',
    provider: 'bankgraph',
    name: 'intents-2026.2',
  })
})

test.each([
  ['Show my accounts', /arr_money \(active\): \d+\.\d\d EUR\narr_savings \(active\)/],
  ['The latest entries of arr_money?', /credit 1250\.00 EUR/],
  ['What do I owe on fac_money?', /fac_money is approved; 0\.00 EUR of principal are owed\./],
  ['What if I draw 100.00 from fac_money?', /After drawing 100\.00 EUR .* Nothing was drawn\./],
  ['What does arr_grace have, as balance?', /That did not work/],
  ['Sing a song.', /I am a simple assistant without a language model/],
])('answers "%s"', async (question, answer) => {
  const { body } = await post(bank, await aSession(bank), question)
  expect(body.content).toMatch(answer)
  expect(body.status).toBe('completed')
})

test('requests approval for a transfer as a model does', async () => {
  const sessionId = await aSession(bank)
  const { body } = await post(bank, sessionId, 'Transfer 5.00 EUR from arr_money to arr_savings')
  expect(body.status).toBe('awaiting-approval')
  const { status, toolCalls } = await sessionOf(bank, sessionId)
  expect(status).toBe('AWAITING_APPROVAL')
  expect(toolCalls[0].arguments).toEqual({
    debtorArrangementId: 'arr_money',
    creditorArrangementId: 'arr_savings',
    amount: '5.00',
    currency: 'EUR',
  })
})

test('has no tools for an assistant type without a published version', async () => {
  const sessionId = await aSession(bank, { assistantType: 'poet', subject: null })
  const { body } = await post(bank, sessionId, 'What is the balance of arr_money?')
  expect(body.content).toBe('I have no tools here, so I can look nothing up.')
})

test('streams its answer in sentences as a model does', async () => {
  const { events } = await listenTo(bank, 'ses_new', 'What is the balance of arr_money?')
  expect(kinds(events)).toEqual(['begun', 'tool', 'sentence', 'message'])
  expect(words(events).join('')).toBe(events.at(-1)!.data.content)
})

test('needs consent only for assistant types that always require it', async () => {
  expect(await open(bank, 'servicing-agent')).toMatch(/^ses_/)
  expect(await open(bank, 'credit-analyst')).toBe('CONSENT_REQUIRED')
  await consent(bank, 'credit-analyst')
  expect(await open(bank, 'credit-analyst')).toMatch(/^ses_/)
})
