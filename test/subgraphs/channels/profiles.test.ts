import { ProfileStatus } from '../../../subgraphs/channels/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileStates } from '../../../subgraphs/channels/model/profile.ts'
import {
  mutate,
  anAgent,
  bank,
  createProfile,
  doesProfile,
  tryMutation,
  openBank,
  profileActions,
  eventsOf,
  unique,
  type ProfileAction,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const media = ['VOICE', 'CHAT', 'TASK', 'EMAIL', 'SECURE_MESSAGE']
const voice = 'mediaConcurrencies: [{ channel: VOICE, concurrency: 1 }]'

describe('Creating a routing profile', () => {
  test('defaults to an active profile that serves the default queue over all channels', async () => {
    const name = unique('Plain')
    const { data, errors } = await createProfile(`name: "${name}"`)
    expect(errors).toEqual([])
    expect(data.act).toMatchObject({
      name,
      kind: 'CONTACT_CENTER',
      status: 'ACTIVE',
      queues: media.map((channel) => ({
        queueId: 'que_default',
        channel,
        priority: 1,
        delaySeconds: 0,
      })),
      mediaConcurrencies: media.map((channel) => ({
        channel,
        concurrency: 1,
        crossChannelBehavior: 'ROUTE_CURRENT_CHANNEL_ONLY',
      })),
      agentAvailabilityTimer: 'TIME_SINCE_LAST_ACTIVITY',
      fallbackProfileId: null,
      hours: null,
    })
    const subject = `routing-profile/${data.act.routingProfileId}`
    expect(await eventsOf(subject)).toEqual(['channels.routing-profile.created'])
    expect(await bank.fact(subject)).toMatchObject({ name, status: 'active' })
  })

  test('returns everything the profile was created with', async () => {
    const agent = await anAgent()
    const { data, errors } =
      await createProfile(`name: "${unique('Full')}", kind: RELATIONSHIP_MANAGER,
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
    [
      'a negative delay',
      entry(', delaySeconds: -1'),
      'VALIDATION_FAILED',
      '/queues/0/delaySeconds',
    ],
    [
      'a delay of 10,000',
      entry(', delaySeconds: 10000'),
      'VALIDATION_FAILED',
      '/queues/0/delaySeconds',
    ],
    [
      'two concurrent calls',
      'mediaConcurrencies: [{ channel: VOICE, concurrency: 2 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/0/concurrency',
    ],
    [
      'eleven concurrent chats',
      'mediaConcurrencies: [{ channel: CHAT, concurrency: 11 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/0/concurrency',
    ],
    [
      'the same channel twice',
      'mediaConcurrencies: [{ channel: CHAT, concurrency: 1 }, { channel: CHAT, concurrency: 2 }]',
      'VALIDATION_FAILED',
      '/mediaConcurrencies/1/channel',
    ],
    [
      'the same queue twice for a channel',
      `queues: [{ queueId: "que_calls", channel: VOICE }, { queueId: "que_calls", channel: VOICE }] ${voice}`,
      'DUPLICATE_QUEUE_CHANNEL',
      '/queues/1',
    ],
    [
      'no concurrency for a channel',
      `queues: [{ queueId: "que_calls", channel: CHAT }] ${voice}`,
      'CHANNEL_CONCURRENCY_MISSING',
      '/queues/0/channel',
    ],
    [
      'an unknown queue',
      entry('').replace('que_calls', 'que_none'),
      'QUEUE_NOT_FOUND',
      '/queues/0/queueId',
    ],
    [
      'an unknown outbound queue',
      'defaultOutboundQueueId: "que_none"',
      'QUEUE_NOT_FOUND',
      '/defaultOutboundQueueId',
    ],
    [
      'an unknown agent',
      'relationshipManagerIds: ["agt_none"]',
      'AGENT_NOT_FOUND',
      '/relationshipManagerIds/0',
    ],
    [
      'an unknown fallback profile',
      'fallbackProfileId: "rtp_none"',
      'ROUTING_PROFILE_NOT_FOUND',
      '/fallbackProfileId',
    ],
    [
      'itself as fallback',
      'routingProfileId: "rtp_self", fallbackProfileId: "rtp_self"',
      'FALLBACK_CYCLE',
      '/fallbackProfileId',
    ],
    ['an invalid initial status', 'status: "inactive"', 'INVALID_INITIAL_STATUS', '/status'],
    [
      'hours in an unknown time zone',
      'hours: { zone: "Nowhere", weekly: [] }',
      'VALIDATION_FAILED',
      '/hours/zone',
    ],
  ])('rejects %s', async (_name, content, code, pointer) => {
    const before = (await bank.events()).length
    const { errors } = await createProfile(`name: "${unique('Bad')}", ${content}`)
    expect(errors[0]?.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })

  test('requires a unique name, ignoring case, among profiles that are not archived', async () => {
    const { data } = await createProfile('name: "Premier"')
    const { routingProfileId: id } = data.act
    const again = await createProfile('name: "PREMIER"')
    expect(again.errors[0]!.extensions).toMatchObject({
      code: 'ROUTING_PROFILE_NAME_EXISTS',
      resourceId: id,
    })
    const both = await Promise.all([createProfile('name: "Twin"'), createProfile('name: "twin"')])
    expect(new Set(both.map(({ code }) => code))).toEqual(
      new Set(['ROUTING_PROFILE_NAME_EXISTS', undefined]),
    )
    await mutate('deactivateRoutingProfile(routingProfileId: $id) { status }', { id })
    await mutate('archiveRoutingProfile(routingProfileId: $id) { status }', { id })
    expect((await createProfile('name: "premier"')).errors).toEqual([])
  })

  test('is idempotent by id and by idempotency key', async () => {
    const id = unique('rtp')
    const content = `routingProfileId: "${id}", name: "${id}"`
    const first = await createProfile(content, { idempotencyKey: `${id}-1` })
    const replay = await createProfile(content, { idempotencyKey: `${id}-1` })
    expect(replay.isReplayed).toBe(true)
    const again = await createProfile(content)
    expect([replay.data, again.data]).toEqual([first.data, first.data])
    expect((await createProfile(`${content}, status: "draft"`)).code).toBe('RESOURCE_EXISTS')
    expect(await eventsOf(`routing-profile/${id}`)).toEqual(['channels.routing-profile.created'])
  })

  test('rejects a fallback on itself through other profiles', async () => {
    const [one, two] = [unique('rtp'), unique('rtp')]
    await createProfile(`routingProfileId: "${one}", name: "${one}"`)
    await createProfile(`routingProfileId: "${two}", name: "${two}", fallbackProfileId: "${one}"`)
    const update = `updateRoutingProfile(input: { routingProfileId: "${one}", name: "${one}", `
    const { errors } = await tryMutation(`${update} fallbackProfileId: "${two}" }) { status }`)
    expect(errors[0]!.extensions).toMatchObject({ code: 'FALLBACK_CYCLE' })
    await mutate(`${update} segments: ["sme"] }) { status }`)
    expect(await eventsOf(`routing-profile/${one}`)).toEqual([
      'channels.routing-profile.created',
      'channels.routing-profile.updated',
    ])
  })
})

const paths: Record<ProfileStatus, ProfileAction[]> = {
  draft: [],
  active: ['activateRoutingProfile'],
  inactive: ['activateRoutingProfile', 'deactivateRoutingProfile'],
  archived: ['activateRoutingProfile', 'deactivateRoutingProfile', 'archiveRoutingProfile'],
}
async function profileIn(status: ProfileStatus): Promise<string> {
  const id = unique('rtp')
  await createProfile(`routingProfileId: "${id}", name: "${id}", status: "draft"`)
  for (const name of paths[status]) expect((await doesProfile(name, id)).errors).toEqual([])
  return id
}

describe('State transitions of a routing profile', () => {
  for (const status of ProfileStatus.values) {
    for (const name of Object.keys(profileActions) as ProfileAction[]) {
      const { to, fact } = profileActions[name]
      const isLegal = profileStates.table[status].includes(to)
      test(`${name} from ${status} leads to ${isLegal ? to : 'INVALID_STATE_TRANSITION'}`, async () => {
        const id = await profileIn(status)
        const before = await eventsOf(`routing-profile/${id}`)
        const { data, errors } = await doesProfile(name, id)
        const after = await eventsOf(`routing-profile/${id}`)
        if (isLegal) {
          expect(data.act.status).toBe(to.toUpperCase())
          expect(after).toEqual([...before, `channels.routing-profile.${fact}`])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
            allowedStates: profileStates.table[status],
          })
          expect(after).toEqual(before)
        }
      })
    }
  }

  test('rejects archiving a profile with agents, or that is another’s fallback', async () => {
    const id = await profileIn('inactive')
    const agent = await anAgent('offline', id)
    expect((await doesProfile('archiveRoutingProfile', id)).code).toBe('PROFILE_IN_USE')
    await mutate(
      `updateAgent(input: { agentId: "${agent}", name: "x", routingProfileId: "rtp_retail" }) { agentId }`,
    )
    const other = unique('rtp')
    await createProfile(
      `routingProfileId: "${other}", name: "${other}", fallbackProfileId: "${id}"`,
    )
    expect((await doesProfile('archiveRoutingProfile', id)).code).toBe('PROFILE_IN_USE')
    await mutate(
      `updateRoutingProfile(input: { routingProfileId: "${other}", name: "${other}" }) { status }`,
    )
    expect((await doesProfile('archiveRoutingProfile', id)).errors).toEqual([])
  })

  test('rejects changing an archived profile or assigning an agent to it', async () => {
    const id = await profileIn('archived')
    const change = `updateRoutingProfile(input: { routingProfileId: "${id}", name: "New" }) { status }`
    expect((await tryMutation(change)).code).toBe('STATE_CONFLICT')
    const agent = `createAgent(input: { name: "x", routingProfileId: "${id}" }) { agentId }`
    const { errors } = await tryMutation(agent)
    expect(errors[0]!.extensions).toMatchObject({
      code: 'ROUTING_PROFILE_NOT_FOUND',
      status: 422,
      errors: [{ pointer: '/routingProfileId' }],
    })
  })

  test('permits only one of archiving a profile and concurrently creating an agent with it', async () => {
    const id = await profileIn('inactive')
    const [archived, agent] = await Promise.all([
      doesProfile('archiveRoutingProfile', id),
      tryMutation(`createAgent(input: { name: "x", routingProfileId: "${id}" }) { agentId }`),
    ])
    expect([archived.code, agent.code].filter((code) => code === undefined)).toHaveLength(1)
  })
})
