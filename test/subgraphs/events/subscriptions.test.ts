import { SubscriptionStatus } from '../../../subgraphs/events/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { events } from '../../../subgraphs/events/index.ts'
import {
  subscriptionActions,
  subscriptionTransitions,
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
const changeStatus = (name: string, id: string, options: ExecuteOptions = {}) =>
  bank.execute(
    `mutation ($id: ID!) { answer: ${name}EventSubscription(subscriptionId: $id) { status } }`,
    { id },
    options,
  )
const client = (clientId: string) => ({ caller: aCaller({ clientId }) })
const ada = { caller: aCaller({ partyId: 'pty_ada' }) }

describe('Event subscription', () => {
  test('requires only an event type and emits an event when it is created', async () => {
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
    const event = (await bank.events()).at(-1)!
    expect(event).toMatchObject({
      type: 'events.subscription.created',
      subject: `subscription/${subscriptionId}`,
      data: { subscriptionId, clientId: 'test-client', status: 'active' },
      parties: [],
    })
  })

  test.each(['events.*', '*', 'events.endpoint.tested'])('accepts %s', async (eventType) => {
    expect((await create({ eventType })).errors).toEqual([])
  })

  test.each([
    ['events.subscription.create', 'events.subscription.created'],
    ['event.*', 'events.*'],
    ['events', 'events.endpoint.deleted'],
    ['events.subscription.*.x', 'events.subscription.paused'],
  ])('rejects %s and suggests similar names', async (eventType, suggestion) => {
    const { errors } = await create({ eventType })
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'UNKNOWN_EVENT_TYPE',
          errors: [{ pointer: '/eventType', allowed: expect.arrayContaining([suggestion]) }],
        },
      },
    ])
    if (eventType === 'events.subscription.create') {
      const fault = (errors[0]!.extensions!['errors'] as any)[0]
      expect(fault.allowed[0]).toBe('events.subscription.created')
    }
  })

  test('starts as active or paused and rejects other initial statuses', async () => {
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

  test('is idempotent by id', async () => {
    const input = { subscriptionId: 'sub_own', eventType: '*' }
    const first = await create(input)
    expect((await create(input)).data).toEqual(first.data)
    const published = (await bank.events()).filter(
      ({ subject }) => subject === 'subscription/sub_own',
    )
    expect(published).toHaveLength(1)
    const other = { ...input, eventType: 'events.*' }
    expect((await create(other)).code).toBe('SUBSCRIPTION_ALREADY_EXISTS')
    expect((await create(input, client('another'))).code).toBe('SUBSCRIPTION_ALREADY_EXISTS')
  })

  test('is idempotent by idempotency key', async () => {
    const options = { idempotencyKey: 'subscribe-1' }
    const first = await create({ description: 'Once.' }, options)
    const second = await create({ description: 'Once.' }, options)
    expect(second.data).toEqual(first.data)
    expect(second.isReplayed).toBe(true)
    expect((await create({ description: 'Twice.' }, options)).code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('is limited to 100 per client, also under concurrency; deleted ones do not count', async () => {
    const many = client('many')
    for (let at = 0; at < 98; at++) await create({ subscriptionId: `sub_many_${at}` }, many)
    const last = await Promise.all([1, 2, 3, 4, 5].map(() => create({}, many)))
    expect(last.filter(({ errors }) => errors.length === 0)).toHaveLength(2)
    expect(last.map(({ code }) => code).filter(Boolean)).toEqual(
      Array(3).fill('SUBSCRIPTION_LIMIT_REACHED'),
    )
    await changeStatus('delete', 'sub_many_0', many)
    expect((await create({}, many)).errors).toEqual([])
    expect((await create({}, many)).code).toBe('SUBSCRIPTION_LIMIT_REACHED')
    expect((await create({})).errors).toEqual([])
  })
})

const clientActions = ['pause', 'resume', 'delete'] as const
test.each(
  SubscriptionStatus.values.flatMap((status) =>
    clientActions.map((name) => [name, status] as const),
  ),
)('%s of a subscription with status %s', async (name, status) => {
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
  const { data, errors } = await changeStatus(name, subscriptionId)
  const to = subscriptionActions[name]
  if (subscriptionTransitions[status].some((allowed) => allowed === to)) {
    expect(data.answer.status).toBe(to.toUpperCase())
    const verb = { pause: 'paused', resume: 'resumed', delete: 'deleted' }[name]
    expect((await bank.events()).at(-1)).toMatchObject({
      type: `events.subscription.${verb}`,
      subject: `subscription/${subscriptionId}`,
    })
    return
  }
  expect(errors).toMatchObject([
    {
      extensions: {
        code: 'INVALID_STATE_TRANSITION',
        currentState: status,
        allowedStates: subscriptionTransitions[status],
      },
    },
  ])
  expect(await everything()).toEqual(before)
})

describe('Access to event subscriptions', () => {
  const read = 'query ($id: ID!) { eventSubscription(subscriptionId: $id) { subscriptionId } }'

  test('hides a subscription from other clients and delegated users', async () => {
    const { subscriptionId: id } = (await create({})).data.answer
    expect((await bank.execute(read, { id })).data.eventSubscription.subscriptionId).toBe(id)
    for (const options of [client('stranger'), ada]) {
      expectAbsent(await bank.execute(read, { id }, options))
      const keys = [{ __typename: 'EventSubscription', subscriptionId: id }]
      const entities =
        'query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename } }'
      expect((await bank.execute(entities, { keys }, options)).data._entities).toEqual([null])
    }
    for (const name of clientActions) {
      expect((await changeStatus(name, id, client('stranger'))).code).toBe('SUBSCRIPTION_NOT_FOUND')
      expect((await changeStatus(name, id, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    expect((await create({}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  })

  test('requires a scope for reading and one for writing', async () => {
    const reader = { caller: aCaller({ scopes: ['events:read'] }) }
    const writer = { caller: aCaller({ scopes: ['events:subscribe'] }) }
    expect((await create({}, reader)).code).toBe('INSUFFICIENT_SCOPE')
    expect((await bank.execute(read, { id: 'sub_own' }, writer)).code).toBe('INSUFFICIENT_SCOPE')
  })

  test('lists the client’s own subscriptions in pages, deleted ones only on request', async () => {
    const lister = client('lister')
    for (const id of ['l_1', 'l_2', 'l_3']) await create({ subscriptionId: id }, lister)
    await changeStatus('delete', 'l_2', lister)
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
