import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, agentRow, anAgent, bank, tryMutation, openBank, routeAgain } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

test('routes interactions behind many that no agent can take', async () => {
  const mail = await tryMutation(
    'routeInteraction(input: { channel: EMAIL, subject: "A question" }) { interactionId status }',
  )
  expect(mail.data.act.status).toBe('WAITING')
  // More than one batch of the worker, over a channel that no profile serves.
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
