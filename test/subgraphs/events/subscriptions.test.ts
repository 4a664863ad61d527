import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { events } from '../../../subgraphs/events/index.ts'
import {
  subscriptionActs,
  subscriptionMoves,
  subscriptionStatuses,
} from '../../../subgraphs/events/domain/subscription.ts'
import {
  aCaller,
  aSubgraph,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(events)
})
afterAll(() => bank.drop())

const create = (input: object, options: ExecuteOptions = {}) =>
  bank.execute(
    `mutation ($input: CreateEventSubscriptionInput!) { answer: createEventSubscription(input: $input) {
      subscriptionId eventType status payloadMode description filter { partyId customerId subject } } }`,
    { input: { eventType: 'events.*', ...input } },
    options,
  )
const act = (name: string, id: string, options: ExecuteOptions = {}) =>
  bank.execute(
    `mutation ($id: ID!) { answer: ${name}EventSubscription(subscriptionId: $id) { status } }`,
    { id },
    options,
  )
const client = (clientId: string) => ({ caller: aCaller({ clientId }) })
const ada = { caller: aCaller({ partyId: 'pty_ada' }) }

describe('a subscription', () => {
  test('needs no more than a type, and is told', async () => {
    const { data, errors } = await create({ eventType: 'events.subscription.created' })
    expect(errors).toEqual([])
    expect(data.answer).toMatchObject({
      eventType: 'events.subscription.created',
      status: 'ACTIVE',
      payloadMode: 'FULL',
      filter: { partyId: null, customerId: null, subject: null },
    })
    const { subscriptionId } = data.answer
    expect(subscriptionId).toMatch(/^sub_/)
    const told = (await bank.events()).at(-1)!
    expect(told).toMatchObject({
      type: 'events.subscription.created',
      subject: `subscription/${subscriptionId}`,
      data: { subscriptionId, clientId: 'test-client', status: 'active' },
      parties: [],
    })
  })

  test.each(['events.*', '*', 'events.endpoint.tested'])('hears %s', async (eventType) => {
    expect((await create({ eventType })).errors).toEqual([])
  })

  test.each([
    ['events.subscription.create', 'events.subscription.created'],
    ['nothing.*', 'events.endpoint.tested'],
    ['events', 'events.endpoint.deleted'],
    ['events.subscription.*.x', 'events.subscription.paused'],
  ])('to %s is refused with the closest names', async (eventType) => {
    const { errors } = await create({ eventType })
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'UNKNOWN_EVENT_TYPE',
          errors: [
            { pointer: '/eventType', allowed: expect.arrayContaining([expect.any(String)]) },
          ],
        },
      },
    ])
    if (eventType === 'events.subscription.create') {
      const fault = (errors[0]!.extensions!['errors'] as any)[0]
      expect(fault.allowed[0]).toBe('events.subscription.created')
    }
  })

  test('starts active or paused, in any letter case, and as nothing else', async () => {
    expect((await create({ status: 'PAUSED' })).data.answer.status).toBe('PAUSED')
    for (const status of ['disabled', 'deleted', 'sleeping']) {
      const { errors } = await create({ status })
      expect(errors).toMatchObject([
        {
          extensions: {
            code: 'INVALID_INITIAL_STATUS',
            allowedStates: ['active', 'paused'],
            errors: [{ pointer: '/status' }],
          },
        },
      ])
    }
  })

  test('of one id is there once', async () => {
    const input = { subscriptionId: 'sub_own', eventType: '*' }
    const first = await create(input)
    expect((await create(input)).data).toEqual(first.data)
    const told = (await bank.events()).filter(({ subject }) => subject === 'subscription/sub_own')
    expect(told).toHaveLength(1)
    const other = { ...input, eventType: 'events.*' }
    expect((await create(other)).code).toBe('SUBSCRIPTION_ALREADY_EXISTS')
    expect((await create(input, client('another'))).code).toBe('SUBSCRIPTION_ALREADY_EXISTS')
  })

  test('under one key is made once', async () => {
    const options = { idempotencyKey: 'subscribe-1' }
    const first = await create({ description: 'Once.' }, options)
    const second = await create({ description: 'Once.' }, options)
    expect(second.data).toEqual(first.data)
    expect(second.isReplayed).toBe(true)
    expect((await create({ description: 'Twice.' }, options)).code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is one of a hundred at most, also of those that come at once; deleted ones leave room', async () => {
    const many = client('many')
    for (let at = 0; at < 98; at++) await create({ subscriptionId: `sub_many_${at}` }, many)
    const last = await Promise.all([1, 2, 3, 4, 5].map(() => create({}, many)))
    expect(last.filter(({ errors }) => errors.length === 0)).toHaveLength(2)
    expect(last.map(({ code }) => code).filter(Boolean)).toEqual(
      Array(3).fill('SUBSCRIPTION_LIMIT_REACHED'),
    )
    await act('delete', 'sub_many_0', many)
    expect((await create({}, many)).errors).toEqual([])
    expect((await create({}, many)).code).toBe('SUBSCRIPTION_LIMIT_REACHED')
    expect((await create({})).errors).toEqual([])
  })
})

