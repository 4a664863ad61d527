import { HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { eventually } from '../../kit/platform.ts'
import { ada, aPublishingBank, otherClient, type PublishingBank } from './kit.ts'
import { aFloodingReceiver, aReceiver, type Receiver } from './receiver.ts'

let bank: PublishingBank
const open: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  bank = await aPublishingBank()
  await bank.subscribe()
})
afterAll(async () => {
  await bank.drop()
  for (const each of open) await each.close()
})

async function startReceiver(...args: Parameters<typeof aReceiver>): Promise<Receiver> {
  const made = await aReceiver(...args)
  open.push(made)
  return made
}

const remove = (endpointId: string) =>
  bank.execute('mutation ($id: ID!) { deleteWebhookEndpoint(endpointId: $id) { status } }', {
    id: endpointId,
  })
const count = (subject: string, { got }: Receiver) =>
  got.filter(({ event }) => event.subject === `thing/${subject}`).length

describe('Webhook message', () => {
  test('is a CloudEvent with a Standard Webhooks signature', async () => {
    const receiver = await startReceiver()
    const { endpointId, secret } = await bank.register(receiver.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await bank.emit('one', { name: 'Zoë', amountMinor: 12n })
    await bank.settled(endpointId)
    expect(receiver.got).toHaveLength(1)
    const { headers, body } = receiver.got[0]!
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(/signature/)
    const event = HTTP.toEvent({ headers, body }) as any
    expect(event.validate()).toBe(true)
    expect(event).toMatchObject({
      specversion: '1.0',
      type: 'tests.thing.happened',
      source: '/banking/tests',
      subject: 'thing/one',
      sequence: '1',
      data: { name: 'Zoë', amountMinor: '12' },
    })
    expect(headers['webhook-id']).toBe(event.id)
    const [delivery] = await bank.deliveries(endpointId)
    expect(delivery).toMatchObject({
      status: 'DELIVERED',
      position: event.position,
      nextAt: null,
      event: { eventId: event.id },
      attempts: [{ number: 1, statusCode: 204, error: null }],
    })
    await remove(endpointId)
  })

  test('has no data in thin mode and is sent only for events that match the filter', async () => {
    const receiver = await startReceiver()
    const thin = { caller: { ...otherClient.caller, clientId: 'thin-client' } }
    await bank.subscribe({ payloadMode: 'THIN', filter: { partyId: 'pty_1' } }, thin)
    await bank.subscribe({ payloadMode: 'THIN', filter: { customerId: 'cus_1' } }, thin)
    await bank.subscribe({ payloadMode: 'THIN', filter: { subject: 'thing/three' } }, thin)
    const { endpointId } = await bank.register(receiver.url, thin)
    await bank.emit('nobody')
    await bank.emit('party', {}, 'tests.thing.ended', ['pty_1'])
    await bank.emit('customer', { customerId: 'cus_1' })
    await bank.emit('three')
    await eventually(() => receiver.got.length === 3)
    const received = new Set(receiver.got.map(({ event }) => event.subject))
    expect(received).toEqual(new Set(['thing/customer', 'thing/party', 'thing/three']))
    for (const { event } of receiver.got) expect(event).not.toHaveProperty('data')
    const own = await bank.deliveries(endpointId, thin)
    expect(own.map(({ event }) => event.subjectId)).not.toContain('thing/nobody')
  })

  test('is sent once to each endpoint, whatever number of subscriptions match', async () => {
    const client = { caller: { ...otherClient.caller, clientId: 'two-endpoints' } }
    await bank.subscribe({}, client)
    await bank.subscribe({ eventType: 'tests.thing.happened' }, client)
    await bank.subscribe({ eventType: '*', payloadMode: 'THIN' }, client)
    const [first, second] = [await startReceiver(), await startReceiver()]
    const { endpointId } = await bank.register(first.url, client)
    await bank.register(second.url, client)
    await bank.emit('twice', { is: 'full' })
    await eventually(() => count('twice', first) + count('twice', second) >= 2)
    expect([count('twice', first), count('twice', second)]).toEqual([1, 1])
    expect(first.got.find(({ event }) => event.subject === 'thing/twice')!.event.data).toEqual({
      is: 'full',
    })
    const own = await bank.deliveries(endpointId, client)
    const delivery = own.find(({ event }) => event.subjectId === 'thing/twice')
    expect(delivery.subscriptionIds).toHaveLength(3)
  })
})

describe('Responses of a webhook receiver', () => {
  test('does not follow a redirect', async () => {
    const elsewhere = await startReceiver()
    const receiver = await startReceiver((_got, response) =>
      response.writeHead(307, { location: elsewhere.url }).end('moved'),
    )
    const { endpointId } = await bank.register(receiver.url)
    await bank.emit('moved')
    const [delivery] = await bank.settled(endpointId)
    expect(delivery).toMatchObject({
      status: 'RETRYING',
      attempts: [{ statusCode: 307, response: 'moved' }],
    })
    expect(elsewhere.got).toEqual([])
    await remove(endpointId)
  })

  test('suspends deliveries to the endpoint for the time of Retry-After with 429', async () => {
    const receiver = await startReceiver((_got, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end(),
    )
    const { endpointId } = await bank.register(receiver.url)
    await bank.emit('busy')
    const [delivery] = await bank.settled(endpointId)
    const inAnHour = new Date(bank.bank.now().getTime() + 3_600_000).toISOString()
    expect(delivery).toMatchObject({ status: 'RETRYING', nextAt: inAnHour })
    expect((await bank.endpoint(endpointId)).heldUntil).toBe(inAnHour)
    receiver.answer((_got, response) => response.writeHead(200).end())
    await bank.emit('later')
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(receiver.got).toHaveLength(1)
    bank.clock.advance(3_600_000)
    const after = await bank.settled(endpointId)
    expect(after.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED'])
    expect((await bank.endpoint(endpointId)).heldUntil).toBeNull()
    await remove(endpointId)
  })

  test.each([
    [
      'a second response',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
      200,
    ],
    ['a response that never ends', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nwell', 200],
    ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', null],
    ['a NUL byte in the body', 'HTTP/1.1 400 No\r\ncontent-length: 1\r\n\r\n\0', 400],
    ['a body of 10 MB', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(10_000_000)}`, 200],
  ])('decides by the status line only: %s', async (_what, bytes, statusCode) => {
    const floodingReceiver = await aFloodingReceiver((socket) => socket.write(bytes))
    open.push(floodingReceiver)
    const { endpointId } = await bank.register(floodingReceiver.url)
    await bank.emit('babble')
    const [{ status, attempts }] = (await bank.settled(endpointId)) as [any]
    expect(status).toBe(statusCode === 200 ? 'DELIVERED' : 'RETRYING')
    expect(attempts).toMatchObject([{ statusCode }])
    expect((attempts[0].response ?? '').length).toBeLessThanOrEqual(1024)
    expect(floodingReceiver.hits()).toBe(1)
    await remove(endpointId)
  })

  test('records a refused connection as ECONNREFUSED', async () => {
    const gone = await aReceiver()
    await gone.close()
    const { endpointId } = await bank.register(gone.url)
    await bank.emit('nobody-home')
    const [delivery] = await bank.settled(endpointId)
    expect(delivery.attempts).toMatchObject([{ statusCode: null, error: 'ECONNREFUSED' }])
    await remove(endpointId)
  })

  test('does not delay other endpoints when one never responds', async () => {
    const slow = await startReceiver(() => undefined)
    const quick = await startReceiver()
    const [stuck, { endpointId }] = [await bank.register(slow.url), await bank.register(quick.url)]
    const things = Array.from({ length: 40 }, (_, at) => `busy-${at}`)
    await Promise.all(things.map((thing) => bank.emit(thing)))
    await eventually(() => quick.got.length === 40)
    // At most four requests to one endpoint are in flight. The quick one did not wait until they
    // timed out, or more would have followed.
    expect(slow.got.length).toBe(4)
    await Promise.all([remove(stuck.endpointId), remove(endpointId)])
  })
})

test('sends first attempts in the order of events per subject, despite failures and retries', async () => {
  const client = { caller: { ...otherClient.caller, clientId: 'ordered' } }
  await bank.subscribe({}, client)
  let failing = true
  const receiver = await startReceiver(async (_got, response) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    response.writeHead(failing && Math.random() < 0.3 ? 500 : 200).end()
  })
  const { endpointId } = await bank.register(receiver.url, client)
  const subjects = ['a', 'b', 'c', 'd', 'e']
  for (let at = 0; at < 12; at++) {
    for (const subject of subjects) await bank.emit(`order-${subject}`, { at })
  }
  const done = () =>
    bank.rows(
      `select count(*)::int as open from events.delivery where endpoint_id = $1 and status <> 'delivered'`,
      [endpointId],
    )
  await eventually(() => new Set(receiver.got.map(({ event }) => event.id)).size === 60)
  failing = false
  await eventually(async () => {
    bank.clock.advance(600_000)
    return (await done())[0]!['open'] === 0
  })
  const seen = new Set<string>()
  const firsts = receiver.got.filter(({ event }) => !seen.has(event.id) && seen.add(event.id))
  expect(firsts).toHaveLength(60)
  for (const subject of subjects) {
    const own = firsts.filter(({ event }) => event.subject === `thing/order-${subject}`)
    expect(own.map(({ event }) => event.data.at)).toEqual(Array.from({ length: 12 }, (_, at) => at))
    expect(own.map(({ event }) => Number(event.sequence))).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
  }
  // Make sure that some attempts failed and were retried.
  expect(receiver.got.length).toBeGreaterThan(60)
})

test('hides endpoints and deliveries from other clients and delegated users', async () => {
  const receiver = await startReceiver()
  const { endpointId } = await bank.register(receiver.url)
  await bank.emit('secret')
  const [{ deliveryId }] = (await bank.settled(endpointId)) as [any]
  const read = 'query ($id: ID!) { webhookEndpoint(endpointId: $id) { url } }'
  const readDelivery = 'query ($id: ID!) { webhookDelivery(deliveryId: $id) { status } }'
  for (const options of [otherClient, ada]) {
    expectAbsent(await bank.execute(read, { id: endpointId }, options))
    expectAbsent(await bank.execute(readDelivery, { id: deliveryId }, options))
    const keys = [
      { __typename: 'WebhookEndpoint', endpointId },
      { __typename: 'WebhookDelivery', deliveryId },
    ]
    const entities = `query ($keys: [_Any!]!) { _entities(representations: $keys) { __typename } }`
    expect((await bank.execute(entities, { keys }, options)).data._entities).toEqual([null, null])
  }
  expect((await bank.execute(readDelivery, { id: deliveryId })).data.webhookDelivery.status).toBe(
    'DELIVERED',
  )
  const list = '{ webhookEndpoints { nodes { endpointId } } }'
  expect((await bank.execute(list, {}, otherClient)).data.webhookEndpoints.nodes).toEqual([])
  expect((await bank.execute(list, {}, ada)).code).toBe('NOT_FOR_DELEGATED_USERS')
  await remove(endpointId)
})
