import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'
import { aClient as makeClient, type Client } from './clients.ts'

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

describe('Replay of webhook deliveries', () => {
  let client: Client
  let ids: string[]
  const replay = (choice: object) =>
    client.does('replayWebhookDeliveries', { input: { endpointId: client.endpointId, ...choice } })
  beforeAll(async () => {
    client = await aClient(bank)
    await bank.emit('r-1')
    await bank.emit('r-2')
    await client.does('pauseEventSubscription', { subscriptionId: client.subscriptionId })
    await client.settled()
    await bank.emit('r-3')
    await client.settled()
    await client.does('resumeEventSubscription', { subscriptionId: client.subscriptionId })
    const log = await bank.rows(
      "select event_id from kernel.event where subject like 'thing/r-%' order by position",
    )
    ids = log.map((row) => row['event_id'])
  })
  const got = () => client.dependencies.got.map(({ event }) => event.subject)

  test('sends a delivered event again by id, with the same webhook-id', async () => {
    expect((await replay({ eventIds: [ids[0]] })).data.answer.planned).toBe(1)
    const deliveries = await client.settled()
    expect(got().filter((subject) => subject === 'thing/r-1')).toHaveLength(2)
    expect(new Set(client.dependencies.got.map(({ headers }) => headers['webhook-id'])).size).toBe(
      2,
    )
    const repeated = deliveries.find(({ replayOf }) => replayOf !== null)
    const first = deliveries.find(({ deliveryId }) => deliveryId === repeated.replayOf)
    expect(first.event).toEqual(repeated.event)
    expect(repeated.status).toBe('DELIVERED')
  })

  test('sends events of a range, both missed while paused and delivered before', async () => {
    const [row] = await bank.rows('select position from kernel.event where event_id = $1', [ids[1]])
    const range = { after: String(BigInt(row!['position']) - 1n) }
    expect(got()).not.toContain('thing/r-3')
    expect((await replay({ range })).data.answer.planned).toBe(2)
    await client.settled()
    expect(got().filter((subject) => subject !== 'thing/r-1')).toEqual([
      'thing/r-2',
      'thing/r-2',
      'thing/r-3',
    ])
    expect((await replay({ range: { after: '0', upTo: '0' } })).data.answer.planned).toBe(0)
  })

  test('is idempotent by idempotency key', async () => {
    const input = { endpointId: client.endpointId, eventIds: [ids[2]] }
    const document = `mutation ($input: ReplayWebhookDeliveriesInput!) { replayWebhookDeliveries(input: $input) { planned } }`
    const options = { ...client.options, idempotencyKey: 'replay-1' }
    const before = client.dependencies.got.length
    const first = await bank.execute(document, { input }, options)
    const second = await bank.execute(document, { input }, options)
    expect([first.isReplayed, second.isReplayed]).toEqual([false, true])
    expect(second.data).toEqual(first.data)
    await client.settled()
    expect(client.dependencies.got.length).toBe(before + 1)
  })

  test('rejects unknown events, ambiguous input and endpoints of other clients', async () => {
    const faults = async (choice: object) => (await replay(choice)).errors[0]?.extensions
    expect(await faults({ eventIds: [ids[0], 'evt_nothing'] })).toMatchObject({
      code: 'EVENT_NOT_FOUND',
      errors: [{ pointer: '/eventIds/1' }],
    })
    for (const choice of [
      {},
      { allFailed: false },
      { allFailed: true, eventIds: [ids[0]] },
      { eventIds: [] },
    ]) {
      expect(await faults(choice)).toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    const foreign = { endpointId: client.endpointId, allFailed: true }
    const other = await aClient(bank)
    expect((await other.does('replayWebhookDeliveries', { input: foreign })).code).toBe(
      'WEBHOOK_ENDPOINT_NOT_FOUND',
    )
  })
})

describe('Webhook secrets', () => {
  test('signs with both secrets during the overlap of a rotation, then only with the new one', async () => {
    const client = await aClient(bank)
    const input = { endpointId: client.endpointId, overlapHours: 1 }
    const { data } = await client.does('rotateWebhookSecret', { input })
    expect(data.answer.endpoint.liveSecrets).toBe(2)
    const { secret: next } = data.answer
    expect(next).not.toBe(client.secret)
    await client.does('testWebhookEndpoint')
    await client.settled()
    const both = client.dependencies.got[0]!
    expect(both.event).toMatchObject({ type: 'events.endpoint.tested' })
    for (const secret of [client.secret, next]) {
      expect(new Webhook(secret).verify(both.body, both.headers)).toBeTruthy()
    }
    bank.clock.advance(3_600_000)
    await client.does('testWebhookEndpoint')
    await client.settled()
    const one = client.dependencies.got[1]!
    expect(new Webhook(next).verify(one.body, one.headers)).toBeTruthy()
    expect(() => new Webhook(client.secret).verify(one.body, one.headers)).toThrow()
  })

  test('returns a secret only to the first request and its replay, and does not store it in clear text', async () => {
    const options = { caller: aCaller({ clientId: 'secretive' }), idempotencyKey: 'register-1' }
    const document = `mutation ($input: RegisterWebhookEndpointInput!) { registerWebhookEndpoint(input: $input) { secret endpoint { endpointId } } }`
    const input = { endpointId: 'whk_secret', url: 'http://127.0.0.1:9/hook' }
    const first = await bank.execute(document, { input }, options)
    const { secret } = first.data.registerWebhookEndpoint
    expect(secret).toMatch(/^whsec_/)
    const retry = await bank.execute(document, { input }, options)
    expect(retry.isReplayed).toBe(true)
    expect(retry.data).toEqual(first.data)
    const later = await bank.execute(document, { input }, { caller: options.caller })
    expect(later.data.registerWebhookEndpoint).toEqual({
      secret: null,
      endpoint: { endpointId: 'whk_secret' },
    })
    const bare = secret.slice('whsec_'.length)
    for (const table of [
      'kernel.idempotency',
      'events.endpoint',
      'kernel.event',
      'kernel.outbox',
    ]) {
      const rows = await bank.rows(`select r::text as text from ${table} r`)
      expect(rows.filter(({ text }) => text.includes(bare))).toEqual([])
    }
  })
})
