import { HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { eventually } from '../../kit/platform.ts'
import { ada, aTeller, otherClient, type Teller } from './kit.ts'
import { aBabbler, aReceiver, type Receiver } from './receiver.ts'

let bank: Teller
const open: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  bank = await aTeller()
  await bank.subscribe()
})
afterAll(async () => {
  await bank.drop()
  for (const each of open) await each.close()
})

async function receiver(...args: Parameters<typeof aReceiver>): Promise<Receiver> {
  const made = await aReceiver(...args)
  open.push(made)
  return made
}

const forget = (endpointId: string) =>
  bank.execute('mutation ($id: ID!) { deleteWebhookEndpoint(endpointId: $id) { status } }', {
    id: endpointId,
  })
const count = (subject: string, { got }: Receiver) =>
  got.filter(({ event }) => event.subject === `thing/${subject}`).length

describe('a webhook', () => {
  test('is a CloudEvent, signed as Standard Webhooks says', async () => {
    const shop = await receiver()
    const { endpointId, secret } = await bank.register(shop.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await bank.tell('one', { name: 'Zoë', amountMinor: 12n })
    await bank.settled(endpointId)
    expect(shop.got).toHaveLength(1)
    const { headers, body } = shop.got[0]!
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
    await forget(endpointId)
  })

  test('of a thin subscription carries no data, of a filtered one only what fits', async () => {
    const shop = await receiver()
    const thin = { caller: { ...otherClient.caller, clientId: 'thin-client' } }
    await bank.subscribe({ payloadMode: 'THIN', filter: { partyId: 'pty_1' } }, thin)
    await bank.subscribe({ payloadMode: 'THIN', filter: { customerId: 'cus_1' } }, thin)
    await bank.subscribe({ payloadMode: 'THIN', filter: { subject: 'thing/three' } }, thin)
    const { endpointId } = await bank.register(shop.url, thin)
    await bank.tell('nobody')
    await bank.tell('party', {}, 'tests.thing.ended', ['pty_1'])
    await bank.tell('customer', { customerId: 'cus_1' })
    await bank.tell('three')
    await eventually(() => shop.got.length === 3)
    const heard = new Set(shop.got.map(({ event }) => event.subject))
    expect(heard).toEqual(new Set(['thing/customer', 'thing/party', 'thing/three']))
    for (const { event } of shop.got) expect(event).not.toHaveProperty('data')
    const own = await bank.deliveries(endpointId, thin)
    expect(own.map(({ event }) => event.subjectId)).not.toContain('thing/nobody')
  })

  test('reaches each endpoint of its client once, however many subscriptions want it', async () => {
    const client = { caller: { ...otherClient.caller, clientId: 'two-endpoints' } }
    await bank.subscribe({}, client)
    await bank.subscribe({ eventType: 'tests.thing.happened' }, client)
    await bank.subscribe({ eventType: '*', payloadMode: 'THIN' }, client)
    const [first, second] = [await receiver(), await receiver()]
    const { endpointId } = await bank.register(first.url, client)
    await bank.register(second.url, client)
    await bank.tell('twice', { is: 'full' })
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

describe('what a receiver may do', () => {
  test('redirect: it is not followed', async () => {
    const elsewhere = await receiver()
    const shop = await receiver((_got, response) =>
      response.writeHead(307, { location: elsewhere.url }).end('moved'),
    )
    const { endpointId } = await bank.register(shop.url)
    await bank.tell('moved')
    const [delivery] = await bank.settled(endpointId)
    expect(delivery).toMatchObject({
      status: 'RETRYING',
      attempts: [{ statusCode: 307, response: 'moved' }],
    })
    expect(elsewhere.got).toEqual([])
    await forget(endpointId)
  })

  test('ask to be left alone: nothing is sent to it meanwhile', async () => {
    const shop = await receiver((_got, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end(),
    )
    const { endpointId } = await bank.register(shop.url)
    await bank.tell('busy')
    const [delivery] = await bank.settled(endpointId)
    const inAnHour = new Date(bank.bank.now().getTime() + 3_600_000).toISOString()
    expect(delivery).toMatchObject({ status: 'RETRYING', nextAt: inAnHour })
    expect((await bank.endpoint(endpointId)).heldUntil).toBe(inAnHour)
    shop.answer((_got, response) => response.writeHead(200).end())
    await bank.tell('later')
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(shop.got).toHaveLength(1)
    bank.clock.advance(3_600_000)
    const after = await bank.settled(endpointId)
    expect(after.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED'])
    expect((await bank.endpoint(endpointId)).heldUntil).toBeNull()
    await forget(endpointId)
  })

  test.each([
    ['answers twice', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n', 200],
    ['never ends its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nwell', 200],
    ['says what is no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', null],
    ['answers NUL', 'HTTP/1.1 400 No\r\ncontent-length: 1\r\n\r\n\0', 400],
    ['goes on and on', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(10_000_000)}`, 200],
  ])('%s: it counts as it began', async (_what, bytes, statusCode) => {
    const babbler = await aBabbler((socket) => socket.write(bytes))
    open.push(babbler)
    const { endpointId } = await bank.register(babbler.url)
    await bank.tell('babble')
    const [{ status, attempts }] = (await bank.settled(endpointId)) as [any]
    expect(status).toBe(statusCode === 200 ? 'DELIVERED' : 'RETRYING')
    expect(attempts).toMatchObject([{ statusCode }])
    expect((attempts[0].response ?? '').length).toBeLessThanOrEqual(1024)
    expect(babbler.hits()).toBe(1)
    await forget(endpointId)
  })

  test('not be there', async () => {
    const gone = await aReceiver()
    await gone.close()
    const { endpointId } = await bank.register(gone.url)
    await bank.tell('nobody-home')
    const [delivery] = await bank.settled(endpointId)
    expect(delivery.attempts).toMatchObject([{ statusCode: null, error: 'ECONNREFUSED' }])
    await forget(endpointId)
  })

  test('be slow: it delays nobody but itself', async () => {
    const slow = await receiver(() => undefined)
    const quick = await receiver()
    const [stuck, { endpointId }] = [await bank.register(slow.url), await bank.register(quick.url)]
    const things = Array.from({ length: 40 }, (_, at) => `busy-${at}`)
    const started = performance.now()
    await Promise.all(things.map((thing) => bank.tell(thing)))
    await eventually(() => quick.got.length === 40)
    expect(performance.now() - started).toBeLessThan(2000)
    // Four are on their way to it, and the others wait for them.
    expect(slow.got.length).toBe(4)
    await Promise.all([forget(stuck.endpointId), forget(endpointId)])
  })
})

test('order: the first attempts of each subject are in the order of its events, come what may', async () => {
  const client = { caller: { ...otherClient.caller, clientId: 'ordered' } }
  await bank.subscribe({}, client)
  let failing = true
  const shop = await receiver(async (_got, response) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    response.writeHead(failing && Math.random() < 0.3 ? 500 : 200).end()
  })
  const { endpointId } = await bank.register(shop.url, client)
  const subjects = ['a', 'b', 'c', 'd', 'e']
  for (let at = 0; at < 12; at++) {
    for (const subject of subjects) await bank.tell(`order-${subject}`, { at })
  }
  const done = () =>
    bank.rows(
      `select count(*)::int as open from events.delivery where endpoint_id = $1 and status <> 'delivered'`,
      [endpointId],
    )
  await eventually(() => new Set(shop.got.map(({ event }) => event.id)).size === 60)
  failing = false
  await eventually(async () => {
    bank.clock.advance(600_000)
    return (await done())[0]!['open'] === 0
  })
  const seen = new Set<string>()
  const firsts = shop.got.filter(({ event }) => !seen.has(event.id) && seen.add(event.id))
  expect(firsts).toHaveLength(60)
  for (const subject of subjects) {
    const own = firsts.filter(({ event }) => event.subject === `thing/order-${subject}`)
    expect(own.map(({ event }) => event.data.at)).toEqual(Array.from({ length: 12 }, (_, at) => at))
    expect(own.map(({ event }) => Number(event.sequence))).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
  }
  // Something was tried again, or nothing was tested.
  expect(shop.got.length).toBeGreaterThan(60)
})

test('nobody sees the endpoints and deliveries of another client, and no delegated user any', async () => {
  const shop = await receiver()
  const { endpointId } = await bank.register(shop.url)
  await bank.tell('secret')
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
  await forget(endpointId)
})
