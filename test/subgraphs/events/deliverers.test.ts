import 'reflect-metadata'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext, startWorkers } from '../../../kernel/work/worker.ts'
import { disableEndpoint } from '../../../subgraphs/events/commands/endpoint.ts'
import { deliverWebhooks } from '../../../subgraphs/events/delivery/deliverer.ts'
import { planDeliveries } from '../../../subgraphs/events/store/plan.ts'
import {
  claimDeliveries,
  settle,
  type AttemptResult,
} from '../../../subgraphs/events/store/leased-delivery.ts'
import { eventually } from '../../kit/platform.ts'
import { aPublishingBank, type PublishingBank } from './kit.ts'
import { aReceiver, type Receiver } from './receiver.ts'

let bank: PublishingBank
let receiver: Receiver
beforeAll(async () => {
  // Four deliverers stand in for four processes on one database.
  bank = await aPublishingBank(4)
  receiver = await aReceiver()
})
afterAll(async () => {
  await bank.drop()
  await receiver.close()
})

test('sends each event once and in order per subject with four deliverers', async () => {
  await bank.subscribe()
  const { endpointId } = await bank.register(receiver.url)
  let limit = 0
  const now: string[] = []
  const together = new Set<string>()
  receiver.answer(async ({ event }, response) => {
    if (now.includes(event.subject)) together.add(event.subject)
    now.push(event.subject)
    limit = Math.max(limit, now.length)
    await sleep(Math.random() * 10)
    now.splice(now.indexOf(event.subject), 1)
    response.writeHead(200).end()
  })
  // Hold all deliveries until they are planned, so that different subjects can be sent in parallel.
  const hold = (until: string) => bank.rows(`update events.endpoint set held_until = ${until}`)
  await hold("'infinity'")
  for (let at = 0; at < 20; at++) {
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((thing) => bank.emit(thing, { at })))
  }
  await eventually(async () => {
    const [row] = await bank.rows('select count(*)::int as planned from events.delivery')
    return row!['planned'] === 120
  })
  await hold('null')
  await bank.settled(endpointId)
  expect(receiver.got).toHaveLength(120)
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const own = receiver.got.filter(({ event }) => event.subject === `thing/${subject}`)
    expect(own.map(({ event }) => event.data.at)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  }
  // The next event of a subject waits for the response to the previous one; other subjects do not.
  expect([...together]).toEqual([])
  expect(limit).toBeGreaterThan(1)
  await bank.execute('mutation ($id: ID!) { deleteWebhookEndpoint(endpointId: $id) { status } }', {
    id: endpointId,
  })
})

test('does not record an attempt of a deliverer that has lost its lease', async () => {
  const slow = await aReceiver(() => undefined)
  const alone = await aPublishingBank(0)
  await alone.subscribe()
  await alone.register(slow.url)
  await alone.emit('stalled')
  const context = bankContext(alone.bank)
  const [held] = await eventually(async () => {
    const claimed = await claimDeliveries(context, 'first', 10)
    return claimed.length > 0 && claimed
  })
  expect(await claimDeliveries(context, 'second', 10)).toEqual([])
  await alone.rows("update events.delivery set lease_until = now() - interval '1 second'")
  const [taken] = await claimDeliveries(context, 'second', 10)
  expect(taken!.deliveryId).toBe(held!.deliveryId)
  const result: AttemptResult = {
    leased: held!,
    status: 'delivered',
    step: 0,
    nextAt: null,
    retryAfter: null,
    isGone: false,
    at: context.now(),
    durationMs: 1,
    statusCode: 200,
    error: null,
    response: null,
    heldUntil: null,
  }
  expect(await settle(context, [result])).toBe(0)
  expect(await alone.rows('select status, attempts from events.delivery')).toEqual([
    { status: 'pending', attempts: 0 },
  ])
  expect(await settle(context, [{ ...result, leased: taken! }])).toBe(1)
  expect(await alone.rows('select number, status_code from events.attempt')).toEqual([
    { number: 1, status_code: 200 },
  ])
  await alone.drop()
  await slow.close()
})

