import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../kit/platform.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'
import { aReceiver } from './receiver.ts'
import { aClient as makeClient, answering, daysMs, type Client } from './clients.ts'

let bank: PublishingBank
const open: Client[] = []
beforeAll(async () => {
  bank = await aPublishingBank()
})
afterAll(async () => {
  await bank.drop()
  for (const { dependencies: receiver } of open) await receiver.close()
})

async function aClient(...args: Parameters<typeof makeClient>): Promise<Client> {
  const client = await makeClient(...args)
  open.push(client)
  return client
}

test('disables an endpoint that responds 410, and its subscription, until they are enabled again', async () => {
  const client = await aClient(bank, answering(410))
  await bank.emit('gone')
  const [delivery] = await client.settled()
  expect(delivery).toMatchObject({ status: 'RETRYING', attempts: [{ statusCode: 410 }] })
  const read = `query ($e: ID!, $s: ID!) { webhookEndpoint(endpointId: $e) { status statusReason }
    eventSubscription(subscriptionId: $s) { status } }`
  const ids = { e: client.endpointId, s: client.subscriptionId }
  const state = async () => (await bank.execute(read, ids, client.options)).data
  await eventually(async () => (await state()).webhookEndpoint.status === 'DISABLED')
  expect(await state()).toEqual({
    webhookEndpoint: { status: 'DISABLED', statusReason: 'GONE' },
    eventSubscription: { status: 'DISABLED' },
  })
  const [domainEvent] = await bank.domainEvent('events.endpoint.disabled')
  expect(domainEvent.data).toMatchObject({ endpointId: client.endpointId, statusReason: 'gone' })
  expect(await bank.domainEvent('events.subscription.disabled')).toMatchObject([
    { data: { subscriptionId: client.subscriptionId, status: 'disabled' } },
  ])
  expect((await client.does('testWebhookEndpoint')).code).toBe('STATE_CONFLICT')
  // The endpoint is enabled again: its pending delivery is sent once it is due.
  client.dependencies.answer(answering(200))
  bank.clock.advance(daysMs(1))
  await client.does('enableWebhookEndpoint')
  await client.does('resumeEventSubscription', { subscriptionId: client.subscriptionId })
  await bank.emit('back')
  const after = await client.settled()
  expect(after.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED'])
})

test('disables an endpoint that has failed for five days', async () => {
  const client = await aClient(bank, answering(500))
  await bank.emit('failing')
  await client.settled()
  const isDisabled = async () => {
    const { data } = await bank.execute(
      'query ($id: ID!) { webhookEndpoint(endpointId: $id) { status statusReason } }',
      { id: client.endpointId },
      client.options,
    )
    return data.webhookEndpoint.status === 'DISABLED' && data.webhookEndpoint.statusReason
  }
  bank.clock.advance(daysMs(4.9))
  await bank.emit('failing-again')
  await client.settled()
  expect(await isDisabled()).toBe(false)
  bank.clock.advance(daysMs(0.2))
  await client.settled()
  expect(await eventually(isDisabled)).toBe('FAILING')
})

test('resets the count of failures after a success', async () => {
  const client = await aClient(bank, (_got, response, nth) =>
    response.writeHead(nth < 3 ? 500 : 200).end(),
  )
  const health = async () => {
    const { data } = await bank.execute(
      'query ($id: ID!) { webhookEndpoint(endpointId: $id) { failures failingSince } }',
      { id: client.endpointId },
      client.options,
    )
    return data.webhookEndpoint
  }
  await bank.emit('shaky')
  await client.settled()
  expect(await health()).toMatchObject({ failures: 1, failingSince: bank.bank.now().toISOString() })
  bank.clock.advance(600_000)
  await client.settled()
  expect(await health()).toMatchObject({ failures: 2 })
  bank.clock.advance(600_000)
  await client.settled()
  expect(await health()).toEqual({ failures: 0, failingSince: null })
})

test.each([
  ['is disabled', { isDisabled: true, scopes: ['events:subscribe'] }],
  ['may not subscribe any more', { isDisabled: false, scopes: ['events:read'] }],
])(
  'sends nothing to a client that %s; it misses the events emitted meanwhile',
  async (_, published) => {
    const [client, other] = [await aClient(bank, answering(503)), await aClient(bank)]
    const publish = (data: object) =>
      bank.rows(
        `insert into kernel.fact values ('oauth-client/' || $1, 1, $2)
       on conflict (subject) do update set data = excluded.data`,
        [client.options.caller.clientId, JSON.stringify(data)],
      )
    await publish({ isDisabled: false, scopes: ['events:subscribe'] })
    await bank.emit('held')
    await client.settled()
    client.dependencies.answer(answering(200))
    await publish(published)
    bank.clock.advance(daysMs(1))
    await bank.emit('untold')
    await eventually(async () => other.dependencies.got.length === 2)
    await other.settled()
    expect(client.dependencies.got).toHaveLength(1)
    await publish({ isDisabled: false, scopes: ['events:subscribe'] })
    const deliveries = await client.settled()
    expect(deliveries.map(({ status }) => status)).toEqual(['DELIVERED'])
  },
)

describe('Dead letters', () => {
  let client: Client
  test('gives up a delivery after ten attempts and emits an event', async () => {
    client = await aClient(bank, answering(503))
    const healthy = await aReceiver()
    const other = await bank.register(healthy.url, client.options)
    await bank.emit('dead')
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [delivery] = await client.settled()
      expect(delivery.attempts).toHaveLength(attempt)
      expect(delivery.status).toBe(attempt < 10 ? 'RETRYING' : 'DEAD_LETTERED')
      bank.clock.advance(daysMs(1.2))
      // Keeps the endpoint from being disabled for failing: it is assumed to have worked at times.
      await bank.rows(
        'update events.endpoint set failing_since = null, failures = 0 where endpoint_id = $1',
        [client.endpointId],
      )
    }
    const [domainEvent] = await bank.domainEvent('events.delivery.dead-lettered')
    expect(domainEvent.data).toMatchObject({
      endpointId: client.endpointId,
      eventType: 'tests.thing.happened',
      attempts: 10,
      lastStatusCode: 503,
    })
    expect(healthy.got.length).toBeGreaterThan(0)
    await healthy.close()
    await client.does('deleteWebhookEndpoint', { endpointId: other.endpointId })
  })

  test('replays all failed deliveries, each once, and no delivered ones', async () => {
    client.dependencies.answer(answering(200))
    await bank.emit('alive')
    await client.settled()
    const before = client.dependencies.got.length
    const input = { endpointId: client.endpointId, allFailed: true }
    const { data } = await client.does('replayWebhookDeliveries', { input })
    expect(data.answer).toEqual({ planned: 1, nextPosition: null })
    const deliveries = await client.settled()
    expect(client.dependencies.got.length).toBe(before + 1)
    expect(deliveries[0]).toMatchObject({ status: 'DELIVERED' })
    expect(deliveries[0].attempts).toHaveLength(11)
    const again = await client.does('replayWebhookDeliveries', { input })
    expect(again.data.answer.planned).toBe(0)
  })
})

