import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  profileMoves,
  profileStatuses,
  type ProfileStatus,
} from '../../../subgraphs/channels/domain/routing-profile.ts'
import { act, ada, anAgent, bank, doing, openBank, told, unique } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const fields = `routingProfileId name kind status queues { queueId channel priority delaySeconds }
  mediaConcurrencies { channel concurrency crossChannelBehavior } defaultOutboundQueueId
  agentAvailabilityTimer skills languages segments relationshipManagerIds fallbackProfileId
  hours { zone weekly { day from to } closedOn } fallbackProfile { name }`
const create = (content: string, options = {}) =>
  doing(`createRoutingProfile(input: { ${content} }) { ${fields} }`, {}, options)
const voice = 'mediaConcurrencies: [{ channel: VOICE, concurrency: 1 }]'

describe('a profile', () => {
  test('is active and plain when only its name is said', async () => {
    const name = unique('Plain')
    const { data, errors } = await create(`name: "${name}"`)
    expect(errors).toEqual([])
    expect(data.act).toMatchObject({
      name,
      kind: 'CONTACT_CENTER',
      status: 'ACTIVE',
      queues: [],
      mediaConcurrencies: [],
      agentAvailabilityTimer: 'TIME_SINCE_LAST_ACTIVITY',
      fallbackProfileId: null,
      hours: null,
    })
    const subject = `routing-profile/${data.act.routingProfileId}`
    expect(await told(subject)).toEqual(['channels.routing-profile.created'])
    expect(await bank.fact(subject)).toMatchObject({ name, status: 'active' })
  })

  test('answers with everything it was given', async () => {
    const agent = await anAgent()
    const { data, errors } = await create(`name: "${unique('Full')}", kind: RELATIONSHIP_MANAGER,
      status: "Draft", queues: [{ queueId: "que_calls", channel: VOICE, priority: 99, delaySeconds: 9999 }]
      ${voice}, defaultOutboundQueueId: "que_calls", agentAvailabilityTimer: TIME_SINCE_LAST_INBOUND,
      skills: ["cards", "cards"], languages: ["nl"], segments: ["private"],
      relationshipManagerIds: ["${agent}"], fallbackProfileId: "rtp_retail",
      hours: { zone: "Europe/Amsterdam", weekly: [{ day: MONDAY, from: "09:00", to: "17:00" }] }`)
    expect(errors).toEqual([])
    expect(data.act).toMatchObject({
      kind: 'RELATIONSHIP_MANAGER',
      status: 'DRAFT',
      queues: [{ queueId: 'que_calls', channel: 'VOICE', priority: 99, delaySeconds: 9999 }],
      mediaConcurrencies: [
        { channel: 'VOICE', concurrency: 1, crossChannelBehavior: 'ROUTE_CURRENT_CHANNEL_ONLY' },
      ],
      defaultOutboundQueueId: 'que_calls',
      agentAvailabilityTimer: 'TIME_SINCE_LAST_INBOUND',
      skills: ['cards'],
      languages: ['nl'],
      segments: ['private'],
      relationshipManagerIds: [agent],
      fallbackProfile: { name: 'Retail' },
      hours: { weekly: [{ day: 'MONDAY', from: '09:00', to: '17:00' }], closedOn: [] },
    })
  })

  const entry = (more: string) =>
    `queues: [{ queueId: "que_calls", channel: VOICE ${more} }] ${voice}`
  test.each([
    ['a priority of 0', entry(', priority: 0'), 'VALIDATION_FAILED', '/queues/0/priority'],
    ['a priority of 100', entry(', priority: 100'), 'VALIDATION_FAILED', '/queues/0/priority'],
    ['a delay below 0', entry(', delaySeconds: -1'), 'VALIDATION_FAILED', '/queues/0/delaySeconds'],
    [
      'a delay of 10,000',
      entry(', delaySeconds: 10000'),
      'VALIDATION_FAILED',
      '/queues/0/delaySeconds',
    ],
    [
      'two calls at once',
      'mediaConcurrencies: [{ channel: VOICE, concurrency: 2 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/0/concurrency',
    ],
    [
      'eleven chats at once',
      'mediaConcurrencies: [{ channel: CHAT, concurrency: 11 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/0/concurrency',
    ],
    [
      'a medium twice',
      'mediaConcurrencies: [{ channel: CHAT, concurrency: 1 }, { channel: CHAT, concurrency: 2 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/1/channel',
    ],
    [
      'a queue twice for a channel',
      `queues: [{ queueId: "que_calls", channel: VOICE }, { queueId: "que_calls", channel: VOICE }] ${voice}`,
      'DUPLICATE_QUEUE_CHANNEL',
      '/queues/1',
    ],
    [
      'no limit for a channel',
      `queues: [{ queueId: "que_calls", channel: CHAT }] ${voice}`,
      'CHANNEL_CONCURRENCY_MISSING',
      '/queues/0/channel',
    ],
    [
      'a queue nobody made',
      entry('').replace('que_calls', 'que_none'),
      'QUEUE_NOT_FOUND',
      '/queues/0/queueId',
    ],
    [
      'an outbound queue nobody made',
      'defaultOutboundQueueId: "que_none"',
      'QUEUE_NOT_FOUND',
      '/defaultOutboundQueueId',
    ],
    [
      'an agent nobody made',
      'relationshipManagerIds: ["agt_none"]',
      'AGENT_NOT_FOUND',
      '/relationshipManagerIds/0',
    ],
    [
      'a fallback nobody made',
      'fallbackProfileId: "rtp_none"',
      'ROUTING_PROFILE_NOT_FOUND',
      '/fallbackProfileId',
    ],
    [
      'a fallback on itself',
      'routingProfileId: "rtp_self", fallbackProfileId: "rtp_self"',
      'FALLBACK_CYCLE',
      '/fallbackProfileId',
    ],
    ['a state it does not start in', 'status: "inactive"', 'INVALID_INITIAL_STATUS', '/status'],
    [
      'hours of no zone',
      'hours: { zone: "Nowhere", weekly: [] }',
      'VALIDATION_FAILED',
      '/hours/zone',
    ],
  ])('is refused with %s', async (_name, content, code, pointer) => {
    const before = (await bank.events()).length
    const { errors } = await create(`name: "${unique('Bad')}", ${content}`)
    expect(errors[0]?.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })

  test('has its name for itself, in any letter case, until it is archived', async () => {
    const { data } = await create('name: "Premier"')
    const { routingProfileId: id } = data.act
    const again = await create('name: "PREMIER"')
    expect(again.errors[0]!.extensions).toMatchObject({
      code: 'ROUTING_PROFILE_NAME_EXISTS',
      resourceId: id,
    })
    const both = await Promise.all([create('name: "Twin"'), create('name: "twin"')])
    expect(both.map(({ code }) => code).toSorted()).toEqual([
      'ROUTING_PROFILE_NAME_EXISTS',
      undefined,
    ])
    await act('deactivateRoutingProfile(routingProfileId: $id) { status }', { id })
    await act('archiveRoutingProfile(routingProfileId: $id) { status }', { id })
    expect((await create('name: "premier"')).errors).toEqual([])
  })

  test('is the same again under its id, and another one is refused', async () => {
    const id = unique('rtp')
    const content = `routingProfileId: "${id}", name: "${id}"`
    const first = await create(content, { idempotencyKey: `${id}-1` })
    const replay = await create(content, { idempotencyKey: `${id}-1` })
    expect(replay.isReplayed).toBe(true)
    const again = await create(content)
    expect([replay.data, again.data]).toEqual([first.data, first.data])
    expect((await create(`${content}, status: "draft"`)).code).toBe('RESOURCE_EXISTS')
    expect(await told(`routing-profile/${id}`)).toEqual(['channels.routing-profile.created'])
  })

  test('does not fall back on itself over others', async () => {
    const [one, two] = [unique('rtp'), unique('rtp')]
    await create(`routingProfileId: "${one}", name: "${one}"`)
    await create(`routingProfileId: "${two}", name: "${two}", fallbackProfileId: "${one}"`)
    const update = `updateRoutingProfile(input: { routingProfileId: "${one}", name: "${one}", `
    const { errors } = await doing(`${update} fallbackProfileId: "${two}" }) { status }`)
    expect(errors[0]!.extensions).toMatchObject({ code: 'FALLBACK_CYCLE' })
    await act(`${update} segments: ["sme"] }) { status }`)
    expect(await told(`routing-profile/${one}`)).toEqual([
      'channels.routing-profile.created',
      'channels.routing-profile.updated',
    ])
  })
})

const acts = {
  activateRoutingProfile: { to: 'active', fact: 'activated' },
  deactivateRoutingProfile: { to: 'inactive', fact: 'deactivated' },
  archiveRoutingProfile: { to: 'archived', fact: 'archived' },
} as const
type Act = keyof typeof acts
const paths: Record<ProfileStatus, Act[]> = {
  draft: [],
  active: ['activateRoutingProfile'],
  inactive: ['activateRoutingProfile', 'deactivateRoutingProfile'],
  archived: ['activateRoutingProfile', 'deactivateRoutingProfile', 'archiveRoutingProfile'],
}
const does = (name: Act, id: string, options = {}) =>
  doing(`${name}(routingProfileId: $id) { status }`, { id }, options)

async function profileIn(status: ProfileStatus): Promise<string> {
  const id = unique('rtp')
  await create(`routingProfileId: "${id}", name: "${id}", status: "draft"`)
  for (const name of paths[status]) expect((await does(name, id)).errors).toEqual([])
  return id
}

describe('moves', () => {
  for (const status of profileStatuses) {
    for (const name of Object.keys(acts) as Act[]) {
      const { to, fact } = acts[name]
      const isLegal = profileMoves[status].includes(to)
      test(`${name} of what is ${status} is ${isLegal ? to : 'refused'}`, async () => {
        const id = await profileIn(status)
        const before = await told(`routing-profile/${id}`)
        const { data, errors } = await does(name, id)
        const after = await told(`routing-profile/${id}`)
        if (isLegal) {
          expect(data.act.status).toBe(to.toUpperCase())
          expect(after).toEqual([...before, `channels.routing-profile.${fact}`])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: profileMoves[status],
          })
          expect(after).toEqual(before)
        }
      })
    }
  }

  test('what agents have, or another falls back on, is not archived', async () => {
    const id = await profileIn('inactive')
    const agent = await anAgent('offline', id)
    expect((await does('archiveRoutingProfile', id)).code).toBe('PROFILE_IN_USE')
    await act(
      `updateAgent(input: { agentId: "${agent}", name: "x", routingProfileId: "rtp_retail" }) { agentId }`,
    )
    const other = unique('rtp')
    await create(`routingProfileId: "${other}", name: "${other}", fallbackProfileId: "${id}"`)
    expect((await does('archiveRoutingProfile', id)).code).toBe('PROFILE_IN_USE')
    await act(
      `updateRoutingProfile(input: { routingProfileId: "${other}", name: "${other}" }) { status }`,
    )
    expect((await does('archiveRoutingProfile', id)).errors).toEqual([])
  })

  test('what is archived is neither changed nor given to anybody', async () => {
    const id = await profileIn('archived')
    const change = `updateRoutingProfile(input: { routingProfileId: "${id}", name: "New" }) { status }`
    expect((await doing(change)).code).toBe('STATE_CONFLICT')
    const agent = `createAgent(input: { name: "x", routingProfileId: "${id}" }) { agentId }`
    const { errors } = await doing(agent)
    expect(errors[0]!.extensions).toMatchObject({
      code: 'ROUTING_PROFILE_NOT_FOUND',
      status: 422,
      errors: [{ pointer: '/routingProfileId' }],
    })
  })

  test('of an agent that comes and an archiving at once, one happens', async () => {
    const id = await profileIn('inactive')
    const [archived, agent] = await Promise.all([
      does('archiveRoutingProfile', id),
      doing(`createAgent(input: { name: "x", routingProfileId: "${id}" }) { agentId }`),
    ])
    expect([archived.code, agent.code].filter((code) => code === undefined)).toHaveLength(1)
  })
})

