import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, agentRow, anAgent, bank, doing, openBank, routeAgain } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

test('what nobody answers does not keep what is behind it from who is free', async () => {
  const mail = await doing(
    'routeInteraction(input: { channel: EMAIL, subject: "A question" }) { interactionId status }',
  )
  expect(mail.data.act.status).toBe('WAITING')
  // Over a medium that no profile serves, more of them than are looked at together.
  await bank.rows(
    `insert into channels.interaction select r.* from channels.interaction i, generate_series(1, 450) n,
      jsonb_populate_record(i, jsonb_build_object('interaction_id', 'int_mail_' || n)) r
      where i.interaction_id = $1`,
    [mail.data.act.interactionId],
  )
  bank.clock.advance(1000)
  const calls = [await aCall(), await aCall()]
  expect(calls.map(({ data }) => data.act.status)).toEqual(['WAITING', 'WAITING'])
  const agents = [await anAgent(), await anAgent()]
  expect(await routeAgain()).toBe(2)
  for (const agent of agents) expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
  expect(await routeAgain()).toBe(0)
})
