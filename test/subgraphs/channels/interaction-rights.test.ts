import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import {
  aCall,
  ada,
  anAgent,
  bank,
  clearTheFloor,
  doesInteraction,
  tryMutation,
  grace,
  idOf,
  openBank,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Interactions for a delegated user', () => {
  test('permits contact on their own behalf, and hides agent, queue and routing decision', async () => {
    const agent = await anAgent()
    const mine = await aCall('partyId: "pty_ada", caseId: "case_ada"', { caller: ada })
    expect(mine.data.act).toMatchObject({ status: 'ASSIGNED', decision: null, notes: null })
    expect((await aCall('partyId: "pty_ada"', { caller: grace })).code).toBe('PARTY_NOT_FOUND')
    expect((await aCall('', { caller: grace })).code).toBe('PARTY_NOT_FOUND')
    for (const more of [
      'routingProfileId: "rtp_retail"',
      'segment: "private"',
      'skills: ["x"]',
      'direction: OUTBOUND',
    ]) {
      const answer = await aCall(`partyId: "pty_ada", ${more}`, { caller: ada })
      expect(answer.code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    const others = 'partyId: "pty_grace", caseId: "case_ada"'
    expect((await aCall(others, { caller: grace })).code).toBe('CASE_NOT_FOUND')
    const read = `query ($id: ID!) { interaction(interactionId: $id) { interactionId decision { queueId } agent { name } queue { name } } }`
    const variables = { id: idOf(mine) }
    expect((await bank.execute(read, variables, { caller: ada })).data.interaction).toMatchObject({
      decision: null,
      agent: null,
      queue: null,
    })
    expect((await bank.execute(read, variables)).data.interaction).toMatchObject({
      agent: { name: agent },
      queue: { name: 'Calls' },
    })
    expectAbsent(await bank.execute(read, variables, { caller: grace }))
    for (const name of ['requeueInteraction', 'completeInteraction'] as const) {
      expect((await doesInteraction(name, idOf(mine), { caller: ada })).code).toBe(
        'NOT_FOR_DELEGATED_USERS',
      )
    }
    const waiting = await aCall('partyId: "pty_ada"', { caller: ada })
    expect(
      (await doesInteraction('abandonInteraction', idOf(waiting), { caller: grace })).code,
    ).toBe('INTERACTION_NOT_FOUND')
    expect(
      (await doesInteraction('abandonInteraction', idOf(waiting), { caller: ada })).errors,
    ).toEqual([])
  })

  test('shows only their own interactions, in lists and as entities', async () => {
    await aCall('partyId: "pty_ada", caseId: "case_ada"')
    await aCall('partyId: "pty_grace"')
    await aCall()
    const list = 'query ($partyId: ID) { interactions(partyId: $partyId) { nodes { partyId } } }'
    const owners = async (caller: typeof ada, partyId?: string) => {
      const { data } = await bank.execute(list, { partyId }, { caller })
      return [...new Set(data.interactions.nodes.map((node: any) => node.partyId))]
    }
    expect(await owners(grace)).toEqual(['pty_grace'])
    expect(await owners(grace, 'pty_ada')).toEqual([])
    const joins = `query { _entities(representations: [{ __typename: "Party", partyId: "pty_ada" },
      { __typename: "Case", caseId: "case_ada" }, { __typename: "Agent", agentId: "agt_1" },
      { __typename: "RoutingQueue", queueId: "que_calls" }]) {
      ... on Party { interactions { nodes { partyId } } } ... on Case { interactions { nodes { partyId } } }
      ... on Agent { name } ... on RoutingQueue { name } } }`
    const seen = async (caller: typeof ada) =>
      (await bank.execute(joins, {}, { caller })).data._entities.map(
        (entity: any) => entity && (entity.interactions?.nodes.length ?? entity.name),
      )
    expect(await seen(grace)).toEqual([0, 0, null, null])
    const [party, about] = await seen(ada)
    expect(party).toBeGreaterThan(0)
    expect(about).toBeGreaterThan(0)
  })

  test('requires scopes, and denies queues and agents', async () => {
    const caller = { ...ada, scopes: new Set(['parties:read']) }
    for (const query of [
      '{ interactions { nodes { partyId } } }',
      '{ interaction(interactionId: "x") { partyId } }',
      '{ routingQueues { nodes { name } } }',
      '{ agents { nodes { name } } }',
      '{ channels { nodes { name } } }',
    ]) {
      expect((await bank.execute(query, {}, { caller })).code).toBe('INSUFFICIENT_SCOPE')
    }
    for (const query of ['{ routingQueues { nodes { name } } }', '{ agents { nodes { name } } }']) {
      expect((await bank.execute(query, {}, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
      expect((await bank.execute(query)).errors).toEqual([])
    }
    expectAbsent(await bank.execute('{ routingQueue(queueId: "que_none") { name } }'))
    expectAbsent(await bank.execute('{ agent(agentId: "agt_none") { name } }'))
    expectAbsent(await bank.execute('{ channel(channelId: "chn_none") { name } }'))
  })
})

test('permits a delegated user to abandon only contacts that they started themselves', async () => {
  await clearTheFloor()
  const task =
    await tryMutation(`routeInteraction(input: { channel: TASK, subject: "Review the papers",
    partyId: "pty_ada", routingProfileId: "rtp_retail" }) { interactionId status }`)
  const outbound = await aCall('partyId: "pty_ada", direction: OUTBOUND')
  for (const call of [task, outbound]) {
    expect(call.data.act.status).toBe('WAITING')
    const provided = await doesInteraction('abandonInteraction', idOf(call), { caller: ada })
    expect(provided.code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await doesInteraction('abandonInteraction', idOf(call))).errors).toEqual([])
  }
})
