import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, ada, anAgent, bank, idOf, openBank } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const list = async (filter: string, options = {}) => {
  const { data, errors } = await bank.execute(
    `{ interactions(${filter}) { nodes { interactionId } } }`,
    {},
    options,
  )
  expect(errors).toEqual([])
  return data.interactions.nodes.map((node: { interactionId: string }) => node.interactionId)
}

test('interactions are listed by queue, agent and status, for employees only', async () => {
  const agent = await anAgent()
  const handled = idOf(await aCall('partyId: "pty_ada"'))
  const waiting = idOf(await aCall('partyId: "pty_ada"'))
  expect(await list('queueId: "que_calls"')).toEqual([handled, waiting])
  expect(await list('queueId: "que_calls", status: WAITING')).toEqual([waiting])
  expect(await list(`agentId: "${agent}"`)).toEqual([handled])
  expect(await list('queueId: "que_other"')).toEqual([])
  expect(await list('status: WAITING', { caller: ada })).toEqual([waiting])
  expect(await list('queueId: "que_calls"', { caller: ada })).toEqual([])
  expect(await list(`agentId: "${agent}"`, { caller: ada })).toEqual([])
})
