import { InteractionStatus } from '../../../subgraphs/channels/model/enumerations.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interactionStates } from '../../../subgraphs/channels/model/interaction.ts'
import {
  aCall,
  mutate,
  ada,
  agentRow,
  anAgent,
  bank,
  clearTheFloor,
  doesInteraction,
  tryMutation,
  grace,
  idOf,
  interactionActions,
  openBank,
  routeAgain,
  eventsOf,
  unique,
  type InteractionAction,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())
beforeEach(clearTheFloor)

describe('Routing an incoming interaction', () => {
  test('assigns it to an available agent up to the agent’s capacity', async () => {
    const agent = await anAgent()
    const first = await aCall('partyId: "pty_ada"')
    expect(first.data.act).toMatchObject({
      status: 'ASSIGNED',
      agentId: agent,
      queueId: 'que_calls',
      waitingSince: null,
      decision: { routingProfileId: 'rtp_retail', agentId: agent },
    })
    expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
    expect(await eventsOf(`interaction/${idOf(first)}`)).toEqual([
      'channels.interaction.received',
      'channels.interaction.assigned',
    ])
    const second = await aCall()
    expect(second.data.act).toMatchObject({
      status: 'WAITING',
      agentId: null,
      queueId: 'que_calls',
    })
    const reasons = second.data.act.decision.reasons as { code: string; subjects: string[] }[]
    expect(reasons).toContainEqual({ code: 'AT_CAPACITY', subjects: [agent] })
    expect(await eventsOf(`interaction/${idOf(second)}`)).toEqual(['channels.interaction.received'])
  })

  test('assigns one of many concurrent interactions to a single agent', async () => {
    const agent = await anAgent()
    const calls = await Promise.all(Array.from({ length: 5 }, () => aCall()))
    expect(calls.flatMap(({ errors }) => errors)).toEqual([])
    const assigned = calls.filter(({ data }) => data.act.status === 'ASSIGNED')
    expect(assigned).toHaveLength(1)
    expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
  })

  test('assigns the interaction that waited longest when an agent becomes free', async () => {
    const agent = await anAgent()
    const busy = await aCall()
    const waiting = [await aCall(), await aCall()]
    expect(await routeAgain()).toBe(0)
    await mutate(`completeInteraction(interactionId: $id, notes: "Blocked it.") { status }`, {
      id: idOf(busy),
    })
    expect((await agentRow(agent))['load']).toEqual({ voice: 0 })
    expect(await routeAgain()).toBe(1)
    const rows = await bank.rows(
      'select interaction_id, status, agent_id from channels.interaction where interaction_id = any($1)',
      [waiting.map(idOf)],
    )
    const statuses = waiting.map((call) => rows.find((row) => row['interaction_id'] === idOf(call)))
    expect(statuses).toMatchObject([{ status: 'assigned', agent_id: agent }, { status: 'waiting' }])
    expect(await eventsOf(`interaction/${idOf(waiting[0]!)}`)).toEqual([
      'channels.interaction.received',
      'channels.interaction.assigned',
    ])
    expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
  })

  test('prefers the relationship manager of the party', async () => {
    const idlest = await anAgent()
    bank.clock.advance(1000)
    const manager = await anAgent()
    for (const agentId of [idlest, manager]) {
      await mutate(
        `assignRelationshipManager(partyId: "pty_grace", agentId: "${agentId}") { agentId }`,
      )
    }
    expect(await eventsOf('relationship/pty_grace')).toHaveLength(2)
    const preview = `{ previewRouting(input: { channel: VOICE, subject: "x" }) { agentId } }`
    expect((await bank.execute(preview)).data.previewRouting.agentId).toBe(idlest)
    const call = await aCall('partyId: "pty_grace"')
    expect(call.data.act.agentId).toBe(manager)
    const query = `query { _entities(representations: [{ __typename: "Party", partyId: "pty_grace" }]) {
      ... on Party { relationshipManager { agentId name } } } }`
    const seen = async (caller = grace) =>
      (await bank.execute(query, {}, { caller })).data._entities[0].relationshipManager
    expect(await seen()).toMatchObject({ agentId: manager })
    expect(await seen(ada)).toBeNull()
  })

  test('is idempotent by id', async () => {
    await anAgent()
    const more = `interactionId: "${unique('int')}"`
    const first = await aCall(more)
    expect((await aCall(more)).data).toEqual(first.data)
    expect((await aCall(`${more}, partyId: "pty_ada"`)).code).toBe('RESOURCE_EXISTS')
  })

  test.each([
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
    ['caseId: "case_none"', 'CASE_NOT_FOUND', '/caseId'],
    ['channelId: "chn_none"', 'CHANNEL_NOT_FOUND', '/channelId'],
    ['routingProfileId: "rtp_none"', 'ROUTING_PROFILE_NOT_FOUND', '/routingProfileId'],
  ])('rejects %s', async (more, code, pointer) => {
    const { errors } = await aCall(more)
    expect(errors[0]!.extensions).toMatchObject({ code, status: 422, errors: [{ pointer }] })
    const preview = `query { previewRouting(input: { channel: VOICE, subject: "x", ${more} }) { queueId } }`
    if (!more.startsWith('channelId')) expect((await bank.execute(preview)).code).toBe(code)
  })

  test('routes as the preview says, which stores nothing', async () => {
    const agent = await anAgent()
    const before = await bank.rows('select count(*) from channels.interaction')
    const preview = `query { previewRouting(input: { channel: VOICE, subject: "x" }) {
      routingProfileId queueId agentId reevaluateAt reasons { code subjects } } }`
    const { previewRouting } = (await bank.execute(preview)).data
    expect(previewRouting).toMatchObject({ agentId: agent, queueId: 'que_calls' })
    expect(await bank.rows('select count(*) from channels.interaction')).toEqual(before)
    expect((await aCall()).data.act.decision).toEqual(previewRouting)
  })
})