test('releases deliveries on a stop and sends them after the next start', async () => {
  const stuck = await aReceiver(() => undefined)
  const alone = await aPublishingBank(0)
  await alone.subscribe()
  const { endpointId } = await alone.register(stuck.url)
  await alone.emit('stopped')
  const first = startWorkers(alone.bank, [deliverWebhooks])
  await eventually(() => stuck.got.length === 1)
  await first.stop()
  const state = 'select status, attempts, lease_id from events.delivery'
  expect(await alone.rows(state)).toEqual([{ status: 'pending', attempts: 0, lease_id: null }])
  stuck.answer((_got, response) => response.writeHead(200).end())
  const second = startWorkers(alone.bank, [deliverWebhooks])
  const [delivery] = await alone.settled(endpointId)
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ number: 1 }] })
  expect(stuck.got).toHaveLength(2)
  expect(stuck.got[0]!.headers['webhook-id']).toBe(stuck.got[1]!.headers['webhook-id'])
  await second.stop()
  await alone.drop()
  await stuck.close()
})

test('plans each event once with concurrent planners', async () => {
  const alone = await aPublishingBank(0)
  await alone.subscribe()
  const { endpointId } = await alone.register(receiver.url)
  const context = bankContext(alone.bank)
  const things = Array.from({ length: 50 }, (_, at) => `planned-${at}`)
  const publishing = Promise.all(things.map((thing) => alone.emit(thing)))
  let isPublishing = true
  const planning = [1, 2, 3].map(async () => {
    while (isPublishing) await planDeliveries(context, 7)
  })
  await publishing
  await eventually(async () => {
    const [row] = await alone.rows(
      'select count(*)::int as planned from events.delivery where endpoint_id = $1',
      [endpointId],
    )
    return row!['planned'] >= 50
  })
  isPublishing = false
  await Promise.all(planning)
  expect(
    await alone.rows(
      'select count(*)::int as all, count(distinct position)::int as distinct from events.delivery',
    ),
  ).toEqual([{ all: 50, distinct: 50 }])
  await alone.drop()
})

test('disables an endpoint only if it is still failing when the change is committed', async () => {
  const context = bankContext(bank.bank)
  const { endpointId } = await bank.register(receiver.url)
  const endpoint = { endpointId, url: receiver.url }
  const status = async () => (await bank.endpoint(endpointId)).status
  const failingSince = (sql: string) =>
    bank.rows(`update events.endpoint set failing_since = ${sql} where endpoint_id = $1`, [
      endpointId,
    ])
  // The endpoint has responded since the request that failed.
  await disableEndpoint(context, endpoint, 'failing')
  expect(await status()).toBe('ACTIVE')
  await failingSince(`'${bank.bank.now().toISOString()}'::timestamptz - interval '6 days'`)
  await disableEndpoint(context, { endpointId, url: 'http://elsewhere.test/' }, 'gone')
  expect(await status()).toBe('ACTIVE')
  // The endpoint responds between the decision and the commit.
  let isDone = false
  const commits = {
    async commit(prepared: Parameters<typeof bank.bank.commits.commit>[0]) {
      if (!isDone) {
        isDone = true
        await failingSince('null')
      }
      return bank.bank.commits.commit(prepared)
    },
  }
  const interrupted = { ...bank.bank, commits: commits as typeof bank.bank.commits }
  await disableEndpoint(bankContext(interrupted), endpoint, 'failing')
  expect([isDone, await status()]).toEqual([true, 'ACTIVE'])
  await failingSince(`'${bank.bank.now().toISOString()}'::timestamptz - interval '6 days'`)
  await disableEndpoint(context, endpoint, 'failing')
  expect(await status()).toBe('DISABLED')
})

test('an endpoint whose secret cannot be decrypted gets failed attempts, with the reason', async () => {
  await bank.subscribe()
  const { endpointId } = await bank.register(receiver.url)
  await bank.rows(
    `update events.endpoint set secrets = jsonb_set(secrets, '{0,encrypted}', '"unreadable"')
     where endpoint_id = $1`,
    [endpointId],
  )
  await bank.emit('unsigned')
  const attempt = await eventually(async () => {
    const [row] = await bank.rows(
      `select a.error from events.attempt a join events.delivery d using (delivery_id)
       where d.endpoint_id = $1`,
      [endpointId],
    )
    return row
  })
  expect(attempt['error']).toBe('A secret of the endpoint could not be decrypted.')
})