const clientActs = ['pause', 'resume', 'delete'] as const
test.each(
  subscriptionStatuses.flatMap((status) => clientActs.map((name) => [name, status] as const)),
)('%s when %s', async (name, status) => {
  const { subscriptionId } = (await create({})).data.answer
  await bank.rows('update events.subscription set status = $2 where subscription_id = $1', [
    subscriptionId,
    status,
  ])
  const everything = async () => [
    await bank.rows('select * from events.subscription order by subscription_id'),
    await bank.rows('select * from events.client order by client_id'),
    (await bank.events()).length,
  ]
  const before = await everything()
  const { data, errors } = await act(name, subscriptionId)
  const to = subscriptionActs[name]
  if (subscriptionMoves[status].some((allowed) => allowed === to)) {
    expect(data.answer.status).toBe(to.toUpperCase())
    const told = { pause: 'paused', resume: 'resumed', delete: 'deleted' }[name]
    expect((await bank.events()).at(-1)).toMatchObject({
      type: `events.subscription.${told}`,
      subject: `subscription/${subscriptionId}`,
    })
    return
  }
  expect(errors).toMatchObject([
    {
      extensions: {
        code: 'INVALID_STATE_TRANSITION',
        currentState: status,
        allowedStates: subscriptionMoves[status],
      },
    },
  ])
  expect(await everything()).toEqual(before)
})

describe('rights', () => {
  const read = 'query ($id: ID!) { eventSubscription(subscriptionId: $id) { subscriptionId } }'

  test('another client, and a delegated user, find nothing', async () => {
    const { subscriptionId: id } = (await create({})).data.answer
    expect((await bank.execute(read, { id })).data.eventSubscription.subscriptionId).toBe(id)
    for (const options of [client('stranger'), ada]) {
      expectAbsent(await bank.execute(read, { id }, options))
      const keys = [{ __typename: 'EventSubscription', subscriptionId: id }]
      const entities =
        'query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename } }'
      expect((await bank.execute(entities, { keys }, options)).data._entities).toEqual([null])
    }
    for (const name of clientActs) {
      expect((await act(name, id, client('stranger'))).code).toBe('SUBSCRIPTION_NOT_FOUND')
      expect((await act(name, id, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    expect((await create({}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  })

  test('each scope is needed', async () => {
    const reader = { caller: aCaller({ scopes: ['events:read'] }) }
    const writer = { caller: aCaller({ scopes: ['events:subscribe'] }) }
    expect((await create({}, reader)).code).toBe('INSUFFICIENT_SCOPE')
    expect((await bank.execute(read, { id: 'sub_own' }, writer)).code).toBe('INSUFFICIENT_SCOPE')
  })

  test('a list has the client’s own, page by page, and deleted ones when asked for', async () => {
    const lister = client('lister')
    for (const id of ['l_1', 'l_2', 'l_3']) await create({ subscriptionId: id }, lister)
    await act('delete', 'l_2', lister)
    const list = `query ($status: EventSubscriptionStatus, $after: String) {
      eventSubscriptions(status: $status, first: 1, after: $after) {
        nodes { subscriptionId } pageInfo { hasNextPage endCursor } } }`
    const seen: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { data } = await bank.execute(list, { after }, lister)
      seen.push(...data.eventSubscriptions.nodes.map((node: any) => node.subscriptionId))
      ;({ hasNextPage: more, endCursor: after } = data.eventSubscriptions.pageInfo)
    }
    expect(seen).toEqual(['l_1', 'l_3'])
    const { data } = await bank.execute(list, { status: 'DELETED' }, lister)
    expect(data.eventSubscriptions.nodes).toEqual([{ subscriptionId: 'l_2' }])
    expect((await bank.execute(list, {}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  })
})