test('sends a test event only to its endpoint, whatever other clients subscribe to', async () => {
  const [one, other] = [await aClient(bank), await aClient(bank)]
  await bank.subscribe({ eventType: '*' }, other.options)
  await one.does('testWebhookEndpoint')
  await one.settled()
  await other.settled()
  const tests = ({ dependencies: receiver }: Client) =>
    receiver.got.filter(({ event }) => event.type === 'events.endpoint.tested').length
  expect([tests(one), tests(other)]).toEqual([1, 0])
})

test('deletes finished deliveries and their attempts after 30 days', async () => {
  const client = await aClient(bank)
  await bank.emit('old')
  await client.settled()
  const { deleteOldDeliveries } = await import('../../../subgraphs/events/delivery/planner.ts')
  const { bankContext } = await import('../../../kernel/work/worker.ts')
  bank.clock.advance(daysMs(29))
  await deleteOldDeliveries.run(bankContext(bank.bank))
  expect(await bank.deliveries(client.endpointId, client.options)).toHaveLength(1)
  bank.clock.advance(daysMs(2))
  await deleteOldDeliveries.run(bankContext(bank.bank))
  expect(await bank.deliveries(client.endpointId, client.options)).toEqual([])
  const [row] = await bank.rows(
    'select count(*)::int as left from events.attempt a where not exists (select from events.delivery d where d.delivery_id = a.delivery_id)',
  )
  expect(row!['left']).toBe(0)
})