const paths: Record<InteractionStatus, { isStaffed: boolean; actions: InteractionAction[] }> = {
  waiting: { isStaffed: false, actions: [] },
  assigned: { isStaffed: true, actions: [] },
  completed: { isStaffed: true, actions: ['completeInteraction'] },
  abandoned: { isStaffed: false, actions: ['abandonInteraction'] },
}
async function interactionIn(status: InteractionStatus): Promise<string> {
  if (paths[status].isStaffed) await anAgent()
  const call = await aCall('partyId: "pty_ada"')
  for (const name of paths[status].actions)
    expect((await doesInteraction(name, idOf(call))).errors).toEqual([])
  return idOf(call)
}

describe('State transitions of interactions and agents', () => {
  for (const status of InteractionStatus.values) {
    for (const name of Object.keys(interactionActions) as InteractionAction[]) {
      const { to, fact } = interactionActions[name]
      const isLegal = interactionStates.table[status].includes(to)
      test(`${name} from ${status} leads to ${isLegal ? to : 'INVALID_STATE_TRANSITION'}`, async () => {
        const interactionId = await interactionIn(status)
        const before = await eventsOf(`interaction/${interactionId}`)
        const { data, errors } = await doesInteraction(name, interactionId)
        const after = await eventsOf(`interaction/${interactionId}`)
        if (isLegal) {
          expect(data.act.status).toBe(to.toUpperCase())
          expect(after).toEqual([...before, `channels.interaction.${fact}`])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: interactionStates.table[status],
          })
          expect(after).toEqual(before)
        }
      })
    }
  }

  test('frees the agent and restarts the waiting time when an interaction is requeued', async () => {
    const agent = await anAgent()
    const call = await aCall()
    bank.clock.advance(1000)
    const { data } = await doesInteraction('requeueInteraction', idOf(call))
    const waitingSince = bank.bank.now().toISOString()
    expect(data.act).toMatchObject({ agentId: null, waitingSince })
    expect((await agentRow(agent))['load']).toEqual({ voice: 0 })
  })

  test('returns INTERACTION_NOT_FOUND for an unknown interaction', async () => {
    for (const name of Object.keys(interactionActions) as InteractionAction[]) {
      expect((await doesInteraction(name, 'int_none')).code).toBe('INTERACTION_NOT_FOUND')
    }
  })

  test.each([
    ['OFFLINE', 'AVAILABLE'],
    ['AVAILABLE', 'AWAY'],
    ['AWAY', 'AVAILABLE'],
    ['AWAY', 'OFFLINE'],
    ['AVAILABLE', 'OFFLINE'],
  ])('permits an agent to change from %s to %s, and not twice', async (from, to) => {
    const agent = await anAgent(from === 'OFFLINE' ? 'offline' : 'available')
    const set = (status: string) =>
      tryMutation(`setAgentStatus(agentId: "${agent}", status: ${status}) { status }`)
    if (from === 'AWAY') await set('AWAY')
    expect((await set(to)).data.act.status).toBe(to)
    expect((await set(to)).code).toBe('INVALID_STATE_TRANSITION')
    expect((await eventsOf(`agent/${agent}`)).at(-1)).toBe(`channels.agent.${to.toLowerCase()}`)
  })

  test('rejects an offline agent becoming away', async () => {
    const agent = await anAgent('offline')
    const away = await tryMutation(`setAgentStatus(agentId: "${agent}", status: AWAY) { status }`)
    expect(away.errors[0]!.extensions).toMatchObject({ allowedStates: ['available'] })
  })
})
