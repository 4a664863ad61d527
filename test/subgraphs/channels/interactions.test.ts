import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  interactionMoves,
  interactionStatuses,
  type InteractionStatus,
} from '../../../subgraphs/channels/domain/interaction.ts'
import {
  aCall,
  act,
  ada,
  agentRow,
  anAgent,
  bank,
  doing,
  grace,
  interactionFields,
  openBank,
  routeAgain,
  told,
  unique,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())
beforeEach(async () => {
  // Each test has its own people on duty, and nothing waits from before.
  await bank.rows(`update channels.agent set status = 'offline'`)
  await bank.rows(`update channels.interaction set status = 'abandoned' where status = 'waiting'`)
})

const id = (call: Awaited<ReturnType<typeof aCall>>): string => call.data.act.interactionId

describe('a contact that comes in', () => {
  test('is given to whoever is free, who then has no room for another', async () => {
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
    expect(await told(`interaction/${id(first)}`)).toEqual([
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
    expect(await told(`interaction/${id(second)}`)).toEqual(['channels.interaction.received'])
  })

  test('of many at once for one person, one is given to them', async () => {
    const agent = await anAgent()
    const calls = await Promise.all(Array.from({ length: 5 }, () => aCall()))
    expect(calls.flatMap(({ errors }) => errors)).toEqual([])
    const assigned = calls.filter(({ data }) => data.act.status === 'ASSIGNED')
    expect(assigned).toHaveLength(1)
    expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
  })

  test('that waits is given out when somebody is done, the longest first', async () => {
    const agent = await anAgent()
    const busy = await aCall()
    const waiting = [await aCall(), await aCall()]
    expect(await routeAgain()).toBe(0)
    await act(`completeInteraction(interactionId: $id, notes: "Blocked it.") { status }`, {
      id: id(busy),
    })
    expect((await agentRow(agent))['load']).toEqual({ voice: 0 })
    expect(await routeAgain()).toBe(1)
    const rows = await bank.rows(
      'select interaction_id, status, agent_id from channels.interaction where interaction_id = any($1)',
      [waiting.map(id)],
    )
    const statuses = waiting.map((call) => rows.find((row) => row['interaction_id'] === id(call)))
    expect(statuses).toMatchObject([{ status: 'assigned', agent_id: agent }, { status: 'waiting' }])
    expect(await told(`interaction/${id(waiting[0]!)}`)).toEqual([
      'channels.interaction.received',
      'channels.interaction.assigned',
    ])
    expect((await agentRow(agent))['load']).toEqual({ voice: 1 })
  })

  test('goes to the relationship manager of its party', async () => {
    const idlest = await anAgent()
    bank.clock.advance(1000)
    const manager = await anAgent()
    for (const agentId of [idlest, manager]) {
      await act(
        `assignRelationshipManager(partyId: "pty_grace", agentId: "${agentId}") { agentId }`,
      )
    }
    expect(await told('relationship/pty_grace')).toHaveLength(2)
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

  test('is answered the same again under its id', async () => {
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
  ])('with %s is refused', async (more, code, pointer) => {
    const { errors } = await aCall(more)
    expect(errors[0]!.extensions).toMatchObject({ code, status: 422, errors: [{ pointer }] })
    const preview = `query { previewRouting(input: { channel: VOICE, subject: "x", ${more} }) { queueId } }`
    if (!more.startsWith('channelId')) expect((await bank.execute(preview)).code).toBe(code)
  })

  test('would go where the preview says, which stores nothing', async () => {
    const agent = await anAgent()
    const before = await bank.rows('select count(*) from channels.interaction')
    const preview = `query { previewRouting(input: { channel: VOICE, subject: "x" }) {
      routingProfileId queueId agentId lookAgainAt reasons { code subjects } } }`
    const { previewRouting } = (await bank.execute(preview)).data
    expect(previewRouting).toMatchObject({ agentId: agent, queueId: 'que_calls' })
    expect(await bank.rows('select count(*) from channels.interaction')).toEqual(before)
    expect((await aCall()).data.act.decision).toEqual(previewRouting)
  })
})

describe('a channel', () => {
  test('that is closed takes no calls, and says when it opens; mail it takes', async () => {
    const hours = 'hours: { zone: "UTC", weekly: [{ day: TUESDAY, from: "09:00", to: "17:00" }] }'
    for (const medium of ['VOICE', 'TASK']) {
      const name = `${medium.toLowerCase()}_tuesdays`
      await act(
        `createChannel(input: { channelId: "${name}", name: "Tuesdays", medium: ${medium}, ${hours} }) { channelId }`,
      )
    }
    const channel = await bank.execute(
      '{ channel(channelId: "voice_tuesdays") { isOpen opensAt capabilities } }',
    )
    const opensAt = '2026-03-03T09:00:00.000Z'
    expect(channel.data.channel).toEqual({ isOpen: false, opensAt, capabilities: [] })
    const { errors } = await aCall('channelId: "voice_tuesdays"')
    expect(errors[0]!.extensions).toMatchObject({
      code: 'CHANNEL_CLOSED',
      opensAt,
      errors: [{ pointer: '/channelId' }],
    })
    const task = (channelId: string) =>
      doing(
        `routeInteraction(input: { channel: TASK, subject: "x", channelId: "${channelId}" }) { status }`,
      )
    expect((await task('task_tuesdays')).errors).toEqual([])
    expect((await task('voice_tuesdays')).errors[0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/channel' }],
    })
    const toggle = (name: string) => doing(`${name}(channelId: "task_tuesdays") { status isOpen }`)
    expect((await toggle('activateChannel')).code).toBe('INVALID_STATE_TRANSITION')
    expect((await toggle('deactivateChannel')).data.act).toEqual({
      status: 'INACTIVE',
      isOpen: false,
    })
    expect((await toggle('deactivateChannel')).code).toBe('INVALID_STATE_TRANSITION')
    expect((await task('task_tuesdays')).code).toBe('CHANNEL_CLOSED')
    expect((await toggle('activateChannel')).data.act.status).toBe('ACTIVE')
    await act('updateChannel(input: { channelId: "task_tuesdays", name: "Always" }) { name }')
    expect(await told('channel/task_tuesdays')).toEqual(
      ['created', 'deactivated', 'activated', 'updated'].map((fact) => `channels.channel.${fact}`),
    )
  })
})

const acts = {
  requeueInteraction: { to: 'waiting', fact: 'requeued' },
  completeInteraction: { to: 'completed', fact: 'completed' },
  abandonInteraction: { to: 'abandoned', fact: 'abandoned' },
} as const
type Act = keyof typeof acts
const does = (name: Act, interactionId: string, options = {}) =>
  doing(`${name}(interactionId: $id) { ${interactionFields} }`, { id: interactionId }, options)
const paths: Record<InteractionStatus, { isStaffed: boolean; acts: Act[] }> = {
  waiting: { isStaffed: false, acts: [] },
  assigned: { isStaffed: true, acts: [] },
  completed: { isStaffed: true, acts: ['completeInteraction'] },
  abandoned: { isStaffed: false, acts: ['abandonInteraction'] },
}
async function interactionIn(status: InteractionStatus): Promise<string> {
  if (paths[status].isStaffed) await anAgent()
  const call = await aCall('partyId: "pty_ada"')
  for (const name of paths[status].acts) expect((await does(name, id(call))).errors).toEqual([])
  return id(call)
}

describe('moves', () => {
  for (const status of interactionStatuses) {
    for (const name of Object.keys(acts) as Act[]) {
      const { to, fact } = acts[name]
      const isLegal = interactionMoves[status].includes(to)
      test(`${name} of what is ${status} is ${isLegal ? to : 'refused'}`, async () => {
        const interactionId = await interactionIn(status)
        const before = await told(`interaction/${interactionId}`)
        const { data, errors } = await does(name, interactionId)
        const after = await told(`interaction/${interactionId}`)
        if (isLegal) {
          expect(data.act.status).toBe(to.toUpperCase())
          expect(after).toEqual([...before, `channels.interaction.${fact}`])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: interactionMoves[status],
          })
          expect(after).toEqual(before)
        }
      })
    }
  }

  test('what is given back leaves its agent free, and waits from then on', async () => {
    const agent = await anAgent()
    const call = await aCall()
    bank.clock.advance(1000)
    const { data } = await does('requeueInteraction', id(call))
    const waitingSince = bank.bank.now().toISOString()
    expect(data.act).toMatchObject({ agentId: null, waitingSince })
    expect((await agentRow(agent))['load']).toEqual({ voice: 0 })
  })

  test('what nobody has is not found', async () => {
    for (const name of Object.keys(acts) as Act[]) {
      expect((await does(name, 'int_none')).code).toBe('INTERACTION_NOT_FOUND')
    }
  })

  test.each([
    ['OFFLINE', 'AVAILABLE'],
    ['AVAILABLE', 'AWAY'],
    ['AWAY', 'AVAILABLE'],
    ['AWAY', 'OFFLINE'],
    ['AVAILABLE', 'OFFLINE'],
  ])('an agent goes from %s to %s, and not twice', async (from, to) => {
    const agent = await anAgent(from === 'OFFLINE' ? 'offline' : 'available')
    const set = (status: string) =>
      doing(`setAgentStatus(agentId: "${agent}", status: ${status}) { status }`)
    if (from === 'AWAY') await set('AWAY')
    expect((await set(to)).data.act.status).toBe(to)
    expect((await set(to)).code).toBe('INVALID_STATE_TRANSITION')
    expect((await told(`agent/${agent}`)).at(-1)).toBe(`channels.agent.${to.toLowerCase()}`)
  })

  test('who is offline is not away', async () => {
    const agent = await anAgent('offline')
    const away = await doing(`setAgentStatus(agentId: "${agent}", status: AWAY) { status }`)
    expect(away.errors[0]!.extensions).toMatchObject({ allowedStates: ['available'] })
  })
})

describe('the log', () => {
  const log = (more: string, options = {}) =>
    doing(
      `logInteraction(input: { channel: VOICE, subject: "A visit", ${more} }) { ${interactionFields} }`,
      {},
      options,
    )

  test('keeps what is over', async () => {
    const agent = await anAgent()
    const { data } =
      await log(`partyId: "pty_ada", caseId: "case_ada", agentId: "${agent}", notes: "Fine.",
      startedAt: "2026-03-02T08:00:00Z", endedAt: "2026-03-02T08:10:00Z"`)
    expect(data.act).toMatchObject({
      status: 'COMPLETED',
      agentId: agent,
      notes: 'Fine.',
      decision: null,
    })
    expect(await told(`interaction/${data.act.interactionId}`)).toEqual([
      'channels.interaction.logged',
    ])
  })

  test.each([
    ['endedAt: "2026-03-02T10:00:00Z"', 'VALIDATION_FAILED', '/endedAt'],
    [
      'startedAt: "2026-03-02T08:00:00Z", endedAt: "2026-03-02T07:00:00Z"',
      'INVALID_DATE_RANGE',
      '/endedAt',
    ],
    ['agentId: "agt_none"', 'AGENT_NOT_FOUND', '/agentId'],
    ['partyId: "pty_none"', 'PARTY_NOT_FOUND', '/partyId'],
  ])('refuses %s', async (more, code, pointer) => {
    const { errors } = await log(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
  })

  test('says later which case it was about', async () => {
    const { interactionId } = (await log('partyId: "pty_ada"')).data.act
    const link = (caseId: string, options = {}) =>
      doing(
        `linkInteractionToCase(interactionId: $id, caseId: "${caseId}") { caseId case { caseId } }`,
        { id: interactionId },
        options,
      )
    expect((await link('case_none')).code).toBe('CASE_NOT_FOUND')
    expect((await link('case_ada', { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await link('case_ada')).data.act).toEqual({
      caseId: 'case_ada',
      case: { caseId: 'case_ada' },
    })
    await link('case_ada')
    expect(await told(`interaction/${interactionId}`)).toEqual([
      'channels.interaction.logged',
      'channels.interaction.case-linked',
    ])
  })
})

describe('a delegated user', () => {
  test('comes in on their own behalf, sees their own, and nothing of how the bank works', async () => {
    const agent = await anAgent()
    const mine = await aCall('partyId: "pty_ada", caseId: "case_ada"', { caller: ada })
    expect(mine.data.act).toMatchObject({ status: 'ASSIGNED', decision: null, notes: null })
    expect((await aCall('partyId: "pty_ada"', { caller: grace })).code).toBe('PARTY_NOT_FOUND')
    expect((await aCall('', { caller: grace })).code).toBe('PARTY_NOT_FOUND')
    const others = 'partyId: "pty_grace", caseId: "case_ada"'
    expect((await aCall(others, { caller: grace })).code).toBe('CASE_NOT_FOUND')
    const read = `query ($id: ID!) { interaction(interactionId: $id) { interactionId decision { queueId } agent { name } queue { name } } }`
    const variables = { id: id(mine) }
    expect((await bank.execute(read, variables, { caller: ada })).data.interaction).toMatchObject({
      decision: null,
      agent: null,
      queue: null,
    })
    expect((await bank.execute(read, variables)).data.interaction).toMatchObject({
      agent: { name: agent },
      queue: { name: 'Calls' },
    })
    expect((await bank.execute(read, variables, { caller: grace })).code).toBe(
      'INTERACTION_NOT_FOUND',
    )
    for (const name of ['requeueInteraction', 'completeInteraction'] as const) {
      expect((await does(name, id(mine), { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    const waiting = await aCall('partyId: "pty_ada"', { caller: ada })
    expect((await does('abandonInteraction', id(waiting), { caller: grace })).code).toBe(
      'INTERACTION_NOT_FOUND',
    )
    expect((await does('abandonInteraction', id(waiting), { caller: ada })).errors).toEqual([])
  })

  test('finds their own in every list, and nobody else’s', async () => {
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

  test('needs the scopes', async () => {
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
    expect((await bank.execute('{ routingQueue(queueId: "que_none") { name } }')).code).toBe(
      'QUEUE_NOT_FOUND',
    )
    expect((await bank.execute('{ agent(agentId: "agt_none") { name } }')).code).toBe(
      'AGENT_NOT_FOUND',
    )
    expect((await bank.execute('{ channel(channelId: "chn_none") { name } }')).code).toBe(
      'CHANNEL_NOT_FOUND',
    )
  })
})