describe('rights', () => {
  test('a delegated user neither reads nor makes profiles', async () => {
    const query = 'query ($id: ID!) { routingProfile(routingProfileId: $id) { name } }'
    const id = 'rtp_retail'
    expect((await bank.execute(query, { id })).data.routingProfile.name).toBe('Retail')
    expect((await bank.execute(query, { id }, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    expect((await bank.execute(query, { id: 'rtp_none' })).code).toBe('ROUTING_PROFILE_NOT_FOUND')
    expect((await create('name: "Mine"', { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    expect((await does('activateRoutingProfile', id, { caller: ada })).code).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const keys = [{ __typename: 'RoutingProfile', routingProfileId: id }]
    const entities =
      'query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on RoutingProfile { name } } }'
    expect((await bank.execute(entities, { keys }, { caller: ada })).data._entities).toEqual([null])
    expect((await bank.execute(entities, { keys })).data._entities).toEqual([{ name: 'Retail' }])
  })

  test('profiles are listed in the order they were made, by status', async () => {
    const list = `query ($after: String, $status: RoutingProfileStatus) {
      routingProfiles(first: 3, after: $after, status: $status) {
        nodes { name status } pageInfo { hasNextPage endCursor } } }`
    const names: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const page: any = (await bank.execute(list, { after })).data.routingProfiles
      names.push(...page.nodes.map(({ name }: any) => name))
      ;({ hasNextPage: more, endCursor: after } = page.pageInfo)
    }
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('Retail')
    expect(names.length).toBeGreaterThan(6)
    const drafts = (await bank.execute(list, { status: 'DRAFT' })).data.routingProfiles.nodes
    expect(new Set(drafts.map(({ status }: any) => status))).toEqual(new Set(['DRAFT']))
  })
})
